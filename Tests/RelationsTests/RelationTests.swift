import ModelIR
import Relations
import TestSupport
import Testing

/// Tensors that were moved in every way that ports of networks move them, found again by their values.
@Suite struct RelationTests {
  @Test func `every order and direction of axes of different sizes`() throws {
    for shape in [[7], [3, 5], [2, 3, 5], [2, 3, 4, 5]] {
      let a = [TestArray([6, 4], seed: 3), TestArray(shape), TestArray(shape, seed: 2)]
      for order in permutations(shape.count) {
        for mask in 0..<1 << shape.count {
          let reversed = Set(shape.indices.filter { mask >> $0 & 1 == 1 })
          let b = a[1].reversed(reversed).transposed(order)
          let parts = try check(a, b, "\(shape) \(order) \(reversed)")
          #expect(parts.count == 1)
          #expect(parts.first?.source == 1)
          #expect(parts.first?.isIdentity == (mask == 0 && order == order.sorted()))
        }
      }
    }
  }

  @Test func `every order of axes of equal sizes`() throws {
    let a = [TestArray([3, 3, 3])]
    for order in permutations(3) { try check(a, a[0].transposed(order), "\(order)") }
  }

  @Test func `axes that were merged, split, or both`() throws {
    let a = TestArray([4, 3, 2, 5])
    for order in permutations(4) {
      let moved = a.transposed(order)
      let (n0, n1, n2, n3) = (moved.shape[0], moved.shape[1], moved.shape[2], moved.shape[3])
      for shape in [
        [n0 * n1 * n2 * n3], [n0, n1 * n2 * n3], [n0 * n1, n2 * n3], [n0 * n1 * n2, n3],
        [n0, 1, n1, n2 * n3, 1],
      ] {
        try check([a], moved.reshaped(shape), "\(order) \(shape)")
        try check([moved.reshaped(shape)], a, "back from \(order) \(shape)")
      }
    }
  }

  @Test func `rows behind a flatten in another order, of which no shape tells`() throws {
    // Keras flattens rows, columns, channels; PyTorch channels, rows, columns.
    let keras = TestArray([4 * 5 * 3, 7])
    let torch = keras.reshaped([4, 5, 3, 7]).transposed([3, 2, 0, 1]).reshaped([7, 60])
    let parts = try check([keras], torch, "flatten")
    // Rows and columns stay together, so that values do not tell how many there are.
    #expect(parts.first?.rearrangement?.pattern == "(p q) r -> r (q p)")
    #expect(parts.first?.rearrangement?.sizes.values.sorted() == [3, 7, 20])
    try check([torch], keras, "flatten, back")
  }

