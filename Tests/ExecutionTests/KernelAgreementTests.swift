import Execution
import ModelIR
import Operators
import Testing

/// Every other operator in every small shape, against the definition.
@Suite struct KernelAgreementTests {
  /// Around the vectors of all levels, and the four that a pooling does at once.
  private static let channelCounts = [1, 3, 4, 8, 11, 16, 33, 64, 77]

  @Test(arguments: 1...5, [Padding.valid, .same])
  func `poolings of every shape`(height: Int, padding: Padding) throws {
    for width in 1...5 where width != height {
      for pool in (1...3).flatMap({ h in (1...3).map { Size2D(h, $0) } }) {
        for strides in [Size2D.one, Size2D(2, 1), Size2D(1, 2), Size2D(3, 3)] {
          try comparePoolings([height, width, 2], pool, strides, padding)
        }
      }
    }
  }

  @Test(arguments: channelCounts)
  func `poolings of every number of channels`(channels: Int) throws {
    for padding in [Padding.valid, .same] {
      try comparePoolings([4, 5, channels], Size2D(2, 3), Size2D(2, 2), padding)
    }
  }

  private func comparePoolings(
    _ shape: [Int], _ pool: Size2D, _ strides: Size2D, _ padding: Padding
  ) throws {
    let largest = MaxPooling2D(poolSize: pool, strides: strides, padding: padding)
    guard let sizes = try largest.outputShape(for: [Shape(shape)]).known,
      sizes.allSatisfy({ $0 > 0 })
    else { return }
    let mean = AveragePooling2D(poolSize: pool, strides: strides, padding: padding)
    for operation in [largest, mean] as [any Operator] {
      let model = try model(operation, shape)
      try expectAgreement(model, randomInputs(of: model, batch: 2), "\(operation) of \(shape)")
    }
  }

  @Test(arguments: channelCounts)
  func `global poolings`(channels: Int) throws {
    for (height, width) in [(1, 1), (1, 4), (3, 2), (7, 5), (40, 50)] {
      for keep in [false, true] {
        let operations: [any Operator] = [
          GlobalMaxPooling2D(keepDimensions: keep), GlobalAveragePooling2D(keepDimensions: keep),
        ]
        for operation in operations {
          let model = try model(operation, [height, width, channels])
          try expectAgreement(model, randomInputs(of: model, batch: 2), "\(operation)")
        }
      }
    }
  }

  @Test func `batch normalisation of every rank, with and without gamma and beta`() throws {
    for shape in [[3], [2, 3], [2, 4, 5], [17]] {
      let whole = try model(BatchNormalization(epsilon: 0.01), shape)
      try expectAgreement(whole, randomInputs(of: whole, batch: 3), "\(shape)")
      var layers = ModelBuilder(seed: 3)
      let input = layers.input(Shape(shape))
      let output = try layers.add(BatchNormalization(), [input])
      var definitions = layers.layers
      definitions[0].parameters[.gamma] = nil
      definitions[0].parameters[.beta] = nil
      let bare = try Model(
        name: "bare", inputs: layers.inputs, layers: definitions, outputs: [output])
      try expectAgreement(bare, randomInputs(of: bare, batch: 3), "\(shape)")
    }
  }

  @Test func `batch normalisation along every axis`() throws {
    for shape in [[3], [2, 3], [2, 4, 5]] {
      for axis in -shape.count..<shape.count {
        let model = try model(BatchNormalization(epsilon: 0.01, axis: axis), shape)
        try expectAgreement(model, randomInputs(of: model, batch: 3), "\(shape), axis \(axis)")
      }
    }
  }

  @Test(arguments: allFunctions)
  func `every activation as a layer`(function: ActivationFunction) throws {
    for shape in [[2, 3, 4], [5, 1], [1, 9]] {
      let model = try model(Activation(function), shape)
      try expectAgreement(model, randomInputs(of: model, batch: 3), "\(shape)")
    }
  }

  @Test func `learned slopes with every choice of shared axes`() throws {
    for (shape, shared) in [
      ([5], []), ([5], [0]), ([3, 4], [0]), ([3, 4], []), ([2, 3, 4], []), ([2, 3, 4], [0, 1]),
      ([2, 3, 4], [1]), ([2, 3, 4], [0, -1]), ([2, 1, 3, 4], [0, 2]),
    ] as [([Int], [Int])] {
      let model = try model(PReLU(sharedAxes: shared), shape)
      try expectAgreement(model, randomInputs(of: model, batch: 3), "\(shape), shared \(shared)")
    }
  }

