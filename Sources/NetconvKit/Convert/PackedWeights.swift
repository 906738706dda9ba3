import Documents
import ModelIR
import Transforms
import Writers

/// The weights of a conversion after their quantisation, with the names and encodings of what is written.
struct PackedWeights {
  let network: Network
  let requests: [TensorSurvey.Request]
  let naming: FileNaming
  /// The tensors that are not quantised although they are matrices, with their shapes.
  let kept: [String]
  /// The names of the weights that are quantised.
  private let names: [String]
  private var count: Int { names.count }

  /// Quantises the weights of a request's network.
  ///
  /// - Throws: `badData` if there is nothing to quantise, or a weight is not stored in the order in which it is written.
  init(
    _ network: Network, _ requests: [TensorSurvey.Request], _ naming: FileNaming,
    as quantization: WeightQuantization
  ) throws(NetconvError) {
    var types: [TensorKey: TensorSurvey.Request] = [:]
    for request in requests { types[request.tensor.key] = request }
    var all: [TensorKey: String] = [:]
    for (tensor, name) in zip(network.tensors, naming.names(for: network.tensors)) {
      all[tensor.key] = name.tensor
    }
    var packed: [TensorSurvey.Request] = []
    var layers: [LayerWeights] = []
    var (names, kept): ([String], [String]) = ([], [])
    for layer in network.weights.layers {
      var parameters: [Tensor] = []
      for tensor in layer.parameters {
        guard let request = types[tensor.key], let name = all[tensor.key] else {
          preconditionFailure("each tensor has a name and a type")
        }
        guard tensor.isOfFloats, quantization.applies(to: name, tensor.shape) else {
          if tensor.shape.count > 1 { kept.append("\(quoted(name)) \(Shape(tensor.shape))") }
          parameters.append(tensor)
          packed.append(request)
          continue
        }
        names.append(quoted(name))
        do throws(NetconvError) {
          for part in try quantization.packed(tensor, called: name, request.elementType) {
            all[part.tensor.key] = part.name
            parameters.append(part.tensor)
            packed.append(TensorSurvey.Request(part.tensor, as: part.type))
          }
        } catch {
          throw error.inTensor(name)
        }
      }
      layers.append(LayerWeights(name: layer.name, origin: layer.origin, parameters: parameters))
    }
    guard !names.isEmpty else { throw .nothingToQuantise(quantization, kept) }
    self.network = .weights(try Weights(name: network.name, layers: layers))
    (self.names, self.kept) = (names, kept)
    self.requests = packed
    self.naming = FileNaming(names: all)
  }

  /// Tells the user what was quantised and what was not.
  func event(_ quantization: WeightQuantization) -> Event {
    let weights = count == 1 ? "1 weight is" : "\(count) weights are"
    let rest =
      kept.isEmpty
      ? ""
      : "; \(kept.count == 1 ? "1 tensor that does" : "\(kept.count) tensors that do") not fit its "
        + "blocks \(kept.count == 1 ? "is" : "are") not"
    return .decision(
      "\(weights) quantised as \(quantization.packing.name)\(rest)",
      details: (kept.isEmpty ? names : kept).messages)
  }
}

extension ConvertRequest {
  /// Checks that what is written can hold quantised weights.
  ///
  /// - Throws: `usage`.
  func checkQuantization(_ formats: [OutputFormat]) throws(NetconvError) {
    guard let quantization else { return }
    guard weightsOnly else { throw .quantisesWithoutGraph }
    guard formats.allSatisfy(quantization.formats.contains) else {
      throw .notForQuantised(formats, quantization)
    }
    guard naming == nil, map == nil else { throw .quantisedNames }
    guard !([elementType] + elementTypeRules.map(\.elementType)).contains(.int8) else {
      throw .quantisedTwice
    }
  }
}

extension Tensor {
  fileprivate var isOfFloats: Bool {
    [.float16, .bfloat16, .float32, .float64].contains(stored.source.elementType)
  }
}

extension NetconvError {
  fileprivate static func nothingToQuantise(
    _ quantization: WeightQuantization, _ kept: [String]
  ) -> NetconvError {
    NetconvError(
      .badData, text: "holds no weight that \(quantization.packing.name) can be made of",
      list: kept.prefix(12).map { Message(text: $0) })
  }

  fileprivate static let quantisesWithoutGraph = NetconvError(
    .usage, text: "weights are quantised without a graph; add \(.weightsOnly)")

  fileprivate static func notForQuantised(
    _ formats: [OutputFormat], _ quantization: WeightQuantization
  ) -> NetconvError {
    let endings = quantization.formats.compactMap(\.ending).joined(separator: " or ")
    return NetconvError(
      .usage,
      "\(quantization.packing.name) cannot be written as \(formats.map(\.rawValue).joined(separator: " and ")); name a "
        + "file that ends in \(endings)")
  }

  fileprivate static let quantisedNames = NetconvError(
    .usage, text: "quantised weights keep their names; leave out the naming or the map")

  fileprivate static let quantisedTwice = NetconvError(
    .usage, text: "weights are quantised once; leave out int8 of \(.elementTypeRules)")
}
