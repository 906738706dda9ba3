import ModelIR
import Operators

/// Source: keras/src/layers/rnn/simple_rnn.py, lstm.py and gru.py; Keras 1 names the recurrent activation
/// `inner_activation`.
///
/// Settings that only affect speed or GPUs (`implementation`, `unroll`, `consume_less`) are not part of the operator.
/// Layers that require cuDNN have its activations; ``KerasCuDNN`` converts their weights.
enum KerasRecurrent: KerasLayerMapping {
  private static let stateCounts = [
    "SimpleRNN": 1, "LSTM": 2, "GRU": 1, "CuDNNLSTM": 2, "CuDNNGRU": 1, "ConvLSTM1D": 2,
    "ConvLSTM2D": 2, "ConvLSTM3D": 2,
  ]

  static let classNames = ["CuDNNGRU", "CuDNNLSTM", "GRU", "LSTM", "SimpleRNN"]
  static let operators: [any Operator.Type] = [GRU.self, LSTM.self, SimpleRNN.self]
  static let refused = [
    "sequences with the time before the batch", "constants of a cell",
    "masks of layers that run on cuDNN alone", "stateful layers in TimeDistributed",
  ]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  /// Returns the number of state arrays of a recurrent layer; `nil` for any other class.
  static func stateCount(of className: String) -> Int? { stateCounts[className] }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    let units = try layer.int("units")
    let recurrence = try layer.recurrence()
    if isOfCuDNN(layer.className) {
      return layer.className == "CuDNNLSTM"
        ? LSTM(units: units, recurrence: recurrence)
        : GRU(units: units, resetsAfter: true, recurrence: recurrence)
    }
    let activation = try layer.activation(of: "activation", default: .tanh)
    guard layer.className != "SimpleRNN" else {
      return SimpleRNN(units: units, activation: activation, recurrence: recurrence)
    }
    let recurrent = try layer.recurrentActivation()
    guard layer.className == "GRU" else {
      return LSTM(
        units: units, activation: activation, recurrentActivation: recurrent,
        recurrence: recurrence)
    }
    return GRU(
      units: units, activation: activation, recurrentActivation: recurrent,
      resetsAfter: try layer.resetsAfter(), recurrence: recurrence)
  }

  /// Returns true if a class requires cuDNN: it has no cell, and always a bias.
  static func isOfCuDNN(_ className: String) -> Bool { className.hasPrefix("CuDNN") }

  /// Returns true if the layers of a class support masks.
  static func takesMask(_ className: String) -> Bool {
    classNames.contains(className) && !isOfCuDNN(className)
  }

  /// Returns true if the weights of a class belong to a nested cell.
  static func hasCell(_ className: String) -> Bool {
    stateCounts[className] != nil && !isOfCuDNN(className)
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    var hasBias = true
    if !isOfCuDNN(layer.className) { hasBias = try layer.bool("use_bias", default: true) }
    guard hasBias else { return [.kernel, .recurrentKernel] }
    var hasTwo = layer.className == "CuDNNGRU"
    if layer.className == "GRU" { hasTwo = try layer.resetsAfter() }
    return [.kernel, .recurrentKernel, .bias] + (hasTwo ? [recurrentBias] : [])
  }

  /// The second row of the bias, which has no name in Keras.
  private static let recurrentBias = KerasWeight(name: "recurrent_bias", role: .recurrentBias)

  /// Returns the weights of a file as the operators expect them.
  static func arranged(
    _ weights: [(name: String, stored: StoredTensor)], of layer: KerasLayerConfig
  ) -> [(name: String, stored: StoredTensor)] {
    separatingBiases(KerasCuDNN.plain(KerasGates.joined(weights, of: layer), of: layer))
  }

  /// Splits a bias of two rows into two vectors.
  private static func separatingBiases(
    _ weights: [(name: String, stored: StoredTensor)]
  ) -> [(name: String, stored: StoredTensor)] {
    weights.flatMap { name, stored -> [(name: String, stored: StoredTensor)] in
      guard name == KerasWeight.bias.name, let shape = stored.shape, shape.count == 2, shape[0] == 2
      else { return [(name, stored)] }
      let count = shape[1]
      return [KerasWeight.bias, recurrentBias].enumerated().map { index, weight in
        var row = stored
        row.source = SliceSource(stored.source, index * count..<(index + 1) * count)
        row.shape = [count]
        row.path += "[\(index)]"
        return (weight.name, row)
      }
    }
  }

  /// Returns the operator with the settings of a call.
  static func called(_ operation: any Operator, _ call: KerasRecurrentCall) -> any Operator {
    if var recurrent = operation as? any SteppingOperator {
      recurrent.recurrence.takesMask = call.takesMask
      recurrent.recurrence.takesState = call.takesState
      recurrent.recurrence.statefulBatch = call.isStateful ? call.batch : nil
      recurrent.recurrence.givesStates = call.givesStates
      return recurrent
    }
    guard call.takesMask, let maskable = operation as? any MaskableOperator else {
      return operation
    }
    return maskable.masked
  }
}

extension KerasLayerConfig {
  /// Returns the recurrence settings of a layer.
  ///
  /// - Throws: `badData` if the time axis precedes the batch.
  func recurrence() throws(NetconvError) -> Recurrence {
    _ = try optionalSetting("time_major", expected: "false") { $0.truth == false ? true : nil }
    return Recurrence(
      returns: try bool("return_sequences", default: false) ? .sequence : .last,
      goesBackwards: try bool("go_backwards", default: false),
      zerosMasked: try bool("zero_output_for_mask", default: false))
  }

  /// Returns the activation of the gates.
  ///
  /// - Throws: `badData` if it is not supported.
  func recurrentActivation() throws(NetconvError) -> ActivationFunction {
    try activation(
      of: "recurrent_activation", default: kerasVersion < 3 ? .hardSigmoid(slope: 0.2) : .sigmoid)
  }

  /// Returns true if a GRU applies the reset gate after the recurrent kernel; Keras before 2.1 applied it before.
  func resetsAfter() throws(NetconvError) -> Bool {
    try bool("reset_after", default: kerasVersion >= 3)
  }

  /// Checks that a layer with a mask has a supported combination of settings.
  ///
  /// If unrolled and running backwards, Keras places the zeros of masked steps as in forward order.
  ///
  /// - Throws: `badData` for this combination.
  ///
  /// Source: keras/src/backend/tensorflow/rnn.py; the same in Keras 2.
  func requireMaskable() throws(NetconvError) {
    guard KerasRecurrent.takesMask(className) else { throw .unsupportedMask(className) }
    let settings = ["unroll", "go_backwards", "zero_output_for_mask", "return_sequences"]
    for setting in settings {
      guard try bool(setting, default: false) else { return }
    }
    throw .unrolledMask
  }

  /// Checks that a layer returns the states that other layers read.
  ///
  /// - Throws: `badData` if it does not.
  func requireStates() throws(NetconvError) {
    guard try bool("return_state", default: false) else { throw .noStates }
  }
}

extension NetconvError {
  fileprivate static let unrolledMask = NetconvError(
    .badData,
    "the layer is unrolled, goes backwards and has a mask; Keras then sets other steps to zero than those of the mask, which "
      + "is not read")

  fileprivate static let noStates = NetconvError(
    .badData, "a state of the layer is read, and return_state is not set")
}