  @Test func `sums of two, three and four inputs`() throws {
    for shape in [[1], [3, 2], [2, 3, 5]] {
      for model in [
        try model(Add(), shape, shape), try model(Add(), shape, shape, shape),
        try model(Add(), shape, shape, shape, shape),
      ] {
        try expectAgreement(model, randomInputs(of: model, batch: 3), "\(shape)")
      }
    }
  }

  @Test func `every way to combine inputs, with sizes of 1 repeated`() throws {
    let two: [any Operator] = [
      Add(), Subtract(), Divide(), Multiply(), Average(), Maximum(), Minimum(),
    ]
    let shapes = [[2, 3, 4], [1, 1, 4], [2, 1, 1], [1, 3, 1], [1, 1, 1], [2, 3, 1]]
    for operation in two {
      for a in shapes {
        for b in shapes {
          let pair = try model(operation, a, b)
          try expectAgreement(pair, randomInputs(of: pair, batch: 3), "\(operation): \(a), \(b)")
          guard operation.inputCount.contains(3) else { continue }
          let three = try model(operation, a, b, [2, 3, 4])
          try expectAgreement(three, randomInputs(of: three, batch: 2), "\(operation): \(a), \(b)")
        }
      }
    }
  }

  @Test func `axes in every order`() throws {
    let orders = [
      [0], [0, 1], [1, 0], [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0],
    ]
    for order in orders {
      let model = try model(Permute(order: order), Array([2, 3, 5].prefix(order.count)))
      try expectAgreement(model, randomInputs(of: model, batch: 3), "\(order)")
    }
  }

  @Test func `cropping of every side`() throws {
    for (top, bottom) in [(0, 0), (1, 0), (0, 2), (3, 1)] {
      for (left, right) in [(0, 0), (2, 0), (0, 1), (1, 3)] {
        let cropping = Cropping2D(top: top, bottom: bottom, left: left, right: right)
        let model = try model(cropping, [5, 6, 2])
        try expectAgreement(model, randomInputs(of: model, batch: 3), "\(cropping)")
      }
    }
  }

  @Test func `enlargements of every shape`() throws {
    for interpolation in Interpolation.allCases {
      for size in [Size2D.one, Size2D(1, 3), Size2D(2, 1), Size2D(2, 3), Size2D(5, 4)] {
        for shape in [[1, 1, 3], [2, 1, 1], [3, 2, 5], [4, 5, 2]] {
          let operation = UpSampling2D(size: size, interpolation: interpolation)
          let model = try model(operation, shape)
          try expectAgreement(
            model, randomInputs(of: model, batch: 2), "\(operation) of \(shape)")
        }
      }
    }
  }

  @Test func `repeated vectors`() throws {
    for (count, features) in [(1, 1), (1, 4), (3, 1), (3, 4)] {
      let model = try model(RepeatVector(count: count), [features])
      try expectAgreement(model, randomInputs(of: model, batch: 3))
    }
  }

  @Test func `rescaling by one number or one for each channel`() throws {
    for scale in [[2.0], [2, -3, 0.5]] {
      for offset in [[0.0], [1], [1, 0, -4]] {
        for shape in [[3], [2, 3], [2, 4, 3]] {
          let model = try model(Rescaling(scale: scale, offset: offset), shape)
          try expectAgreement(model, randomInputs(of: model, batch: 3), "\(shape)")
        }
      }
    }
  }

  @Test func `layer normalisation of every rank`() throws {
    for shape in [[3], [2, 3], [2, 4, 5], [17], [2, 1]] {
      for axis in -shape.count..<shape.count {
        let model = try model(LayerNormalization(epsilon: 0.01, axis: AxisList([axis])), shape)
        try expectAgreement(model, randomInputs(of: model, batch: 3), "\(shape), axis \(axis)")
      }
    }
  }

  /// Axis lists with one, two and all axes of an image.
  private static let axes: [AxisList] = [0, 1, -1, [0, 1], [-1, 0], [1, 2], [0, 1, 2]]

