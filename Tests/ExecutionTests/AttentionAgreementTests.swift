import Execution
import ModelIR
import Operators
import Testing

/// Attention block by block, against the definition.
@Suite struct AttentionAgreementTests {
  /// Around the blocks of queries (64) and of keys (256 and a little more).
  private static let lengths = [
    (1, 1), (5, 7), (64, 33), (65, 129), (3, 300), (130, 257), (70, 600),
  ]

  private func expect(
    _ attention: Attention, _ queries: Int, _ keys: Int, width: Int = 5, valueWidth: Int = 3,
    batch: Int = 2, threads: [Int] = [1]
  ) throws {
    let (heads, keyHeads) = (attention.heads ?? 1, attention.keyHeads ?? attention.heads ?? 1)
    var builder = ModelBuilder(seed: 7)
    var inputs = [
      builder.input(Shape([queries, heads * width])),
      builder.input(Shape([keys, keyHeads * width])),
      builder.input(Shape([keys, keyHeads * valueWidth])),
    ]
    var conditions: Set<Int> = []
    for (index, mask) in attention.masks.enumerated() {
      let shape =
        switch mask {
        case .keys: [keys]
        case .queries, .results: [queries]
        case .pairs: index % 2 == 0 ? [queries, keys] : [heads, 1, keys]
        case .bias: index % 2 == 0 ? [1, queries, keys] : [1, keys]
        }
      if mask != .bias { conditions.insert(inputs.count) }
      inputs.append(builder.input(Shape(shape)))
    }
    let names = conditions.map { "\(inputs[$0])" }
    let output = try builder.add(attention, inputs)
    let model = try builder.model(outputs: [output])
    var values = randomInputs(of: model, batch: batch)
    for name in values.keys where names.contains(name) {
      values[name] = values[name]?.map { $0 > -0.3 ? 1 : 0 }
    }
    try expectAgreement(
      model, values, threads: threads, "\(attention), \(queries) queries, \(keys) keys")
  }

  @Test func `every length`() throws {
    for (queries, keys) in Self.lengths {
      try expect(Attention(heads: 2), queries, keys)
      try expect(Attention(heads: 2, before: 3, after: 0), queries, keys)
    }
  }

  @Test func `every width, on several threads`() throws {
    for (width, valueWidth) in [(1, 1), (3, 17), (16, 64), (33, 8), (64, 33)] {
      for heads in [(4, 4), (4, 2), (6, 1)] {
        try expect(
          Attention(heads: heads.0, keyHeads: heads.1), 67, 66, width: width,
          valueWidth: valueWidth, batch: 3, threads: [1, 2])
      }
    }
  }

  @Test func `masks, biases, bounds and reach`() throws {
    let masks: [[AttentionMask]] = [
      [.keys], [.queries], [.pairs, .pairs], [.bias, .bias], [.results],
      [.keys, .queries, .pairs, .bias, .results],
    ]
    for masks in masks {
      for zerosEmpty in [false, true] {
        for (before, after) in [(nil, nil), (nil, 0), (2, 2), (0, nil)] as [(Int?, Int?)] {
          try expect(
            Attention(
              heads: 2, scale: 0.7, softCap: before == nil ? nil : 1.5, before: before,
              after: after, masks: masks, zerosEmpty: zerosEmpty), 66, 270)
        }
      }
    }
  }

  @Test func `a row whose first block is masked wholly goes on with the next`() throws {
    // The last queries are within reach of keys of the last block alone.
    try expect(Attention(heads: 1, before: 2, after: 2), 600, 600, batch: 1)
    try expect(Attention(heads: 1, before: 0), 530, 600, batch: 1)
  }

  @Test func `a factor that is a parameter`() throws {
    try expect(Attention(), 5, 6)
  }

  @Test func `weights and sums are computed by the definition`() throws {
    for attention in [
      Attention(heads: 2, result: .weights), Attention(score: .additive),
      Attention(score: .scaledAdditive, scale: 1),
    ] {
      var builder = ModelBuilder(seed: 3)
      let inputs = [4, 5, 5].map { builder.input(Shape([$0, 6])) }
      let output = try builder.add(attention, inputs)
      let model = try builder.model(outputs: [output])
      let values = randomInputs(of: model, batch: 2)
      let expected = try ReferenceEngine(model).run(values)
      #expect(difference(expected, try FastEngine(model).run(values)) == nil)
    }
  }
}