  @Test func `gates and channels in another order`() throws {
    let a = TestArray([6, 4 * 5])
    // i, f, c, o to i, o, f, c, with the units of each gate together.
    let gates = [0, 3, 1, 2].flatMap { gate in (0..<5).map { gate * 5 + $0 } }
    let parts = try check([a], a.taking(gates, of: 1).transposed([1, 0]), "gates")
    #expect(parts.first?.orders.values.first == [0, 3, 1, 2])
    let shuffled = [3, 0, 5, 1, 4, 2]
    #expect(
      try check([a], a.taking(shuffled, of: 0), "channels").first?.orders.values.first == shuffled)
    let ones = a.reshaped([1, 6, 1, 20])
    #expect(
      try check(
        [ones], a.taking(shuffled, of: 0).reshaped([6, 20, 1]), "channels beside axes of 1"
      )
      .first?.rearrangement?.pattern == "1 p 1 q -> p q 1")
    let kernel = a.reshaped([6, 4, 5])
    try check([kernel], a.taking(shuffled, of: 0), "channels, merged")
    try check([a], kernel.taking(shuffled, of: 0), "channels, split")
  }

  @Test func `gates in another order in what was cut, joined or rounded`() throws {
    let order = [1, 0, 2].flatMap { gate in (0..<5).map { gate * 5 + $0 } }
    let biases = TestArray([2, 15])
    let (kernel, other) = (TestArray([4, 15], seed: 2), TestArray([15], seed: 3))
    let zeros = TestArray([15], [Float](repeating: 0, count: 15))
    let half = { (array: TestArray) in
      array.mapped { Half.float(from: Half.bits(from: $0)) }
    }
    for row in 0..<2 {
      let cut = biases.taking([row], of: 0).reshaped([15]).taking(order, of: 0)
      let parts = try check([kernel, biases, other], cut, "row \(row)")
      #expect(parts.map(\.source) == [1])
      #expect(parts.first?.sourceSections.map(\.range) == [row..<row + 1])
    }
    let reordered = kernel.taking(order, of: 1)
    let joined = TestArray.joined([other.taking(order, of: 0), zeros], along: 0)
    let parts = try check([kernel, biases, other], joined, "joined")
    #expect(parts.map(\.source) == [2, nil])
    for (array, what) in [
      (reordered, "moved"), (reordered.transposed([1, 0]), "transposed"),
      (TestArray.joined([kernel, other.reshaped([1, 15])], along: 0), "joined"),
      (kernel.taking([2, 3], of: 0), "cut"), (kernel.taking(Array(3..<9), of: 1), "cut inside"),
    ] {
      let a = [biases, kernel, other]
      let b = half(array)
      for stored in [ElementType.float16, .float32] {
        let found = try WeightRelations.find(
          a.enumerated().map { $1.tensor("a\($0)") }, [b.tensor("b", stored)], threads: 2)
        guard case .related(let parts) = found.tensors[0].outcome else {
          Issue.record("\(what) as \(stored): \(found.tensors[0].outcome)")
          continue
        }
        #expect(made(found.tensors[0].outcome, of: a, b.shape)?.values == b.values, "\(what)")
        #expect(parts.allSatisfy { $0.likeness == .rounded(.float16) }, "\(what)")
        try checkMade(parts, of: a, as: b, what)
      }
    }
  }

  @Test func `bits that were cut off are no factor`() throws {
    let kernel = TestArray([8, 6], seed: 7)
    // bfloat16 is the upper half of a float32.
    let brain = kernel.mapped { Float(bitPattern: $0.bitPattern & 0xffff_0000) }
    // float16 has ten bits of fraction; these values are its normal numbers.
    let half = kernel.mapped { Float(bitPattern: $0.bitPattern & 0xffff_e000) }
    let other = TestArray([8, 6], seed: 8)
    for (array, type) in [(brain, ElementType.bfloat16), (half, .float16)] {
      let gates = [6, 7, 0, 1, 2, 3, 4, 5]
      for (b, what) in [
        (array, "as it is"), (array.transposed([1, 0]), "transposed"),
        (array.taking(gates, of: 0), "moved"), (array.taking([2, 3, 4], of: 0), "cut"),
      ] {
        for stored in [type, .float32] {
          let found = try WeightRelations.find(
            [other, kernel].enumerated().map { $1.tensor("a\($0)") }, [b.tensor("b", stored)],
            threads: 2)
          guard case .related(let parts) = found.tensors[0].outcome else {
            Issue.record("\(what) as \(stored): \(found.tensors[0].outcome)")
            continue
          }
          #expect(parts.map(\.likeness) == [.truncated(type)], "\(what) as \(stored)")
          try checkMade(parts, of: [other, kernel], as: b, what)
        }
      }
    }
  }

  @Test func `truncation to half precision goes towards zero`() {
    // From numpy: values, and the nearest of float16 that are no farther from zero.
    let pairs: [(Float, Float)] = [
      (1.00048828125, 1), (1.0009765625, 1.0009765625), (-1.0014648, -1.0009765625),
      (65519, 65504), (1e6, 65504), (-1e6, -65504), (6e-8, 0x1p-24), (5e-8, 0),
      (6.1e-5, 1023 * 0x1p-24), (.infinity, .infinity),
    ]
    for (value, expected) in pairs { #expect(Half.truncated(value) == expected, "\(value)") }
  }

  @Test func `two biases that were added, with gates in another order`() throws {
    let (first, second) = (TestArray([24], seed: 11), TestArray([24], seed: 12))
    let kernel = TestArray([24, 5], seed: 13)
    let sum = TestArray([24], zip(first.values, second.values).map { $0 + $1 })
    let a = [kernel, first, second, TestArray([24], seed: 14)]
    for gates in [[0, 1, 3, 2], [0, 2, 1, 3], [3, 2, 1, 0], [0, 1, 2, 3]] {
      let order = gates.flatMap { gate in (0..<6).map { gate * 6 + $0 } }
      let moved = sum.taking(order, of: 0)
      let parts = try check(a, moved, "\(gates)")
      #expect(parts.map(\.source) == [1])
      #expect(parts.map(\.addend) == [2])
      if gates == [0, 1, 3, 2] { #expect(parts.first?.orders.values.first == gates) }
      let half = moved.mapped { Half.float(from: Half.bits(from: $0)) }
      #expect(try check(a, half, "\(gates), rounded").map(\.addend) == [2])
    }
    // Values that repeat leave the order open, unless the layer tells it.
    let repeated = TestArray([24], first.values.indices.map { Float($0 / 2) })
    let order = (0..<24).map { ($0 + 6) % 24 }
    let b = [
      kernel.taking(order, of: 0),
      TestArray([24], zip(repeated.values, repeated.values).map { $0 + 2 * $1 })
        .taking(order, of: 0),
    ]
    let both = [kernel, repeated, repeated.mapped { 2 * $0 }]
    let found = try relations(both, b).tensors.map(\.outcome)
    for (place, outcome) in found.enumerated() {
      #expect(made(outcome, of: both, b[place].shape)?.values == b[place].values)
    }
  }

  @Test func `few other values in a tensor, and in one that was joined`() throws {
    let parts = (0..<3).map { TestArray([8, 16], seed: UInt64($0) + 21) }
    let other = TestArray([24, 16], seed: 30)
    var joined = TestArray.joined(parts, along: 0)
    joined.values[9 * 16 + 5] += 1
    joined.values[20 * 16 + 3] += 1
    var moved = parts[0].transposed([1, 0])
    moved.values[77] += 1
    var found = try relations(parts + [other], [joined]).tensors[0].outcome
    guard case .nearly(let pieces, let discrepancy) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(pieces.map(\.source) == [0, 1, 2])
    #expect(discrepancy.count == 2)
    #expect(discrepancy.index == 9 * 16 + 5)
    #expect(discrepancy.expected == parts[1].values[16 + 5])
    #expect(discrepancy.value == parts[1].values[16 + 5] + 1)
    found = try relations([other, parts[0]], [moved]).tensors[0].outcome
    guard case .nearly(let whole, let single) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(whole.map(\.source) == [1])
    #expect(single.count == 1)
    #expect(single.index == 77)
    // Other values are no relative, nor are zeros at the same places.
    var sparse = TestArray([40], [Float](repeating: 0, count: 40))
    sparse.values[3] = 1
    var second = sparse
    second.values[30] = 2
    for (a, b) in [(parts[0], parts[1]), (sparse, second)] {
      guard case .unrelated = try relations([a], [b]).tensors[0].outcome else {
        Issue.record("related")
        continue
      }
    }
  }

  @Test func `kernels that were fused, and parts of one that was`() throws {
    let parts = (0..<3).map { TestArray([6, 6], seed: UInt64($0) + 5) }
    for axis in 0...1 {
      let fused = TestArray.joined(parts, along: axis)
      #expect(try check(parts, fused, "fused").map(\.source) == [0, 1, 2])
      let transposed = TestArray.joined(parts.map { $0.transposed([1, 0]) }, along: axis)
      #expect(try check(parts, transposed, "transposed").map(\.source) == [0, 1, 2])
      for (index, part) in parts.enumerated() {
        let found = try check([fused], part, "part")
        #expect(found.first?.sourceSections.first?.range == 6 * index..<6 * index + 6)
        try check([fused], part.transposed([1, 0]), "part, transposed")
      }
    }
  }

  @Test func `zeros that were added at the ends`() throws {
    let a = TestArray([5, 4])
    let zeros = TestArray([5, 3], [Float](repeating: 0, count: 15))
    let many = TestArray([5, 60], [Float](repeating: 0, count: 300))
    try check([a], TestArray.joined([many, a], along: 1), "padded with many")
    for order in [[a, zeros], [zeros, a], [zeros, a, zeros]] {
      let parts = try check([a], TestArray.joined(order, along: 1), "padded")
      #expect(parts.count == order.count)
      #expect(parts.filter { $0.source == nil }.count == order.count - 1)
    }
  }

  @Test func `values that were rounded, or whose signs were changed`() throws {
    let a = TestArray([4, 6])
    #expect(
      try check([a], a.transposed([1, 0]).mapped { -$0 }, "signs").first?.likeness == .negated)
    for (type, round) in [
      (ElementType.float16, { Half.float(from: Half.bits(from: $0)) }),
      (.bfloat16, { (value: Float) in BFloat16.float(from: BFloat16.bits(from: value)) }),
    ] {
      let b = a.transposed([1, 0]).mapped(round)
      for stored in [type, .float32] {
        let found = try WeightRelations.find([a.tensor("a")], [b.tensor("b", stored)], threads: 1)
        guard case .related(let parts) = found.tensors[0].outcome else {
          Issue.record("\(type) as \(stored): \(found.tensors[0].outcome)")
          continue
        }
        #expect(parts[0].likeness == .rounded(type))
        #expect(!parts[0].isExact)
        #expect(made(found.tensors[0].outcome, of: [a], b.shape)?.values == b.values)
      }
      // What was so before is the same, and was not rounded.
      let same = try relations([b], [b.transposed([1, 0])]).tensors[0].outcome
      guard case .related(let parts) = same else {
        Issue.record("\(same)")
        continue
      }
      #expect(parts.map(\.likeness) == [.exact])
    }
  }

  @Test func `sums of two biases`() throws {
    let biases = (0..<4).map { TestArray([12], seed: UInt64($0) + 1) }
    let sum = TestArray([12], zip(biases[1].values, biases[3].values).map(+))
    let found = try relations(biases, [sum]).tensors[0].outcome
    guard case .related(let parts) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(parts.map(\.source) == [1])
    #expect(parts.map(\.addend) == [3])
  }

  @Test func `many tensors with the same values are named in part, and none is left over`() throws {
    for array in [
      TestArray([5], [0, 0, 0, 0, 0]), TestArray([5]), TestArray([5], [2, 2, 2, 2, 2]),
    ] {
      for count in [8, 9, 20] {
        let all = [TestArray](repeating: array, count: count)
        let found = try relations(all, all)
        #expect(found.unused.isEmpty, "\(count) times \(array.values)")
        #expect(
          found.tensors.allSatisfy { relation in
            if case .undetermined(_, let parts) = relation.outcome {
              parts.count == 8
            } else {
              false
            }
          }, "\(count) times \(array.values)")
        // A tensor with the same values in another order is another one.
        let other = array.reversed([0])
        guard other.values != array.values else { continue }
        let more = try relations(all + [TestArray([5], [1, 3, 2, 5, 4])], all)
        #expect(more.unused.map(\.tensor) == [count])
      }
    }
  }

  @Test func `what float32 cannot hold is rounded, or the same in float64`() throws {
    let values = (0..<24).map { 1 + Double($0) * 1e-3 }
    let a = RelatedTensor(name: "a", shape: [4, 6], source: DoubleSource(values: values))
    let rounded = TestArray([4, 6], values.map(Float.init)).transposed([1, 0])
    let found = try WeightRelations.find([a], [rounded.tensor("b")], threads: 1)
    guard case .related(let parts) = found.tensors[0].outcome else {
      Issue.record("\(found.tensors[0].outcome)")
      return
    }
    #expect(parts[0].likeness == .rounded(.float32))
    // Equal in float32, and not in float64.
    let others = [values, values.map { $0 + 1e-12 }].map {
      RelatedTensor(name: "b", shape: [24], source: DoubleSource(values: $0))
    }
    let relations = try WeightRelations.find([a], others, threads: 1)
    if case .related(let parts) = relations.tensors[0].outcome {
      #expect(parts[0].likeness == .exact)
    } else {
      Issue.record("\(relations.tensors[0].outcome)")
    }
    guard case .unrelated = relations.tensors[1].outcome else {
      Issue.record("\(relations.tensors[1].outcome)")
      return
    }
  }

  private struct DoubleSource: TensorSource {
    let values: [Double]
    var elementType: ElementType { .float64 }
    var count: Int { values.count }

    func read(
      _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
    ) throws(NetconvError) {
      _ = values.update(fromContentsOf: self.values[range].map(Float.init))
    }

    func read(
      _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
    ) throws(NetconvError) {
      _ = values.update(fromContentsOf: self.values[range])
    }
  }

  @Test func `thousands of tensors, and zeros that nothing came from`() throws {
    let count = Sampling.current < .slow ? 1000 : 10_000
    let a = (0..<count).map { TestArray([2, 3], seed: UInt64($0)) }
    let found = try relations(a, a.reversed().map { $0.transposed([1, 0]) })
    for (place, relation) in found.tensors.enumerated() {
      guard case .related(let parts) = relation.outcome else {
        Issue.record("\(place): \(relation.outcome)")
        continue
      }
      #expect(parts.map(\.source) == [count - 1 - place])
    }
    let zeros = TestArray([5], [0, 0, -0, 0, 0])
    #expect(try check([a[0]], zeros, "zeros").map(\.source) == [nil])
  }

  // MARK: - What values do not tell

  private func ambiguity(_ outcome: Relation.Outcome) -> (Ambiguity, [RelatedPart])? {
    if case .undetermined(let why, let parts) = outcome { (why, parts) } else { nil }
  }

  @Test func `what values do not tell is not said`() throws {
    let zeros = TestArray([8], [Float](repeating: 0, count: 8))
    var found = ambiguity(try relations([zeros, zeros], [zeros]).tensors[0].outcome)
    #expect(found?.0 == .constant)
    #expect(found?.1.map(\.source) == [0, 1])

    let tied = TestArray([4, 6])
    found = ambiguity(try relations([tied, tied], [tied.transposed([1, 0])]).tensors[0].outcome)
    #expect(found?.0 == .tied)
    #expect(found?.1.map(\.source) == [0, 1])

    let square = TestArray([5, 5])
    let symmetric = TestArray(
      [5, 5], zip(square.values, square.transposed([1, 0]).values).map { $0 + $1 })
    found = ambiguity(try relations([symmetric], [symmetric]).tensors[0].outcome)
    #expect(found?.0 == .symmetric)
    #expect(found?.1.count == 2)
  }

  @Test func `a kernel of one place is moved in one way, however many names that has`() throws {
    let a = TestArray([1, 1, 4, 6])
    #expect(try check([a], a.transposed([3, 2, 0, 1]), "1 x 1").count == 1)
    #expect(try check([a], a.reshaped([4, 6, 1, 1]), "1 x 1").first?.isIdentity == true)
  }

  @Test func `look-alikes are told apart by one value, and are nobody's relatives`() throws {
    let a = TestArray([4, 6])
    var other = a
    other.values[17] += 1e-4
    let found = try relations([a], [other, a])
    guard case .unrelated(let nearest) = found.tensors[0].outcome else {
      Issue.record("\(found.tensors[0].outcome)")
      return
    }
    #expect(nearest?.tensor == 0)
    #expect((nearest?.distance ?? 1) < 0.01)
    // The same values in an order that is no rearrangement of axes.
    var swapped = a
    swapped.values.swapAt(3, 10)
    guard case .nearly(_, let two) = try relations([a], [swapped]).tensors[0].outcome else {
      Issue.record("two values were swapped")
      return
    }
    #expect(two.count == 2)
    #expect(try relations([a], []).unused.map(\.tensor) == [0])
  }

  @Test func `an error names the tensor that cannot be read`() throws {
    let error = #expect(throws: NetconvError.self) {
      try WeightRelations.find(
        [RelatedTensor(name: "broken", shape: [3], source: BrokenSource())],
        [TestArray([3]).tensor("b")], threads: 2)
    }
    #expect(error?.description.contains("broken") == true)
  }

  private struct BrokenSource: TensorSource {
    var elementType: ElementType { .float32 }
    var count: Int { 3 }

    func read(
      _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
    ) throws(NetconvError) {
      throw NetconvError(.inputOutput, "cannot be read")
    }
  }
}