  @Test func `normalisations along several axes`() throws {
    for shape in [[2, 3, 4], [1, 5, 2], [3, 1, 7]] {
      for axis in Self.axes {
        var operations: [any Operator] = [
          LayerNormalization(epsilon: 0.01, axis: axis),
          LayerNormalization(epsilon: 0.01, axis: axis, subtractsMean: false),
          UnitNormalization(axis: axis), UnitNormalization(smallestNorm: 0.9, axis: axis),
          Activation(.softmax(axis: axis)), Normalization(axes: axis.axes),
          Normalization(axes: axis.axes, invert: true),
        ]
        if [-1, [1, 2], [0, 1, 2]].contains(axis) {
          operations.append(RMSNormalization(epsilon: 0.01, axis: axis))
        }
        for operation in operations {
          let model = try model(operation, shape)
          try expectAgreement(model, randomInputs(of: model, batch: 3), "\(operation), \(shape)")
        }
      }
    }
  }

  @Test func `normalisations with statistics of their own`() throws {
    for (axes, count) in [([], 1), ([-1], 4), ([-1], 1), ([0, 2], 8), ([0, 2], 4), ([1], 3)] {
      for invert in [false, true] {
        let operation = Normalization(
          axes: axes, invert: invert,
          statistics: Normalization.Statistics(
            mean: (0..<count).map { Double($0) - 1.5 },
            variance: (0..<count).map { Double($0) + 0.5 }))
        let model = try model(operation, [2, 3, 4])
        try expectAgreement(model, randomInputs(of: model, batch: 3), "\(operation)")
      }
    }
    let one = try model(Normalization(axes: []), [2, 3, 4])
    try expectAgreement(one, randomInputs(of: one, batch: 3))
  }

  @Test func `group normalisation of every axis and number of groups`() throws {
    for (shape, axis) in [
      ([6], 0), ([2, 6], -1), ([6, 5], 0), ([2, 3, 6], 2), ([2, 6, 3], 1), ([6, 2, 3], 0),
      ([6, 2, 3], -3),
    ] {
      for groups in [1, 2, 3, 6, -1] {
        let operation = GroupNormalization(groups: groups, epsilon: 0.01, axis: axis)
        let model = try model(operation, shape)
        try expectAgreement(model, randomInputs(of: model, batch: 3), "\(operation), \(shape)")
      }
    }
  }

  @Test func `scales and scaled sums`() throws {
    for shape in [[3], [2, 3], [2, 4, 5], [17]] {
      for model in [try model(Scale(), shape), try model(ScaledAdd(scale: 0.3), shape, shape)] {
        try expectAgreement(model, randomInputs(of: model, batch: 3), "\(shape)")
      }
    }
  }

  @Test func `scalar products along every axis`() throws {
    let shapes = [[3], [3, 2], [4, 3], [3, 1], [2, 3, 5], [3, 4, 2], [1, 6, 3]]
    for a in shapes {
      for b in shapes {
        for smallestNorm in [nil, 1e-7, 1.5] {
          let axes = [a.firstIndex(of: 3) ?? 0, b.firstIndex(of: 3) ?? 0]
          let operation = Dot(axes: axes, smallestNorm: smallestNorm)
          let model = try model(operation, a, b)
          try expectAgreement(
            model, randomInputs(of: model, batch: 2), "\(operation): \(a), \(b)")
        }
      }
    }
  }

  @Test func `gated units along every axis`() throws {
    for axis in -3...2 {
      let model = try model(GatedLinearUnit(axis: axis), [2, 4, 6])
      try expectAgreement(model, randomInputs(of: model, batch: 3), "axis \(axis)")
    }
  }

  @Test(arguments: Interpolation.allCases)
  func `resizings of every shape`(interpolation: Interpolation) throws {
    for size in [Size2D(1, 1), Size2D(1, 5), Size2D(4, 3), Size2D(7, 2)] {
      for shape in [[1, 1, 3], [2, 1, 1], [3, 5, 2], [6, 4, 5]] {
        for proportion in [Resizing.Proportion.stretch, .crop, .pad] {
          for antialias in [false, true] {
            let operation = Resizing(
              size: size, interpolation: interpolation, antialias: antialias,
              proportion: proportion, fill: 0.75)
            let model = try model(operation, shape)
            try expectAgreement(
              model, randomInputs(of: model, batch: 2), "\(operation) of \(shape)")
          }
        }
      }
    }
  }

  @Test func `middles of every shape`() throws {
    for size in [Size2D(1, 1), Size2D(1, 5), Size2D(4, 3), Size2D(7, 2)] {
      for shape in [[1, 1, 3], [4, 3, 1], [5, 6, 2], [8, 7, 5]] {
        let model = try model(CenterCrop(size: size), shape)
        try expectAgreement(model, randomInputs(of: model, batch: 2), "\(size) of \(shape)")
      }
    }
  }

