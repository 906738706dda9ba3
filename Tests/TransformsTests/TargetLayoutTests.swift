import ModelIR
import Operators
import TestSupport
import Testing
import Transforms

/// The layouts that each consumer documents.
@Suite struct TargetLayoutTests {
  private struct Expected: CustomStringConvertible {
    let target: String
    let convolution: String
    let depthwise: String
    let transposed: String
    let rotated: Bool
    let connected: String
    let flattened: String
    var description: String { target }

    init(
      _ target: String, _ convolution: String, _ depthwise: String, _ transposed: String,
      rotated: Bool = false, _ connected: String, _ flattened: String
    ) {
      self.target = target
      self.convolution = convolution
      self.depthwise = depthwise
      self.transposed = transposed
      self.rotated = rotated
      self.connected = connected
      self.flattened = flattened
    }
  }

  /// As the consumers' own documents have it; the interop check reads every row back with the consumer's library.
  private static let table: [Expected] = [
    Expected("mps", "OHWI", "IMHW", "OHWI", rotated: true, "OHWI", "OHWI"),
    Expected("mpsgraph", "HWIO", "HWIM", "HWOI", "IO", "(HWI)O"),
    Expected("mlx", "OHWI", "(IM)HW1", "OHWI", "OI", "O(HWI)"),
    Expected("torch", "OIHW", "(IM)1HW", "IOHW", "OI", "O(IHW)"),
    Expected("tensorflow", "HWIO", "HWIM", "HWOI", "IO", "(HWI)O"),
    Expected("onnx", "OIHW", "(IM)1HW", "IOHW", "OI", "O(IHW)"),
    Expected("tflite", "OHWI", "1HW(IM)", "OHWI", "OI", "O(HWI)"),
    Expected("bnns", "OIHW", "(IM)1HW", "IOHW", rotated: true, "OI", "O(IHW)"),
    Expected("coreml", "OIHW", "(IM)1HW", "IOHW", "OI", "O(IHW)"),
    Expected("ncnn", "OIHW", "(IM)HW", "OIHW", "OI", "O(IHW)"),
    Expected("rtneural", "HWIO", "HWIM", "HWOI", "IO", "(HWI)O"),
    Expected("tfjs", "HWIO", "HWIM", "HWOI", "IO", "(HWI)O"),
    // The model's own, which are those of the operators' definitions.
    Expected("source", "HWIO", "HWIM", "HWOI", "IO", "(HWI)O"),
  ]

  /// A layer whose kernel holds 0, 1, 2, … in the order of the operator's definition.
  private func model(_ operations: [any Operator], input: [Int]) throws -> Model {
    var (name, shape) = ("x", Shape(input))
    var layers: [LayerDefinition] = []
    for (index, operation) in operations.enumerated() {
      var parameters: [ParameterRole: StoredTensor] = [:]
      for spec in try operation.parameters(for: [shape]) {
        parameters[spec.role] = StoredTensor(
          source: ArraySource((0..<(try spec.count())).map { Float($0) }), layout: nil,
          shape: nil, path: "")
      }
      layers.append(
        LayerDefinition(
          name: "l\(index)", operation: operation, inputs: [name], parameters: parameters))
      (name, shape) = ("l\(index)", try operation.outputShape(for: [shape]))
    }
    return try Model(
      name: "m", inputs: [ModelInput(name: "x", shape: Shape(input))], layers: layers,
      outputs: [name])
  }

