import Files
import ModelIR
import ProtocolBuffers

/// A Core ML neural network as a graph of ONNX, whose operations have the same meaning, and the same order of axes.
///
/// Values have a batch before the channels; those with one axis more are images. Layers that expect sequences, or arrays
/// of any other rank, are refused.
///
/// Source: coremltools, mlmodel/format/NeuralNetwork.proto.
struct CoreMLNetwork {
  /// The graph.
  private(set) var graph: ONNXGraph

  /// Translates a network.
  ///
  /// - Throws: `badData` if its inputs are not read; layers that are not read stay as nodes.
  init(_ message: WireMessage, _ features: CoreMLFeatures) throws(NetconvError) {
    var layers: [CoreMLLayer] = []
    var scalers: [(name: String, message: WireMessage)] = []
    var (isExact, hasExactImages) = (false, false)
    try message.forEachField { field throws(NetconvError) in
      switch field.number {
      case 1: layers.append(try CoreMLLayer(field.inner("NeuralNetworkLayer")))
      case 2: scalers.append(try Self.scaler(field.inner("NeuralNetworkPreprocessing")))
      case 5: isExact = try field.integer() == 1
      case 6: hasExactImages = try field.integer() == 1
      default: break
      }
    }
    var nodes = CoreMLLayers()
    var inputs: [ONNXValueInfo] = []
    for feature in features.inputs {
      let shape = try Self.shape(of: feature, isExact: isExact, hasExactImages)
      inputs.append(ONNXValueInfo(feature.name, ONNXType(.float32), shape))
      nodes.sizes[feature.name] = shape
    }
    for (name, message) in scalers {
      // Without a name, it is the only image's.
      let own = name.isEmpty ? features.inputs.first { $0.image != nil }?.name ?? "" : name
      try nodes.addScaler(message, to: own)
    }
    for layer in layers { try nodes.add(layer) }
    graph = ONNXGraph(
      nodes: nodes.nodes.nodes, initializers: nodes.nodes.initializers, inputs: inputs,
      outputs: nodes.arrays(among: features.outputs, last: layers.last).map {
        ONNXValueInfo($0, ONNXType(.float32), nil)
      })
  }

  /// Returns the shape of an input, with an open batch unless the array has one.
  private static func shape(
    of feature: CoreMLFeatures.Feature, isExact: Bool, _ hasExactImages: Bool
  ) throws(NetconvError) -> [Int?] {
    let shape: [Int]
    if let image = feature.image {
      shape = image
    } else if let array = feature.shape {
      shape = array
      if isExact { return shape }
    } else {
      throw NetconvError.notAnArray(feature.name)
    }
    guard shape.count == 1 || shape.count == 3, !shape.contains(where: { $0 < 1 }) else {
      throw NetconvError.notAnArray(feature.name)
    }
    return [nil] + shape
  }

  private static func scaler(
    _ message: WireMessage
  ) throws(NetconvError) -> (name: String, message: WireMessage) {
    var (name, scaler): (String, WireMessage?) = ("", nil)
    try message.forEachField { field throws(NetconvError) in
      switch field.number {
      case 1: name = try field.text()
      case 10: scaler = try field.inner("NeuralNetworkImageScaler")
      default: throw .unreadUse("a mean image")
      }
    }
    guard let scaler else { throw .unreadUse("preprocessing without a scale") }
    return (name, scaler)
  }
}

/// A layer of a neural network.
struct CoreMLLayer {
  private(set) var name = ""
  private(set) var inputs: [String] = []
  private(set) var outputs: [String] = []
  /// The number of the field with the parameters, which tells the kind of the layer.
  private(set) var kind = 0
  /// The parameters; `nil` if there are none.
  private(set) var parameters: WireMessage?

  init(_ message: WireMessage) throws(NetconvError) {
    var own = (name: "", kind: 0)
    var (inputs, outputs): ([String], [String]) = ([], [])
    var parameters: WireMessage?
    try message.forEachField { field throws(NetconvError) in
      switch field.number {
      case 1: own.name = try field.text()
      case 2: inputs.append(try field.text())
      case 3: outputs.append(try field.text())
      case 4, 5, 10: break
      default:
        own.kind = field.number
        parameters = try field.inner("LayerParams")
      }
    }
    (name, kind) = own
    (self.inputs, self.outputs, self.parameters) = (inputs, outputs, parameters)
  }
}

/// The fields of a layer's parameters.
struct CoreMLFields {
  private let fields: [Int: [WireField]]

  init(_ message: WireMessage?) throws(NetconvError) {
    fields = Dictionary(grouping: try message?.fields() ?? []) { $0.number }
  }

  /// Returns true if a field is present.
  func has(_ number: Int) -> Bool { fields[number] != nil }

  func integer(_ number: Int, _ fallback: Int = 0) throws(NetconvError) -> Int {
    try fields[number]?.last?.integer() ?? fallback
  }

