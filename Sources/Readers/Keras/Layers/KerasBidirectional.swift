import Documents
import ModelIR
import Operators

/// Two recurrent layers of opposite directions; ``KerasSequences`` expands them.
///
/// Source: keras/src/layers/rnn/bidirectional.py.
enum KerasBidirectional: KerasLayerMapping {
  static let className = "Bidirectional"
  static let classNames = [className]
  static let operators: [any Operator.Type] = [
    LSTM.self, GRU.self, SimpleRNN.self, Reverse.self, Concatenate.self, Add.self, Multiply.self,
    Average.self,
  ]
  static let refused = ["layers in it that are not recurrent"]

  /// Restores the order of the input in the output of the backward layer.
  static let reversal: any Operator = Reverse()

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    // Only reached if no graph expands the layer.
    throw .severalLayers(className)
  }

  /// Returns the two layers.
  ///
  /// - Throws: `badData` if either is not a supported recurrent layer.
  static func layers(
    of layer: KerasLayerConfig
  ) throws(NetconvError) -> (forward: KerasLayerConfig, backward: KerasLayerConfig) {
    let forward = try recurrent(layer.part("layer", called: layer.name))
    let own = layer.value(of: "backward_layer")
    let reversed = try !forward.bool("go_backwards", default: false)
    var backward =
      own == nil || own == .null
      ? forward.replacing("go_backwards", with: .bool(reversed))
      : try recurrent(layer.part("backward_layer", called: layer.name))
    guard try backward.bool("go_backwards", default: false) == reversed else {
      throw .sameDirection
    }
    // Masked steps output zeros, so that the combination does not depend on the other direction.
    var first = forward.replacing(
      "zero_output_for_mask", with: .bool(try forward.bool("return_sequences", default: false)))
    backward = backward.replacing(
      "zero_output_for_mask", with: .bool(try backward.bool("return_sequences", default: false)))
    first.kerasVersion = layer.kerasVersion
    backward.kerasVersion = layer.kerasVersion
    return (first, backward)
  }

  private static func recurrent(
    _ layer: KerasLayerConfig
  ) throws(NetconvError) -> KerasLayerConfig {
    if KerasRecurrent.classNames.contains(layer.className) { return layer }
    guard layer.className == KerasRecurrentCell.className else {
      throw .notRecurrent(layer.statedClass, inside: className)
    }
    let cells = try KerasRecurrentCell.layers(of: layer)
    return cells.count == 1 ? cells[0].layer : layer
  }

  /// Returns the operator that merges the two outputs; `nil` if both are returned.
  ///
  /// - Throws: `badData` if Keras has no such merge mode.
  static func merge(of layer: KerasLayerConfig) throws(NetconvError) -> (any Operator)? {
    if layer.value(of: "merge_mode") == .null { return nil }
    return try layer.setting(
      "merge_mode", default: Concatenate(axis: -1), expected: "concat, sum, mul, ave or null"
    ) { value -> (any Operator)? in
      switch value.string {
      case "concat": Concatenate(axis: -1)
      case "sum": Add()
      case "mul": Multiply()
      case "ave": Average()
      default: nil
      }
    }
  }
}

extension NetconvError {
  fileprivate static let sameDirection = NetconvError(
    .badData, "layer and backward_layer have the same go_backwards; one of them has to go backwards"
  )
}