  private func kernel(
    _ operations: any Operator..., input: [Int] = [4, 5, 3], for target: Target
  ) throws -> Tensor {
    try #require(
      try model(operations, input: input).arranged(for: target).tensors.first)
  }

  @Test func `the table has every target`() {
    #expect(Self.table.map(\.target) == Target.all.map(\.name))
  }

  @Test func `kernels get the layout of their target`() throws {
    for row in Self.table {
      let target = try Target.named(row.target)
      let convolution = try kernel(
        Convolution2D(outputChannels: 6, kernelSize: Size2D(2, 3)), for: target)
      #expect(convolution.layout.description == row.convolution, "\(row)")
      let connected = try kernel(Dense(units: 7), input: [9], for: target)
      #expect(connected.layout.description == row.connected, "\(row)")
      let flattened = try kernel(Flatten(), Dense(units: 7), for: target)
      #expect(flattened.layout.description == row.flattened, "\(row)")
      let depthwise = try kernel(DepthwiseConvolution2D(kernelSize: Size2D(2, 3)), for: target)
      #expect(depthwise.layout.description == row.depthwise, "\(row)")
      let transposed = try kernel(
        TransposedConvolution2D(outputChannels: 6, kernelSize: Size2D(2, 3)), for: target)
      #expect(transposed.layout.description == row.transposed, "\(row)")
      #expect(transposed.reversed == (row.rotated ? [.height, .width] : []), "\(row)")
    }
  }

  /// Targets that have kernels for sequences; the others keep the source's, with a warning.
  private static let ofSequences:
    [(String, convolution: String, depthwise: String, transposed: String)] = [
      ("mpsgraph", "1WIO", "1WIM", "1WOI"), ("mlx", "OWI", "(IM)W1", "OWI"),
      ("torch", "OIW", "(IM)1W", "IOW"), ("tensorflow", "WIO", "WIM", "WOI"),
      ("onnx", "OIW", "(IM)1W", "IOW"), ("tflite", "O1WI", "11W(IM)", "O1WI"),
      ("coreml", "OIW", "(IM)1W", "IOW"), ("ncnn", "OIW", "(IM)W", "OIW"),
      ("rtneural", "WIO", "WIM", "WOI"),
      ("tfjs", "WIO", "WIM", "WOI"),
    ]

  @Test func `kernels over sequences have no height, or are those of images of one row`() throws {
    for (name, convolution, depthwise, transposed) in Self.ofSequences {
      let target = try Target.named(name)
      let kernels: [(any Operator, String)] = [
        (Convolution1D(outputChannels: 6, kernelSize: Size1D(3)), convolution),
        (DepthwiseConvolution1D(kernelSize: Size1D(3), depthMultiplier: 2), depthwise),
        (TransposedConvolution1D(outputChannels: 6, kernelSize: Size1D(3)), transposed),
      ]
      for (operation, layout) in kernels {
        let kernel = try kernel(operation, input: [7, 4], for: target)
        #expect(kernel.layout.description == layout, "\(name): \(operation)")
      }
    }
    for target in ["mps", "bnns"] {
      let convolution = Convolution1D(outputChannels: 6, kernelSize: Size1D(3))
      let model = try model([convolution], input: [7, 4])
      let wanted = try Target.named(target)
      #expect(try model.arranged(for: wanted).tensors[0].layout.description == "WIO")
      #expect(model.tensorsWithoutLayout(for: wanted).map(\.spec.role) == [.kernel])
    }
  }

  @Test func `a convolution over sequences moves the same values as one over an image of a row`()
    throws
  {
    let line = Convolution1D(outputChannels: 5, kernelSize: Size1D(3))
    let plane = Convolution2D(outputChannels: 5, kernelSize: Size2D(1, 3))
    for (name, _, _, _) in Self.ofSequences {
      let target = try Target.named(name)
      #expect(
        try kernel(line, input: [7, 4], for: target).values()
          == kernel(plane, input: [1, 7, 4], for: target).values(), "\(name)")
    }
  }

  /// The layouts of kernels and biases of an LSTM, a GRU, a GRU with its reset before the kernel, and a simple layer.
  private static let ofRecurrentLayers: [(String, kernels: [String?], biases: [String?])] = [
    (
      "torch", ["(G[ifco]N)I", "(G[rzh]N)I", nil, "NI"], ["(G[ifco]N)", "(G[rzh]N)", nil, "N"]
    ),
    ("mlx", ["(G[ifco]N)I", nil, nil, "NI"], ["(G[ifco]N)", nil, nil, "N"]),
    (
      "tensorflow", ["I(G[ifco]N)", "I(G[zrh]N)", "I(G[zrh]N)", "IN"],
      ["(G[ifco]N)", "(G[zrh]N)", "(G[zrh]N)", "N"]
    ),
    (
      "onnx", ["1(G[iofc]N)I", "1(G[zrh]N)I", "1(G[zrh]N)I", "1NI"],
      ["1(G[iofc]N)", "1(G[zrh]N)", "1(G[zrh]N)", "1N"]
    ),
    ("tflite", ["G[ifco]NI", nil, nil, "NI"], ["G[ifco]N", nil, nil, "N"]),
    ("coreml", ["(G[ifoc]N)I", nil, nil, "NI"], ["(G[ifoc]N)", nil, nil, "N"]),
    ("ncnn", ["(G[ifoc]N)I", nil, nil, "NI"], ["(G[ifoc]N)", nil, nil, "N"]),
    ("mps", [nil, nil, nil, nil], [nil, nil, nil, nil]),
  ]

  @Test func `kernels and biases of recurrent layers have the gates in the order of their target`()
    throws
  {
    let layers: [any Operator] = [
      LSTM(units: 2), GRU(units: 2, resetsAfter: true), GRU(units: 2, resetsAfter: false),
      SimpleRNN(units: 2),
    ]
    for (name, kernels, biases) in Self.ofRecurrentLayers {
      let target = try Target.named(name)
      for (layer, layouts) in zip(layers, zip(kernels, biases)) {
        let model = try model([layer], input: [5, 3])
        for tensor in model.tensors {
          let wanted = tensor.spec.kind == .recurrent ? layouts.0 : layouts.1
          #expect(target.layout(for: tensor)?.description == wanted, "\(name): \(layer)")
        }
        #expect(model.tensorsWithoutLayout(for: target).isEmpty == (layouts.0 != nil))
      }
    }
  }

  @Test func `gates change places in kernels and biases alike`() throws {
    // Of one unit: the columns of I(GN) are the gates, i f c o and z r h.
    func values(_ layer: any Operator, _ target: String) throws -> [[Float]] {
      try model([layer], input: [5, 2]).arranged(for: Target.named(target)).tensors.map {
        tensor throws(NetconvError) in try tensor.values()
      }
    }
    #expect(
      try values(LSTM(units: 1), "torch")
        == [[0, 4, 1, 5, 2, 6, 3, 7], [0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]])
    #expect(
      try values(LSTM(units: 1), "onnx")
        == [[0, 4, 3, 7, 1, 5, 2, 6], [0, 3, 1, 2], [0, 3, 1, 2], [0, 3, 1, 2]])
    #expect(
      try values(LSTM(units: 1), "ncnn")
        == [[0, 4, 1, 5, 3, 7, 2, 6], [0, 1, 3, 2], [0, 1, 3, 2], [0, 1, 3, 2]])
    #expect(
      try values(GRU(units: 1, resetsAfter: true), "torch")
        == [[1, 4, 0, 3, 2, 5], [1, 0, 2], [1, 0, 2], [1, 0, 2]])
    #expect(
      try values(GRU(units: 1, resetsAfter: false), "torch")
        == [[0, 1, 2, 3, 4, 5], [0, 1, 2], [0, 1, 2], [0, 1, 2]])
  }

  @Test func `where the target has two biases, a layer with one gets zeros for the second`() throws
  {
    func stored(_ count: Int) -> StoredTensor {
      StoredTensor(
        source: ArraySource((0..<count).map { Float($0 + 1) }), layout: nil, shape: nil, path: "")
    }
    func network(_ parameters: [ParameterRole: StoredTensor]) throws -> Network {
      .model(
        try Model(
          name: "m", inputs: [ModelInput(name: "x", shape: Shape([5, 2]))],
          layers: ["a", "b"].map {
            LayerDefinition(
              name: $0, operation: SimpleRNN(units: 3), inputs: ["x"], parameters: parameters,
              parameterOwner: $0 == "a" ? nil : "a")
          }, outputs: ["a", "b"]))
    }
    let kernels = [ParameterRole.kernel: stored(6), .recurrent: stored(9)]
    let one = try network(kernels.merging([.bias: stored(3)]) { $1 })
    for (target, count) in [("torch", 4), ("onnx", 4), ("mlx", 3), ("tensorflow", 3)] {
      let completed = try one.completed(for: Target.named(target))
      #expect(completed.tensors.count == count, "\(target)")
      guard count == 4 else { continue }
      #expect(completed.tensors[3].spec.role == .recurrentBias)
      #expect(try completed.tensors[3].values() == [0, 0, 0])
      #expect(try completed.tensors[2].values() == [1, 2, 3])
      guard case .model(let model) = completed else { continue }
      #expect(model.layers[1].parameters.map(\.layer) == ["a", "a", "a", "a"])
    }
    #expect(try network(kernels).completed(for: Target.named("torch")).tensors.count == 2)
    // There and back: what was added for one is left out for the other. Numbers are added up.
    let two = try one.completed(for: Target.named("torch"))
    #expect(try two.completed(for: Target.named("onnx")).tensors.count == 4)
    #expect(try two.completed(for: Target.named("mlx")).tensors.count == 3)
    let both = try network(kernels.merging([.bias: stored(3), .recurrentBias: stored(3)]) { $1 })
    let sums = try both.completed(for: Target.named("mlx"))
    #expect(sums.tensors.count == 3)
    #expect(try sums.tensors[2].values() == [2, 4, 6])
    #expect(sums.layersWithSummedBiases == ["a", "b"])
    #expect(try two.completed(for: Target.named("mlx")).layersWithSummedBiases == [])
  }

  @Test func `a GRU keeps a second bias of zeros, which is not added to the first`() throws {
    let model = try model([GRU(units: 1, resetsAfter: true)], input: [5, 2])
    let zeros = try model.mapTensors { tensor throws(NetconvError) in
      tensor.reading(ArraySource(Array(repeating: 0, count: tensor.count)))
    }
    let completed = try Network.model(zeros).completed(for: Target.named("tensorflow"))
    #expect(completed.tensors.count == 4)
  }

  @Test func `who rotates shows in the first value: the last tap of the kernel, or the first`()
    throws
  {
    // The kernel is HWOI of 2x3, 6 and 3 channels; its last tap begins at value 5 * 18.
    for row in Self.table {
      let kernel = try kernel(
        TransposedConvolution2D(outputChannels: 6, kernelSize: Size2D(2, 3)),
        for: Target.named(row.target))
      #expect(try kernel.values().first == (row.rotated ? 90 : 0), "\(row)")
    }
  }

  @Test func `several outputs for each channel stay in the order of the channels`() throws {
    // HWIM of 1x1, 2 channels and 3 outputs for each: the values are in the order I, M already.
    let operation = DepthwiseConvolution2D(kernelSize: .one, depthMultiplier: 3)
    for target in ["torch", "mlx", "tflite", "ncnn"] {
      let kernel = try kernel(operation, input: [4, 5, 2], for: Target.named(target))
      #expect(try kernel.values() == [0, 1, 2, 3, 4, 5])
      #expect(kernel.shape.contains(6))
    }
  }

  @Test func `vectors behind a flatten come in the order in which the target flattens`() throws {
    let vectors = try model([Flatten(), BatchNormalization()], input: [2, 1, 3])
    for (target, layout, values) in [
      ("mps", "(HWC)", [0, 1, 2, 3, 4, 5]), ("mlx", "(HWC)", [0, 1, 2, 3, 4, 5]),
      ("torch", "(CHW)", [0, 3, 1, 4, 2, 5]), ("ncnn", "(CHW)", [0, 3, 1, 4, 2, 5]),
    ] as [(String, String, [Float])] {
      let gamma = try #require(try vectors.arranged(for: Target.named(target)).tensors.first)
      #expect(gamma.layout.description == layout)
      #expect(try gamma.values() == values)
    }
  }

  /// The same layers, after a flatten of an image and without one.
  private func sharing(_ operation: any Operator) throws -> Model {
    var parameters: [ParameterRole: StoredTensor] = [:]
    for spec in try operation.parameters(for: [Shape([6])]) {
      parameters[spec.role] = StoredTensor(
        source: ArraySource((0..<(try spec.count())).map { Float($0) }), layout: nil,
        shape: nil, path: "")
    }
    return try Model(
      name: "m",
      inputs: [
        ModelInput(name: "image", shape: Shape([2, 1, 3])),
        ModelInput(name: "vector", shape: Shape([6])),
      ],
      layers: [
        LayerDefinition(name: "flatten", operation: Flatten(), inputs: ["image"]),
        LayerDefinition(
          name: "behind", operation: operation, inputs: ["flatten"], parameters: parameters),
        LayerDefinition(
          name: "without", operation: operation, inputs: ["vector"], parameters: parameters,
          parameterOwner: "behind"),
      ], outputs: ["behind", "without"])
  }

  @Test(
    arguments: [
      (Dense(units: 4), ["kernel"]),
      (BatchNormalization(), ["gamma", "beta", "mean", "variance"]),
    ] as [(any Operator, [String])])
  func `where a flatten is shared with none, only channels-last targets have a layout`(
    operation: any Operator, kept: [String]
  ) throws {
    let model = try sharing(operation)
    let channelsFirst = ["torch", "onnx", "bnns", "coreml", "ncnn"]
    for target in Target.all {
      let arranged = try model.arranged(for: target)
      let isKept = channelsFirst.contains(target.name)
      #expect(
        model.tensorsWithoutLayout(for: target).map(\.spec.role.rawValue) == (isKept ? kept : []))
      if isKept {
        #expect(arranged.tensors.map(\.layout) == model.tensors.map(\.storedLayout))
      }
    }
  }

  @Test
  func `slopes for whole channels are a vector in PyTorch and MLX, whole images follow the image`()
    throws
  {
    let shared = try model([PReLU(sharedAxes: [0, 1])], input: [2, 1, 3])
    let whole = try model([PReLU()], input: [2, 1, 3])
    func shape(_ model: Model, _ target: String) throws -> [Int] {
      try #require(try model.arranged(for: Target.named(target)).tensors.first).shape
    }
    #expect(try shape(shared, "torch") == [3] && shape(shared, "mlx") == [3])
    #expect(try shape(shared, "onnx") == [3, 1, 1] && shape(shared, "tensorflow") == [1, 1, 3])
    #expect(try shape(whole, "torch") == [3, 2, 1] && shape(whole, "mlx") == [2, 1, 3])
  }

  @Test func `each target states its types, names and formats`() throws {
    for target in Target.all {
      #expect(target.elementTypes.first == .float32)
      #expect(target.names.template.contains("{layer}"))
      #expect(!target.formats.isEmpty)
    }
    func formats(_ name: String) throws -> [String] {
      try Target.named(name).formats.map(\.rawValue)
    }
    for name in ["mlx", "torch"] { #expect(try formats(name) == ["safetensors"]) }
    #expect(try formats("rtneural") == ["archive", "rtneural"])
    #expect(try formats("tfjs") == ["archive", "tfjs"])
    #expect(try formats("tensorflow") == ["npz"])
    #expect(try formats("onnx") == ["npz", "onnx"])
    #expect(try formats("tflite") == ["bin", "archive", "tflite"])
    #expect(try formats("coreml") == ["bin", "archive", "coreml"])
    for name in ["mps", "mpsgraph", "bnns", "ncnn", "source"] {
      #expect(try formats(name) == ["bin", "archive"])
    }
  }
}
