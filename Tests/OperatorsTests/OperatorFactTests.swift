import ModelIR
import Operators
import Testing

/// The facts of operators, compared with their effect on values that are changed one by one or permuted.
@Suite struct OperatorFactTests {
  /// The indices of the output that change with one value of an input.
  private func changes(
    _ stored: StoredCase, input: Int, place: Int
  ) throws -> Set<Int> {
    let base = try stored.operation.evaluate(stored.inputs, stored.parameters)
    var changed = Set<Int>()
    // A value that is not the largest of its window matters only if it becomes so.
    for change in [1000.0, -1000, 0.01] {
      var inputs = stored.inputs
      inputs[input].values[place] += change
      let output = try stored.operation.evaluate(inputs, stored.parameters)
      changed.formUnion(base.values.indices.filter { output.values[$0] != base.values[$0] })
    }
    return changed
  }

  /// For each value of the output, the number of input values that it depends on.
  private func dependences(_ stored: StoredCase) throws -> [Int] {
    var counts = [Int](repeating: 0, count: stored.output.count)
    for input in stored.inputs.indices {
      for place in stored.inputs[input].values.indices {
        for index in try changes(stored, input: input, place: place) { counts[index] += 1 }
      }
    }
    return counts
  }

  /// Operators whose fan-in is only a bound: it counts all taps with a stride, values with a weight of 0, the products
  /// of a state that depends on the same inputs, or masked steps.
  private static let bounds: Set = [
    "TransposedConvolution1D", "TransposedConvolution2D", "Resizing", "SimpleRNN", "LSTM", "GRU",
    "MaskedAverage", "ConvolutionalLSTM1D", "ConvolutionalLSTM2D",
  ]

  @Test func `no output depends on more values than the fan-in, and some on as many`() throws {
    var reached: [String: Bool] = [:]
    for stored in StoredCase.all where stored.inputs.reduce(0, { $0 + $1.count }) <= 200 {
      let name = type(of: stored.operation).name
      // Sums of sums have as many terms as both, not as many as their product.
      guard !(stored.operation is any CompositeOperator), !(stored.operation is Attention) else {
        continue
      }
      // A number that no vector has is no change.
      guard !(stored.operation is any IndexingOperator) else { continue }
      // A product of two inputs is one term.
      let valuesPerTerm = stored.operation is Dot ? 2 : 1
      let fanIn = valuesPerTerm * stored.operation.fanIn(of: stored.inputs.map(\.shape))
      let most = try dependences(stored).max() ?? 0
      #expect(most <= fanIn, "\(stored.operation) of \(stored.inputs.map(\.shape))")
      if most == fanIn { reached[name] = true } else { reached[name, default: false] = false }
    }
    let missed = reached.filter { !$0.value && !Self.bounds.contains($0.key) }.keys.sorted()
    #expect(missed == [])
    #expect(reached.count > 30)
  }

  /// True if a change of a value changes the output at the same index and, unless values are `mixed`, nowhere else.
  private func staysInPlace(_ stored: StoredCase, mixed: Bool = false) throws -> Bool {
    guard stored.output.shape == stored.inputs[0].shape else { return false }
    // Where a factor is nothing, no value tells.
    var stored = stored
    stored.parameters = stored.parameters.mapValues { $0.map { $0 == 0 ? 1 : $0 } }
    return try stored.inputs[0].values.indices.allSatisfy { place in
      let changed = try changes(stored, input: 0, place: place)
      return mixed ? changed.contains(place) : changed == [place]
    }
  }

  /// Operators whose values stay where they are, each with a share in others along some axes.
  private func mixesValues(_ operation: any Operator) -> Bool {
    operation is UnitNormalization || operation is Masking
      || operation is any VarianceOperator && !(operation is BatchNormalization)
      || (operation as? Activation)?.function.axis != nil
  }

