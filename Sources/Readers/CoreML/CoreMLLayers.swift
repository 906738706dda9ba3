import ModelIR
import ProtocolBuffers

/// Nodes that are made of the layers of a neural network.
struct CoreMLLayers {
  var nodes = CoreMLNodes()
  /// The shapes of values, with the batch first; an unknown size is `nil`.
  var sizes: [String: [Int?]] = [:]
  /// The names of values whose pixels were scaled.
  private var scaled: [String: String] = [:]

  /// Adds the scale and the biases of an image.
  mutating func addScaler(_ message: WireMessage, to input: String) throws(NetconvError) {
    let fields = try CoreMLFields(message)
    let channels = sizes[input]?.dropFirst().first.flatMap(\.self) ?? 3
    let biases =
      channels == 1
      ? [try fields.float(30)]
      : [try fields.float(22), try fields.float(21), try fields.float(20)]
    let scale = try fields.float(10, 1)
    nodes.begin("\(input)/scaler")
    var name = input
    if scale != 1 { name = nodes.node("Mul", [name, nodes.float(Double(scale))]) }
    if biases.contains(where: { $0 != 0 }) {
      name = nodes.node("Add", [name, nodes.floats(biases.map { Double($0) }, [channels, 1, 1])])
    }
    sizes[name] = sizes[input]
    scaled[input] = name
  }

  /// Returns the outputs; those of a classifier are its probabilities, and a vector that is an image has no axes of size 1.
  mutating func arrays(
    among features: [CoreMLFeatures.Feature], last: CoreMLLayer?
  ) -> [String] {
    var names: [String] = []
    for feature in features {
      guard let own = sizes[feature.name] else { continue }
      guard let shape = feature.shape, shape.count == 1, own.count == 4,
        own.dropFirst(2).allSatisfy({ $0 == 1 })
      else {
        names.append(feature.name)
        continue
      }
      nodes.begin(feature.name)
      names.append(
        nodes.node("Flatten", [feature.name], ["axis": .integer(1)], to: ["\(feature.name)/vector"])
      )
    }
    return names.isEmpty ? last?.outputs ?? [] : names
  }

  /// Adds the nodes of a layer.
  mutating func add(_ layer: CoreMLLayer) throws(NetconvError) {
    nodes.begin(layer.name)
    let start = nodes.nodes.count
    let inputs = layer.inputs.map { scaled[$0] ?? $0 }
    do throws(NetconvError) {
      guard let output = layer.outputs.first, let input = inputs.first else {
        throw .missingAttribute("input")
      }
      let own = Layer(
        inputs: inputs, input: input, output: output, fields: try CoreMLFields(layer.parameters))
      sizes[output] = try write(layer.kind, own)
    } catch {
      nodes.refuse(
        since: start, "layer \(layer.kind)", layer.name, inputs, layer.outputs, error)
      for output in layer.outputs { sizes[output] = sizes[inputs.first ?? ""] ?? [nil, nil] }
    }
  }

  /// A layer with its parameters.
  struct Layer {
    let inputs: [String]
    let input: String
    let output: String
    let fields: CoreMLFields
  }

  /// Adds the nodes of a kind of layer, and returns the shape of its output.
  private mutating func write(_ kind: Int, _ layer: Layer) throws(NetconvError) -> [Int?] {
    let own = sizes[layer.input] ?? [nil, nil]
    switch kind {
    case 100: return try convolve(layer, own)
    case 120: return try pool(layer, own)
    case 130: return try activate(layer, own)
    case 140: return try multiply(layer, own)
    case 160: return try normalize(layer, own)
    case 175:
      nodes.node("Softmax", [layer.input], ["axis": .integer(1)], to: [layer.output])
      return own
    case 190: return try crop(layer, own)
    case 200: return try pad(layer, own)
    case 210: return try upsample(layer, own)
    case 230, 231: return try combine(layer, kind == 230 ? "Add" : "Mul", own)
    case 240, 260, 261:
      let types = [240: "Mean", 260: "Max", 261: "Min"]
      nodes.node(types[kind] ?? "", layer.inputs, to: [layer.output])
      return own
    case 245, 250: return try scale(layer, isScale: kind == 245, own)
    case 301: return try flatten(layer, own)
    case 320: return try concatenate(layer, own)
    case 760, 870, 875, 880, 890, 900, 905, 950, 980, 985, 1120, 1125, 1130, 1140:
      return try writeOfAnyRank(kind, layer, own)
    case 600:
      nodes.node("Identity", [layer.input], to: [layer.output])
      return own
    default: throw .unreadLayer(kind)
    }
  }
}

extension CoreMLNodes {
  /// Replaces the nodes since an index by one that has no meaning.
  mutating func refuse(
    since start: Int, _ operation: String, _ name: String, _ inputs: [String], _ outputs: [String],
    _ error: NetconvError
  ) {
    removeNodes(since: start)
    append(
      ONNXNode(
        operation, name: name, inputs: inputs, outputs: outputs, attributes: [:], refusal: error))
  }
}

extension NetconvError {
  fileprivate static func unreadLayer(_ kind: Int) -> NetconvError {
    NetconvError(
      .badData, "is a layer of kind \(CoreMLLayerNames.name(kind)), which is not read")
  }
}

/// The names of layers, for errors.
enum CoreMLLayerNames {
  private static let names = [
    150: "embedding", 165: "mvn", 170: "l2normalize", 180: "lrn", 211: "resizeBilinear",
    212: "cropResize",
    220: "unary", 270: "dot", 280: "reduce", 290: "loadConstant", 300: "reshape", 310: "permute",
    330: "split", 340: "sequenceRepeat", 345: "reorganizeData", 350: "slice",
    400: "simpleRecurrent", 410: "gru", 420: "uniDirectionalLSTM", 430: "biDirectionalLSTM",
    500: "custom",
  ]

  /// Returns the name of a kind of layer, by its number in `NeuralNetworkLayer`.
  static func name(_ kind: Int) -> String { names[kind] ?? "\(kind)" }
}
