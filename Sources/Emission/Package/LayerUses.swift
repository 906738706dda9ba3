import ModelIR
import Operators

/// Who reads what in a model, and which layers are done on the way by those before them.
struct LayerUses {
  private let readers: [String: [Layer]]
  private let outputs: Set<String>
  private let reaching: Set<String>
  private var takenOver: Set<String> = []

  /// The uses in `model`.
  init(_ model: Model) {
    var readers: [String: [Layer]] = [:]
    for layer in model.layers {
      for input in layer.inputs { readers[input, default: []].append(layer) }
    }
    let outputs = Set(model.outputs)
    var reaching = outputs
    for layer in model.layers.reversed() where reaching.contains(layer.name) {
      reaching.formUnion(layer.inputs)
    }
    self.readers = readers.mapValues { $0.filter { reaching.contains($0.name) } }
    self.outputs = outputs
    self.reaching = reaching
    for layer in model.layers where layer.isLinearSum {
      if let behind = activation(behind: layer.name) { takenOver.insert(behind.layer) }
    }
  }

  /// Whether an output of the model depends on a layer.
  func reachesOutput(_ layer: String) -> Bool { reaching.contains(layer) }

  /// Whether a layer is an activation that the layer it reads applies.
  func isTakenOver(_ layer: String) -> Bool { takenOver.contains(layer) }

  /// Whether a layer sums, and leaves its activation to the layer that alone reads it.
  func isUnstored(_ layer: Layer) -> Bool {
    layer.isLinearSum && activation(behind: layer.name) != nil
  }

  /// The activation that alone reads a layer, which is then not stored itself (Docs/precision.md, rule 5).
  func activation(behind layer: String) -> (function: ActivationFunction, layer: String)? {
    guard !outputs.contains(layer), let readers = readers[layer], readers.count == 1,
      let activation = readers[0].operation as? Activation, !activation.function.isLinear
    else { return nil }
    return (activation.function, readers[0].name)
  }

  /// Whether all readers of a layer begin in the zeros around an image as if they were there.
  func readersImagineZeros(_ layer: String) -> Bool {
    !outputs.contains(layer)
      && (readers[layer] ?? []).allSatisfy {
        switch $0.operation {
        case is Convolution2D, is DepthwiseConvolution2D, is SeparableConvolution2D: true
        case let pooling as MaxPooling2D: pooling.padding == .valid
        case let pooling as AveragePooling2D: pooling.padding == .valid
        case is ZeroPadding2D: readersImagineZeros($0.name)
        default: false
        }
      }
  }
}

extension Layer {
  /// Whether it sums without an activation of its own.
  fileprivate var isLinearSum: Bool {
    switch operation {
    case let operation as Convolution2D: operation.activation.isLinear
    case let operation as DepthwiseConvolution2D: operation.activation.isLinear
    case let operation as SeparableConvolution2D: operation.activation.isLinear
    case let operation as TransposedConvolution2D: operation.activation.isLinear
    case let operation as Dense: operation.activation.isLinear
    default: false
    }
  }
}
