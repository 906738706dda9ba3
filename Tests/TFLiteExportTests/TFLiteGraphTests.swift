import FlatBuffers
import ModelIR
import Operators
import TFLiteExport
import TestSupport
import Testing

/// Graphs of small models, operator by operator.
@Suite struct TFLiteGraphTests {
  /// The graph of one layer with the input `x`.
  private func graph(
    _ operation: any Operator, _ shape: [Int?], parameters: [ParameterRole: [Float]] = [:],
    layouts: [ParameterRole: Layout] = [:], type: ElementType = .float32
  ) throws -> TFLiteGraph {
    let model = try Model(
      name: "small", inputs: [ModelInput(name: "x", shape: Shape(shape))],
      layers: [
        LayerDefinition(
          name: "y", operation: operation, inputs: ["x"],
          parameters: parameters.mapValues {
            StoredTensor(source: ArraySource($0), layout: nil, shape: nil, path: "values")
          })
      ], outputs: ["y"])
    let arranged = try model.mapTensors { tensor throws(NetconvError) in
      guard let layout = layouts[tensor.spec.role] else { return tensor }
      return try tensor.rearranged(to: layout)
    }
    let stored = Dictionary(
      arranged.tensors.map { ($0.key, (name: "y_\($0.spec.role)", type: type)) }
    ) { first, _ in first }
    return try TFLiteGraph(arranged, stored: stored)
  }

  private func ramp(_ count: Int) -> [Float] { (0..<count).map { Float($0) } }

  private func sizes(_ graph: TFLiteGraph, _ name: String) -> [TFLiteSize]? {
    graph.tensors.first { $0.name == name }?.sizes
  }

  private func numbers(_ graph: TFLiteGraph, _ name: String?) -> [Float]? {
    guard case .floats(let numbers) = graph.tensors.first(where: { $0.name == name })?.values else {
      return nil
    }
    return numbers
  }

