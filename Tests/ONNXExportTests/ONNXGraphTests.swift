import Foundation
import ModelIR
import ONNXExport
import Operators
import TestSupport
import Testing

/// Graphs of small models, node by node.
@Suite struct ONNXGraphTests {
  /// The graph of one layer with the input `x`.
  private func graph(
    _ operation: any Operator, _ shape: [Int?], parameters: [ParameterRole: [Float]] = [:],
    layouts: [ParameterRole: Layout] = [:], channelsFirst: Bool = false
  ) throws -> ONNXGraph {
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
      arranged.tensors.map { ($0.key, (name: "y/\($0.spec.role)", type: ElementType.float32)) }
    ) { first, _ in first }
    return try ONNXGraph(arranged, stored: stored, channelsFirst: channelsFirst)
  }

  private func ramp(_ count: Int) -> [Float] { (0..<count).map { Float($0) } }

  @Test func `a pooling of images is moved to channels first and back`() throws {
    let graph = try graph(MaxPooling2D(poolSize: Size2D(2, 3)), [5, 7, 4])
    #expect(graph.nodes.map(\.type) == ["Transpose", "MaxPool", "Transpose"])
    #expect(graph.nodes.map(\.name) == ["y/Transpose", "y", "y/Transpose_2"])
    #expect(graph.nodes[0].attributes.map(\.value) == [.ints([0, 3, 1, 2])])
    #expect(graph.nodes[2].attributes.map(\.value) == [.ints([0, 2, 3, 1])])
    #expect(graph.nodes[2].outputs == ["y"])
    #expect(graph.inputs[0].shape == [.open("batch"), .fixed(5), .fixed(7), .fixed(4)])
    #expect(graph.outputs[0].shape == [.open("batch"), .fixed(2), .fixed(2), .fixed(4)])
  }

  @Test func `with channels first at the ends nothing is moved`() throws {
    let graph = try graph(MaxPooling2D(poolSize: Size2D(2, 3)), [5, 7, 4], channelsFirst: true)
    #expect(graph.nodes.map(\.type) == ["MaxPool"])
    #expect(graph.inputs[0].shape == [.open("batch"), .fixed(4), .fixed(5), .fixed(7)])
    #expect(graph.outputs[0].shape == [.open("batch"), .fixed(4), .fixed(2), .fixed(2)])
  }

  // (5 + 1)/2 = 3 windows of 3 places in steps of 2 take 7 places: one zero at each end. Of 6 places there are 3 windows
  // too, and one zero, behind.
  @Test(
    "same padding is stated as numbers; the odd one goes behind",
    arguments: [(5, [1, 1]), (6, [0, 1])])
  func samePadding(length: Int, pads: [Int]) throws {
    let graph = try graph(
      MaxPooling1D(poolSize: Size1D(3), strides: Size1D(2), padding: .same), [length, 2])
    #expect(graph.nodes[1].attributes.first { $0.name == "pads" }?.value == .ints(pads))
  }

  @Test func `same padding of an open length is left to ONNX, and its size has a name`() throws {
    let graph = try graph(
      MaxPooling1D(poolSize: Size1D(3), strides: Size1D(2), padding: .same), [nil, 2])
    #expect(
      graph.nodes[1].attributes.first { $0.name == "auto_pad" }?.value == .string("SAME_UPPER"))
    #expect(graph.inputs[0].shape == [.open("batch"), .open("x_1"), .fixed(2)])
  }

  @Test func `two permutations that undo each other are none`() throws {
    let model = try Model(
      name: "moved", inputs: [ModelInput(name: "x", shape: Shape([3, 5, 7]))],
      layers: [
        LayerDefinition(name: "last", operation: Permute(order: [1, 2, 0]), inputs: ["x"]),
        LayerDefinition(
          name: "pool", operation: MaxPooling2D(poolSize: Size2D(2, 2)), inputs: ["last"]),
        LayerDefinition(name: "first", operation: Permute(order: [2, 0, 1]), inputs: ["pool"]),
      ], outputs: ["first"])
    let graph = try ONNXGraph(model, stored: [:])
    #expect(graph.nodes.map(\.type) == ["MaxPool"])
    #expect(graph.nodes[0].inputs == ["x"])
    #expect(graph.nodes[0].outputs == ["first"])
  }

  @Test func `a layer that nothing depends on is left out`() throws {
    let model = try Model(
      name: "two", inputs: [ModelInput(name: "x", shape: Shape([3]))],
      layers: [
        LayerDefinition(name: "used", operation: Activation(.tanh), inputs: ["x"]),
        LayerDefinition(name: "unused", operation: Activation(.sigmoid), inputs: ["x"]),
      ], outputs: ["used"])
    #expect(try ONNXGraph(model, stored: [:]).nodes.map(\.type) == ["Tanh"])
  }

  @Test func `an output that is an input is handed on`() throws {
    let graph = try graph(Identity(), [4])
    #expect(graph.nodes.map(\.type) == ["Identity"])
    #expect(graph.nodes[0].inputs == ["x"])
    #expect(graph.nodes[0].outputs == ["y"])
  }

  @Test func `an operator without a form is refused by name`() throws {
    let error = try #require(
      thrown {
        try graph(
          ConvolutionalLSTM1D(outputChannels: 2, kernelSize: Size1D(1)), [4, 5, 3],
          parameters: [.kernel: ramp(24), .recurrent: ramp(16)])
      })
    #expect(error.layer == "y")
    #expect(
      error.message
        == "ONNX has no operator for ConvolutionalLSTM1D; write the weights alone, into a file that ends in .npz"
    )
  }

  @Test func `a layer with a state across batches is refused`() throws {
    var recurrence = Recurrence()
    recurrence.statefulBatch = 2
    let error = try #require(
      thrown {
        try graph(
          SimpleRNN(units: 2, recurrence: recurrence), [4, 3],
          parameters: [.kernel: ramp(6), .recurrent: ramp(4)])
      })
    #expect(
      error.message
        == "is stateful, but an ONNX graph keeps no state between runs; use stateful=False"
    )
  }

  // MARK: - Files

  private func dense() throws -> ONNXGraph {
    try graph(
      Dense(units: 2), [3], parameters: [.kernel: ramp(6), .bias: [0.5, -1]],
      layouts: [.kernel: .oi])
  }

  @Test func `values lie between bytes that are known`() throws {
    let file = ONNXFile(try dense(), dataFile: "model.onnx.data")
    #expect(!file.hasDataBeside)
    #expect(file.places.map(\.count) == [24, 8])
    var end = 0
    let parts =
      file.bytes.map { ($0.offset, $0.bytes.count) } + file.places.map { ($0.offset, $0.count) }
    for (offset, count) in parts.sorted(by: { $0.0 < $1.0 }) {
      #expect(offset == end)
      end += count
    }
    #expect(end == file.count)
    #expect(ONNXFile.recognizes(Array(file.bytes[0].bytes.prefix(ONNXFile.prefixCount))))
  }

  @Test func `values that are too many lie in a file beside it, each on a page`() throws {
    let file = ONNXFile(try dense(), dataFile: "model.onnx.data", limit: 100)
    #expect(file.hasDataBeside)
    #expect(file.places.map(\.offset) == [0, 4096])
    let text = String(decoding: file.bytes.flatMap(\.bytes), as: UTF8.self)
    #expect(text.components(separatedBy: "model.onnx.data").count == 3)
    #expect(text.contains("4096"))
  }
}