  @Test func `values stay in their places where an operator says so, and nowhere else`() throws {
    var moving: [String: Bool] = [:]
    var staying: Set<String> = []
    for stored in StoredCase.all where stored.inputs.count == 1 && stored.inputs[0].count <= 200 {
      // A number that no vector has is no change, nor is one for another that is not the mask's.
      guard !(stored.operation is any IndexingOperator), !(stored.operation is StepMask) else {
        continue
      }
      let name = type(of: stored.operation).name
      let comment = Comment(rawValue: "\(stored.operation) of \(stored.inputs[0].shape)")
      if stored.operation.axisFlow(from: [Shape(stored.inputs[0].shape)]) == .elementwise {
        #expect(try staysInPlace(stored, mixed: mixesValues(stored.operation)), comment)
        staying.insert(name)
      } else {
        // A window of one place moves nothing; an operator that never does has forgotten to say it.
        moving[name] = try !staysInPlace(stored) || moving[name] ?? false
      }
    }
    #expect(moving.filter { !$0.value }.keys.sorted() == [])
    #expect(
      staying.isSuperset(of: [
        "Activation", "BatchNormalization", "GroupNormalization", "LayerNormalization", "PReLU",
        "Rescaling", "UnitNormalization",
      ]))
    #expect(moving.count > 20)
  }

  @Test func `values of several inputs stay in their places where an operator says so`() throws {
    var staying: Set<String> = []
    for stored in StoredCase.all where stored.inputs.count > 1 && stored.output.count <= 200 {
      let shapes = stored.inputs.map { Shape($0.shape) }
      guard stored.operation.axisFlow(from: shapes) == .elementwise else { continue }
      staying.insert(type(of: stored.operation).name)
      for (input, array) in stored.inputs.enumerated() where array.count > 1 {
        #expect(array.shape == stored.output.shape, "\(stored.operation)")
        for place in array.values.indices {
          // What is largest may stay it.
          let changed = try changes(stored, input: input, place: place)
          #expect(changed.isEmpty || changed == [place], "\(stored.operation)")
        }
      }
    }
    #expect(staying.isSuperset(of: ["Add", "Multiply", "Subtract", "Maximum", "Average"]))
  }

  /// Operators whose attributes determine whether they move values, with inputs of distinct values.
  private static let ofTwoKinds: [(operation: any Operator, shape: [Int], flow: AxisFlow)] = [
    (StepMask(isPerValue: true), [4, 2], .elementwise), (StepMask(), [4, 2], .other),
    (Permute(order: [0, 1]), [4, 2], .elementwise), (Permute(order: [1, 0]), [3, 3], .other),
    (TimeDistributed(Activation(.tanh)), [4, 2], .elementwise),
    (TimeDistributed(Reverse()), [4, 2, 3], .other),
    (TimeDistributed(Flatten()), [4, 2, 3], .flattenOfSteps),
    (Flatten(), [4], .elementwise), (Flatten(), [4, 2], .flatten),
    (Reshape(shape: [4]), [4], .elementwise), (Reshape(shape: [2, 2]), [4], .other),
    (Masking(value: 1), [4, 2], .elementwise), (Masking(value: 1), [4], .elementwise),
  ]

  @Test(arguments: ofTwoKinds.indices)
  func `attributes and shapes say whether values stay in their places`(index: Int) throws {
    let (operation, shape, flow) = Self.ofTwoKinds[index]
    #expect(operation.axisFlow(from: [Shape(shape)]) == flow)
    let input = NDArray<Double>(
      shape: shape, values: Array(repeating: 0, count: shape.reduce(1, *)))
    let stored = StoredCase(
      operation: operation, inputs: [input], output: try operation.evaluate([input], [:]))
    #expect(try staysInPlace(stored) == (flow == .elementwise))
  }

  /// Operators without parameters that keep the order of a vector.
  private static let ofStayingVectors: [any Operator] = [
    Activation(.relu), Identity(), Masking(value: 1), Permute(order: [0]), Reshape(shape: [-1]),
    Rescaling(scale: [2]), StepMask(isPerValue: true), UnitNormalization(),
  ]

  @Test(arguments: ofStayingVectors.indices)
  func `a kernel behind it still knows the axes that a flatten hides`(index: Int) throws {
    func layer(_ name: String, _ operation: any Operator, _ input: String) -> LayerDefinition {
      LayerDefinition(name: name, operation: operation, inputs: [input])
    }
    var dense = layer("dense", Dense(units: 5), "between")
    dense.parameters[.kernel] = StoredTensor(
      source: ArraySource(Array(repeating: 0, count: 24 * 5)), layout: nil, shape: nil, path: "k")
    let model = try Model(
      name: "m", inputs: [ModelInput(name: "x", shape: Shape([2, 3, 4]))],
      layers: [
        layer("flat", Flatten(), "x"), layer("between", Self.ofStayingVectors[index], "flat"),
        dense,
      ], outputs: ["dense"])
    #expect(
      model.layer(named: "dense")?.parameters.map(\.layout.description) == ["(HWI)O"])
  }

  @Test func `operators that need parameters have some that may not be left out`() throws {
    var names: Set<String> = []
    for stored in StoredCase.all {
      let shapes = stored.inputs.map { Shape($0.shape) }
      let needed = try stored.operation.parameters(for: shapes).filter { !$0.isOptional }
      if type(of: stored.operation).needsParameters {
        #expect(!needed.isEmpty, "\(stored.operation)")
      }
      // A parameter that is left out is none that TensorFlow had to have.
      #expect(
        Set(needed.map(\.role)).isSubset(of: stored.parameters.keys), "\(stored.operation)")
      #expect(
        try Set(stored.parameters.keys).isSubset(
          of: stored.operation.parameters(for: shapes).map(\.role)), "\(stored.operation)")
      names.insert(type(of: stored.operation).name)
    }
    #expect(names.count > 40)
  }

  @Test func `what does nothing gives its input, and what moves values keeps their range`() throws {
    for stored in StoredCase.all {
      let comment = Comment(rawValue: "\(stored.operation)")
      switch stored.operation.valueEffect {
      case .none: #expect(stored.output == stored.inputs[0], comment)
      case .moved:
        let values = stored.inputs.flatMap(\.values) + [0]
        guard let least = values.min(), let most = values.max() else { continue }
        // Lanczos interpolation overshoots, of the least numbers most; an image may be padded with another value.
        if let resizing = stored.operation as? Resizing, resizing.fill != 0 { continue }
        let room = 2 * (most - least)
        #expect(
          stored.output.values.allSatisfy { $0 >= least - room && $0 <= most + room }, comment)
      case .computed: break
      }
    }
  }

  @Test func `what treats all values alike gives the same after they have changed places`() throws {
    var tried: Set<String> = []
    for stored in StoredCase.all where stored.operation.orderDependence == .none {
      guard Set(stored.inputs.map(\.shape)).count == 1 else { continue }
      let order = Array(stored.inputs[0].values.indices.reversed())
      let inputs = stored.inputs.map { $0.reordered(order) }
      let output = try stored.operation.evaluate(inputs, stored.parameters)
      let expected = try stored.operation.evaluate(stored.inputs, stored.parameters)
      #expect(output == expected.reordered(order), "\(stored.operation)")
      tried.insert(type(of: stored.operation).name)
    }
    #expect(tried.isSuperset(of: ["Activation", "Add", "Divide", "Identity", "Rescaling"]))
  }

  /// Operators that accept a vector, with attributes of every kind that matters here.
  private static let ofVectors: [any Operator] = [
    Activation(.softmax(axis: -1)), Activation(.relu), BatchNormalization(), Dense(units: 3),
    Flatten(), LayerNormalization(), Normalization(), PReLU(), RMSNormalization(),
    Reshape(shape: [-1]), Scale(), UnitNormalization(),
  ]

  @Test(arguments: ofVectors.indices)
  func `a vector may change places together with the parameters`(index: Int) throws {
    let operation = Self.ofVectors[index]
    #expect(operation.orderDependence != .full)
    let order = [4, 1, 3, 0, 2]
    let x = NDArray<Double>(shape: [5], values: [0.5, -1, 2, 4, -3])
    var (parameters, moved) = (
      [ParameterRole: NDArray<Double>](), [ParameterRole: NDArray<Double>]()
    )
    for (number, spec) in try operation.parameters(for: [Shape([5])]).enumerated() {
      let shape = try spec.layout.shape(spec.sizes)
      let count = shape.reduce(1, *)
      let array = NDArray<Double>(
        shape: shape, values: (0..<count).map { Double($0 * 7 % 11 + number + 1) / 4 })
      parameters[spec.role] = array
      moved[spec.role] = spec.featureAxis == nil ? array : array.reorderedRows(order)
    }
    let output = try operation.evaluate([x], parameters)
    let other = try operation.evaluate([x.reordered(order)], moved)
    let isElementwise = operation.axisFlow(from: [Shape([5])]) == .elementwise
    let expected = isElementwise ? output.reordered(order) : output
    // Sums in another order.
    let distance = zip(other.values, expected.values).map { abs($0 - $1) }.max() ?? 1
    #expect(distance < 1e-12)
  }

  @Test func `an order matters to groups of channels, to numbers for channels, and to shapes`() {
    let operations: [any Operator] = [
      GroupNormalization(groups: 2), Rescaling(scale: [1, 2]), Reshape(shape: [2, -1]),
      Normalization(statistics: Normalization.Statistics(mean: [1, 2], variance: [1, 1])),
    ]
    for operation in operations { #expect(operation.orderDependence == .full, "\(operation)") }
  }

  @Test func `a window that is set is the operator's own`() {
    let window = Window2D(
      size: Size2D(2, 3), strides: Size2D(4, 5), dilation: Size2D(6, 7), padding: .same)
    var operations: [any WindowedOperator<Plane>] = [
      Convolution2D(outputChannels: 2, kernelSize: .one),
      DepthwiseConvolution2D(kernelSize: .one),
      SeparableConvolution2D(outputChannels: 2, kernelSize: .one),
    ]
    for index in operations.indices {
      operations[index].window = window
      #expect(operations[index].window == window)
    }
    var pooling: any WindowedOperator<Plane> = MaxPooling2D(poolSize: .one)
    pooling.window = Window2D(size: Size2D(2, 3), strides: Size2D(4, 5), padding: .same)
    #expect(
      pooling.isEqual(
        to: MaxPooling2D(poolSize: Size2D(2, 3), strides: Size2D(4, 5), padding: .same)))
  }
}

extension NDArray<Double> {
  /// The values at the indices `order`.
  fileprivate func reordered(_ order: [Int]) -> NDArray {
    NDArray(shape: shape, values: order.map { values[$0] })
  }

  /// The same along the first axis, which is that of the features.
  fileprivate func reorderedRows(_ order: [Int]) -> NDArray {
    let length = count / shape[0]
    return NDArray(
      shape: shape,
      values: order.flatMap { Array(values[$0 * length..<($0 + 1) * length]) })
  }
}