  @Test func `names, sizes and a dynamic batch are those of the model`() throws {
    let graph = try graph(MaxPooling2D(poolSize: Size2D(2, 3)), [5, 7, 4])
    #expect(graph.nodes.map(\.type) == [.maxPool2D])
    #expect((graph.inputs, graph.outputs) == (["x"], ["y"]))
    #expect(sizes(graph, "x") == [.open(1), .fixed(5), .fixed(7), .fixed(4)])
    #expect(sizes(graph, "y") == [.open(1), .fixed(2), .fixed(2), .fixed(4)])
    // VALID; strides and sizes with the width first.
    #expect(
      graph.nodes[0].options == [0: .byte(1), 1: .int(3), 2: .int(2), 3: .int(3), 4: .int(2)])
  }

  // An average leaves out what is padded: of 3 places in steps of 2 over 4 pixels with one zero in front, the first window
  // has 2 pixels, and the sum of 3 divided by 3 is too small by 2/3.
  @Test func `an average over padding of its own is divided by the pixels that there are`() throws {
    let graph = try graph(
      AveragePooling1D(
        poolSize: Size1D(3), strides: Size1D(2), padding: .amounts([[1, 0]])), [4, 1])
    #expect(graph.nodes.map(\.type) == [.expandDims, .pad, .averagePool2D, .mul, .squeeze])
    #expect(numbers(graph, graph.nodes[3].inputs[1]) == [1.5, 1])
  }

  @Test func `same padding is TensorFlow's; that of other frameworks is added in front`() throws {
    let pool = { (padding: Padding) in
      MaxPooling2D(poolSize: Size2D(2, 2), strides: Size2D(2, 2), padding: padding)
    }
    #expect(try graph(pool(.same), [5, 5, 1]).nodes.map(\.type) == [.maxPool2D])
    let lower = try graph(pool(.sameLower), [5, 5, 1])
    #expect(lower.nodes.map(\.type) == [.padV2, .maxPool2D])
    // Below every number that an image may have.
    #expect(numbers(lower, lower.nodes[0].inputs[2]) == [-Float.greatestFiniteMagnitude])
  }

  @Test func `a normalisation is a factor and a summand for each channel`() throws {
    let graph = try graph(
      BatchNormalization(epsilon: 0), [2, 2, 2],
      parameters: [.gamma: [6, 1], .beta: [1, 0], .mean: [2, 0], .variance: [9, 4]])
    #expect(graph.nodes.map(\.type) == [.mul, .add])
    #expect(numbers(graph, graph.nodes[0].inputs[1]) == [2, 0.5])
    #expect(numbers(graph, graph.nodes[1].inputs[1]) == [-3, 0])
  }

  @Test func `an activation is fused into the convolution in front of it`() throws {
    let kernels: [ParameterRole: [Float]] = [.kernel: ramp(12), .bias: [1, 2, 3]]
    let clipped = try graph(
      Convolution2D(outputChannels: 3, kernelSize: Size2D(2, 2), activation: .relu6), [4, 4, 1],
      parameters: kernels, layouts: [.kernel: .ohwi])
    #expect(clipped.nodes.map(\.type) == [.conv2D])
    #expect(clipped.nodes[0].options[3] == .byte(3))
    #expect(clipped.nodes[0].outputs == ["y"])
    let bounded = try graph(
      Convolution2D(outputChannels: 3, kernelSize: Size2D(2, 2), activation: .tanh), [4, 4, 1],
      parameters: kernels, layouts: [.kernel: .ohwi])
    // Kernels ignore a fused TANH.
    #expect(bounded.nodes.map(\.type) == [.conv2D, .tanh])
    #expect(bounded.nodes[0].outputs == ["y;CONV_2D"])
    #expect(bounded.nodes[0].options[3] == nil)
  }

  @Test func `a value that something else reads keeps its own operator`() throws {
    let model = try Model(
      name: "two", inputs: [ModelInput(name: "x", shape: Shape([3]))],
      layers: [
        LayerDefinition(name: "sum", operation: Add(), inputs: ["x", "x"]),
        LayerDefinition(name: "cut", operation: Activation(.relu), inputs: ["sum"]),
        LayerDefinition(name: "all", operation: Multiply(), inputs: ["sum", "cut"]),
      ], outputs: ["all"])
    let graph = try TFLiteGraph(model, stored: [:])
    #expect(graph.nodes.map(\.type) == [.add, .relu, .mul])
    #expect(graph.nodes.map { $0.options[0] } == [nil, nil, nil])
  }

  @Test func `a kernel in another layout is transposed, once`() throws {
    let graph = try graph(
      Dense(units: 2), [3], parameters: [.kernel: ramp(6), .bias: [0.5, -1]])
    #expect(graph.nodes.map(\.type) == [.transpose, .fullyConnected])
    #expect(sizes(graph, graph.nodes[1].inputs[1]) == [.fixed(2), .fixed(3)])
  }

  @Test func `half precision is dequantised by the graph`() throws {
    let graph = try graph(
      Dense(units: 2), [3], parameters: [.kernel: ramp(6)], layouts: [.kernel: .oi],
      type: .float16)
    #expect(graph.nodes.map(\.type) == [.dequantize, .fullyConnected])
    #expect(graph.tensors.first { $0.name == graph.nodes[0].inputs[0] }?.type == .float16)
  }

  @Test func `nearest neighbours are the kernel's with half pixels`() throws {
    let graph = try graph(UpSampling2D(size: Size2D(2, 3)), [2, 2, 1])
    #expect(graph.nodes.map(\.type) == [.resizeNearestNeighbor])
    #expect(graph.nodes[0].options == [0: .flag(false), 1: .flag(true)])
  }

  @Test func `a transposed convolution has the batch of its input, not that of the model`() throws {
    let graph = try graph(
      TimeDistributed(TransposedConvolution2D(outputChannels: 2, kernelSize: Size2D(2, 2))),
      [5, 3, 3, 1], parameters: [.kernel: ramp(8)], layouts: [.kernel: .ohwi])
    #expect(
      graph.nodes.map(\.type)
        == [.reshape, .shape, .stridedSlice, .concatenation, .transposeConv, .reshape])
    #expect(graph.nodes[1].inputs == graph.nodes[0].outputs)
    #expect(sizes(graph, graph.nodes[4].outputs[0])?[0] == .open(5))
  }

  @Test func `steps are spelled out, from zeros that are left out`() throws {
    let graph = try graph(
      SimpleRNN(units: 2), [3, 4], parameters: [.kernel: ramp(8), .recurrent: ramp(4)])
    #expect(graph.nodes.count { $0.type == .tanh } == 3)
    #expect(graph.nodes.count { $0.type == .fullyConnected } == 3)
    #expect(graph.nodes.last?.outputs == ["y"])
  }

  @Test(
    "what has no form is refused by name",
    arguments: [
      (
        "the function errorFunction is not written as TensorFlow Lite; write the weights alone, into a file that ends in "
          + ".npz", Elementwise(.errorFunction) as any Operator, [3] as [Int?]
      ),
      ("depends on a size that is open; fix the size of the model's input", Flatten(), [nil, 3]),
      (
        "takes the last of equal values, but ARG_MAX and ARG_MIN of TensorFlow Lite take the first",
        ArgReduce(.maximum, axis: 0, takesLast: true), [3]
      ),
      (
        "GREATER would have 6 axes with the batch, but its kernel has at most 4",
        Activation(.hardShrink(threshold: 1)), [2, 2, 2, 2, 2]
      ),
    ])
  func refused(message: String, operation: any Operator, shape: [Int?]) throws {
    let error = try #require(thrown { try graph(operation, shape) })
    #expect(error.layer == "y")
    #expect(error.message == "\(message)")
  }

  // MARK: - Files

  private func dense() throws -> TFLiteGraph {
    try graph(
      Dense(units: 2), [3], parameters: [.kernel: ramp(6), .bias: [0.5, -1]],
      layouts: [.kernel: .oi])
  }

  @Test func `values lie between bytes that are known, each aligned`() throws {
    let file = TFLiteFile(try dense())
    #expect(!file.hasDataBehind)
    #expect(file.places.map(\.count) == [24, 8])
    #expect(file.places.allSatisfy { $0.offset.isMultiple(of: 16) })
    let known = file.bytes.reduce(0) { $0 + $1.bytes.count }
    #expect(known + 32 == file.count)
    #expect(TFLiteFile.recognizes(Array(file.bytes[0].bytes.prefix(TFLiteFile.prefixCount))))
    #expect(!TFLiteFile.recognizes([UInt8](repeating: 0, count: TFLiteFile.prefixCount)))
  }

  @Test func `values that are too many follow the buffer, which has their offsets`() throws {
    let file = TFLiteFile(try dense(), limit: 100)
    #expect(file.hasDataBehind)
    #expect(file.places.map(\.count) == [24, 8])
    #expect(file.places[0].offset >= file.bytes[0].bytes.count)
    #expect(file.places.allSatisfy { $0.offset.isMultiple(of: 16) })
    #expect(file.places.last.map { $0.offset + $0.count } == file.count)
  }
}