@Suite("The documented forms of operators are those that are written")
struct ONNXOperatorTableTests {
  private static let document = "\(Fixtures.repository)/Docs/targets/onnx.md"

  /// Keeps the text above the table; `make docs` sets `NETCONV_WRITE_DOCS`.
  @Test("the table is the one that the forms give; make docs writes it")
  func table() throws {
    let text = try String(contentsOfFile: Self.document, encoding: .utf8)
    let head = text.range(of: "| operator |").map { String(text[..<$0.lowerBound]) } ?? text
    let expected = head + ONNXOperatorTable.markdown
    if ProcessInfo.processInfo.environment["NETCONV_WRITE_DOCS"] != nil {
      try expected.write(toFile: Self.document, atomically: true, encoding: .utf8)
    } else {
      #expect(text == expected, "Docs/targets/onnx.md is stale; run make docs")
    }
  }

  @Test("all operators but those of convolutional recurrence and of integers have a form")
  func refused() {
    var refused: [String] = []
    for type in OperatorRegistry.all where ONNXOperatorTable.operations(of: type) == nil {
      refused.append(type.name)
    }
    #expect(
      refused == [
        "ConvolutionalLSTM1D", "ConvolutionalLSTM2D", "ConvolutionalLSTM3D", "Quantized",
      ])
  }
}