  @Test func `matrix products`() throws {
    for (first, second) in [(false, false), (true, false), (false, true), (true, true)] {
      let operation = MatMul(transposesFirst: first, transposesSecond: second)
      for (rows, depth, columns) in [(1, 1, 1), (3, 5, 4), (7, 19, 33)] {
        let a = first ? [depth, rows] : [rows, depth]
        let b = second ? [columns, depth] : [depth, columns]
        for (stackA, stackB) in [([], []), ([2], [2]), ([2, 1], [1, 3]), ([1], [4])] {
          let model = try model(operation, stackA + a, stackB + b)
          for batch in [1, 6] {
            try expectAgreement(
              model, randomInputs(of: model, batch: batch), threads: [1, 2],
              "\(operation) \(stackA + a) \(stackB + b)")
          }
        }
      }
    }
  }

  @Test func `some places of each axis`() throws {
    for (starts, counts, steps) in [
      ([0, 0, 0], [nil, nil, nil], [1, 1, 1]), ([1, 4, 0], [2, 3, nil], [2, -2, 1]),
      ([3, 0, 1], [4, 1, 1], [-1, 7, 1]), ([0, 1, 0], [nil, 2, 3], [1, 3, 1]),
    ] as [([Int], [Int?], [Int])] {
      let model = try model(
        Operators.Slice(starts: starts, counts: counts, steps: steps), [4, 5, 3])
      for batch in [1, 7] {
        try expectAgreement(model, randomInputs(of: model, batch: batch), threads: [1, 2])
      }
    }
  }

  @Test func `one number for all values along some axes`() throws {
    for function in Reduce.Function.allCases {
      for axes in [[0], [1], [-1], [0, 2], [1, 2], [2, 0, 1]] {
        for keeps in [true] + (axes.count < 3 ? [false] : []) {
          let model = try model(
            Reduce(function, axes: AxisList(axes), keepDimensions: keeps), [4, 5, 3])
          for batch in [1, 7] {
            try expectAgreement(
              model, randomInputs(of: model, batch: batch), threads: [1, 2],
              "\(function) \(axes)")
          }
        }
      }
    }
  }

  @Test func `functions of each value`() throws {
    let powers = [-1, 0.5, 3].map { Elementwise(power: $0) }
    for operation in Elementwise.Function.allCases.map({ Elementwise($0) }) + powers {
      let model = try model(operation, [4, 5, 3])
      for batch in [1, 7] {
        let inputs = randomInputs(of: model, batch: batch).mapValues { input in
          // Steps at many of them, or between 0 and 1, where all others are numbers, but one from 1 on.
          let first: Float = operation.function == .inverseHyperbolicCosine ? 1.1 : 0.1
          return NDArray(
            shape: input.shape,
            values: input.values.map {
              operation.hasSteps
                ? ($0 * 6).rounded() / 2 : first + 0.8 * abs($0).truncatingRemainder(dividingBy: 1)
            })
        }
        try expectAgreement(model, inputs, threads: [1, 2], "\(operation)")
      }
    }
  }

  @Test func `functions of two values, choices and indices`() throws {
    for function in Pairwise.Function.allCases {
      for (first, second) in [([4, 5, 3], [4, 5, 3]), ([4, 1, 3], [1, 5, 1]), ([3], [1])] {
        let model = try model(Pairwise(function), first, second)
        try expectAgreement(model, halves(of: model), threads: [1, 2], "\(function) \(first)")
      }
    }
    var builder = ModelBuilder(seed: 7)
    let values = [[4, 1, 3], [1, 5, 3], [1, 1, 1]].map { builder.input(Shape($0)) }
    let chosen = try builder.add(Where(), values)
    var outputs = [chosen]
    for (function, axis) in [(ArgReduce.Function.maximum, 0), (.minimum, 1), (.maximum, -1)] {
      outputs.append(try builder.add(ArgReduce(function, axis: axis), [chosen]))
      outputs.append(
        try builder.add(
          ArgReduce(function, axis: axis, keepDimensions: true, takesLast: true), [chosen]))
    }
    let model = try builder.model(outputs: outputs)
    try expectAgreement(model, halves(of: model), threads: [1, 2])
  }