  func flag(_ number: Int) throws(NetconvError) -> Bool { try integer(number) != 0 }

  func float(_ number: Int, _ fallback: Float = 0) throws(NetconvError) -> Float {
    try fields[number]?.last?.float() ?? fallback
  }

  func integers(_ number: Int) throws(NetconvError) -> [Int] {
    var list: [Int] = []
    for field in fields[number] ?? [] { try field.forEachInteger { list.append($0) } }
    return list
  }

  func message(_ number: Int) throws(NetconvError) -> WireMessage? {
    try fields[number]?.last?.inner("LayerParams")
  }

  /// Returns the pairs of start and end of `BorderAmounts` in a message of this number.
  func borders(_ number: Int) throws(NetconvError) -> [(start: Int, end: Int)] {
    let amounts = try CoreMLFields(message(number))
    var pairs: [(start: Int, end: Int)] = []
    for field in amounts.fields[10] ?? [] {
      let edges = try CoreMLFields(field.inner("BorderAmounts.EdgeSizes"))
      pairs.append((try edges.integer(1), try edges.integer(2)))
    }
    return pairs
  }
}

/// The parameters of layers: float32, float16, or codes of up to eight bits.
///
/// Source: coremltools, mlmodel/format/NeuralNetwork.proto, `WeightParams`; models/neural_network/quantization_utils.py.
enum CoreMLWeights {
  /// Returns the values of a parameter.
  ///
  /// - Parameters:
  ///   - count: the number of values.
  ///   - channels: the number of output channels, which come first.
  static func source(
    _ message: WireMessage?, count: Int, channels: Int
  ) throws(NetconvError) -> any TensorSource {
    guard let message else { throw .missingAttribute("weights") }
    let fields = try CoreMLFields(message)
    var source: (any TensorSource)?
    var codes: Range<Int>?
    try message.forEachField { field throws(NetconvError) in
      switch field.number {
      case 1:
        if case .bytes(let range) = field.content {
          source = try message.bytes.values(at: range, of: .float32, count: range.count / 4)
        } else {
          throw .unreadUse("a list of numbers that is not packed")
        }
      case 2:
        let range = try field.payload()
        if !range.isEmpty {
          source = try message.bytes.values(at: range, of: .float16, count: range.count / 2)
        }
      case 30:
        let range = try field.payload()
        if !range.isEmpty { codes = range }
      case 31:
        if !(try field.payload()).isEmpty { throw .unreadUse("weights of int8 for integer sums") }
      default: break
      }
    }
    if let codes {
      source = try quantized(message, codes, fields, count: count, channels: channels)
    }
    guard let source, source.count == count else {
      throw .wrongNumberList(source?.count ?? 0, count)
    }
    return source
  }

  private static func quantized(
    _ message: WireMessage, _ range: Range<Int>, _ fields: CoreMLFields, count: Int, channels: Int
  ) throws(NetconvError) -> any TensorSource {
    let quantization = try CoreMLFields(fields.message(40))
    let bits = try quantization.integer(1, 8)
    guard (1...8).contains(bits), range.count == (try product([count, bits]) + 7) / 8 else {
      throw .wrongNumberList(range.count, count)
    }
    let codes = BitCodes(
      bytes: try message.bytes.values(at: range, of: .uint8, count: range.count), bits: bits,
      count: count, startsHigh: true)
    if let table = try quantization.message(102) {
      let values = try floats(table, 1)
      guard values.count == 1 << bits else { throw .wrongNumberList(values.count, 1 << bits) }
      return TableValues(indices: codes, table: values)
    }
    guard let linear = try quantization.message(101) else {
      throw .missingAttribute("quantization")
    }
    let (scales, biases) = (try floats(linear, 1), try floats(linear, 2))
    guard [scales, biases].allSatisfy({ [1, channels].contains($0.count) || $0.isEmpty }),
      !scales.isEmpty, channels > 0, count.isMultiple(of: channels)
    else { throw .wrongNumberList(scales.count, channels) }
    let repeated = { (values: [Float]) in
      values.count == 1
        ? [Float](repeating: values[0], count: channels)
        : values.isEmpty ? [Float](repeating: 0, count: channels) : values
    }
    return BiasedCodes(
      codes: codes, scales: repeated(scales), biases: repeated(biases), inner: count / channels)
  }

  private static func floats(_ message: WireMessage, _ number: Int) throws(NetconvError) -> [Float]
  {
    var list: [Float] = []
    try message.forEachField { field throws(NetconvError) in
      if field.number == number { try field.forEachFloat { list.append($0) } }
    }
    return list
  }
}

extension NetconvError {
  fileprivate static func notAnArray(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "the input \(quoted(name)) is neither an image nor an array of channels, or of channels, height and width"
    )
  }
}