  @Test func `values at indices, and the largest values`() throws {
    for (axis, indices, byElement) in [
      (0, [6], false), (1, [2, 3], false), (-1, [], false), (1, [4, 2, 3], true),
      (2, [3, 5, 9], true),
    ] as [(Int, [Int], Bool)] {
      let model = try model(
        Gather(axis: axis, byElement: byElement), [4, 5, 3], indices)
      for batch in [1, 7] {
        var inputs = randomInputs(of: model, batch: batch)
        for (name, input) in inputs where input.shape.dropFirst().elementsEqual(indices) {
          // Fractions are truncated; negative indices count from the end.
          inputs[name] = NDArray(
            shape: input.shape, values: input.values.indices.map { Float($0 % 6 - 3) + 0.25 })
        }
        try expectAgreement(model, inputs, threads: [1, 2], "\(axis) \(indices)")
      }
    }
    for axis in [0, 1, -1] {
      for (smallest, result) in [(false, TopK.Result.values), (true, .values), (false, .indices)] {
        let model = try model(
          TopK(count: 3, axis: axis, takesSmallest: smallest, result: result), [4, 5, 3])
        try expectAgreement(model, halves(of: model), threads: [1, 2], "\(axis) \(result)")
      }
    }
  }

  /// Multiples of a half, with many equal values; none is 0 where it is the base of a power.
  private func halves(of model: Model) -> [String: NDArray<Float>] {
    randomInputs(of: model, batch: 5).mapValues { input in
      NDArray(shape: input.shape, values: input.values.map { ($0 * 4).rounded() / 2 })
    }
  }

  @Test func `tables are the same for every sample`() throws {
    var builder = ModelBuilder(seed: 5)
    let x = builder.input(Shape([4, 3]))
    let table = try builder.add(Constant(shape: [4, 3]), [])
    let token = try builder.add(Constant(shape: [1, 3]), [])
    let sum = try builder.add(Add(), [x, table])
    let all = try builder.add(Concatenate(axis: 0), [token, sum])
    // What nothing else reads, and what is an output itself.
    let doubled = try builder.add(Add(), [table, table])
    let model = try builder.model(outputs: [all, doubled, token])
    for batch in [1, 5] {
      let inputs = randomInputs(of: model, batch: batch)
      try expectAgreement(model, inputs, threads: [1, 2])
      let results = try FastEngine(model).run(inputs)
      #expect(results[token]?.shape == [batch, 1, 3])
      #expect(results[doubled]?.shape == [batch, 4, 3])
    }
  }

  @Test func `a table keeps in half precision what that has no place for`() throws {
    let input = ModelInput(name: "x", shape: Shape([1, 2]))
    let values = StoredTensor(
      source: ArraySource([-.greatestFiniteMagnitude, 0.1]), layout: nil, shape: [1, 2], path: "")
    let model = try Model(
      name: "masked", inputs: [input],
      layers: [
        LayerDefinition(
          name: "mask", operation: Constant(shape: [1, 2]), inputs: [], parameters: [.value: values]
        ),
        LayerDefinition(name: "y", operation: Maximum(), inputs: ["x", "mask"]),
      ], outputs: ["mask", "y"])
    for kind in EngineKind.allCases {
      let results = try kind.engine(for: model, precision: .float16).run([
        "x": NDArray(shape: [1, 1, 2], values: [-3, -3])
      ])
      #expect(results["mask"]?.values == [-.greatestFiniteMagnitude, 0.1])
      #expect(results["y"]?.values == [-3, 0.099975586])
    }
  }

  @Test func `concatenations along every axis`() throws {
    let base = [2, 3, 4]
    for axis in -3...2 {
      let shapes = [1, 5, 2].map { size in
        base.indices.map { $0 == (axis + 3) % 3 ? size : base[$0] }
      }
      for model in [
        try model(Concatenate(axis: axis), shapes[0], shapes[1]),
        try model(Concatenate(axis: axis), shapes[0], shapes[1], shapes[2]),
      ] {
        try expectAgreement(model, randomInputs(of: model, batch: 3), "axis \(axis)")
      }
    }
  }

  @Test func `zero padding of every side`() throws {
    for (top, bottom) in [(0, 0), (1, 0), (0, 2), (3, 1)] {
      for (left, right) in [(0, 0), (2, 0), (0, 1), (1, 3)] {
        let padding = ZeroPadding2D(top: top, bottom: bottom, left: left, right: right)
        let model = try model(padding, [2, 3, 4])
        try expectAgreement(model, randomInputs(of: model, batch: 3), "\(padding)")
      }
    }
  }

  @Test func `views of the input are results too`() throws {
    for operation in [Flatten(), Identity(), Reshape(shape: [4, -1])] as [any Operator] {
      let model = try model(operation, [2, 3, 4])
      try expectAgreement(model, randomInputs(of: model, batch: 3))
    }
  }
}
