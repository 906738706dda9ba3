import ModelIR
import Operators

/// Source: keras/src/layers/rnn/simple_rnn.py, lstm.py and gru.py; Keras 1 calls the recurrent activation the inner
/// one.
///
/// What Keras does only on a GPU, or to compute faster (`implementation`, `unroll`), is no setting of the operator.
enum KerasRecurrent: KerasLayerMapping {
  private static let stateCounts = ["SimpleRNN": 1, "LSTM": 2, "GRU": 1]

  static var classNames: [String] { stateCounts.keys.sorted() }
  static let operators: [any Operator.Type] = [GRU.self, LSTM.self, SimpleRNN.self]
  static let refused = [
    "sequences with the time before the batch", "weights of Keras 1", "constants of a cell",
  ]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  /// How many arrays the state of a recurrent layer is; `nil` for any other class.
  static func stateCount(of className: String) -> Int? { stateCounts[className] }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    _ = try layer.optionalSetting("time_major", expected: "false") {
      $0.truth == false ? true : nil
    }
    let units = try layer.int("units")
    let activation = try layer.activation(of: "activation", default: .tanh)
    let isSequence = try layer.bool("return_sequences", default: false)
    let recurrence = Recurrence(
      returns: isSequence ? .sequence : .last,
      goesBackwards: try layer.bool("go_backwards", default: false),
      zerosMasked: try layer.bool("zero_output_for_mask", default: false))
    guard layer.className != "SimpleRNN" else {
      return SimpleRNN(units: units, activation: activation, recurrence: recurrence)
    }
    let recurrent = try layer.activation(
      of: "recurrent_activation",
      default: layer.kerasVersion < 3 ? .hardSigmoid(slope: 0.2) : .sigmoid)
    guard layer.className == "GRU" else {
      return LSTM(
        units: units, activation: activation, recurrentActivation: recurrent,
        recurrence: recurrence)
    }
    return GRU(
      units: units, activation: activation, recurrentActivation: recurrent,
      resetsAfter: try layer.resetsAfter(), recurrence: recurrence)
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    guard try layer.bool("use_bias", default: true) else { return [.kernel, .recurrentKernel] }
    var hasTwo = false
    if layer.className == "GRU" { hasTwo = try layer.resetsAfter() }
    return [.kernel, .recurrentKernel, .bias] + (hasTwo ? [recurrentBias] : [])
  }

  /// The second row of the bias, which Keras has no name for.
  private static let recurrentBias = KerasWeight(name: "recurrent_bias", role: .recurrentBias)

  /// The weights with a bias of two rows as the two vectors that it is.
  static func separatingBiases(
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

  /// The operator as a call uses it.
  static func called(_ operation: any Operator, _ call: KerasRecurrentCall) -> any Operator {
    if var recurrent = operation as? any RecurrentOperator {
      recurrent.recurrence.takesMask = call.takesMask
      recurrent.recurrence.takesState = call.takesState
      if let returns = call.returns { recurrent.recurrence.returns = returns }
      return recurrent
    }
    guard call.takesMask, let maskable = operation as? any MaskableOperator else {
      return operation
    }
    return maskable.masked
  }
}

extension KerasLayerConfig {
  /// Whether a GRU resets behind the recurrent kernel; Keras before 2.1 had no such setting, and did not.
  func resetsAfter() throws(NetconvError) -> Bool {
    try bool("reset_after", default: kerasVersion >= 3)
  }

  /// Checks that a layer with a mask computes what its settings say.
  ///
  /// Unrolled and backwards, Keras puts the zeros of masked steps where the mask has them in forward order.
  ///
  /// - Throws: `badData`.
  ///
  /// Source: keras/src/backend/tensorflow/rnn.py; the same in Keras 2.
  func requireMaskable() throws(NetconvError) {
    let settings = ["unroll", "go_backwards", "zero_output_for_mask", "return_sequences"]
    for setting in settings {
      guard try bool(setting, default: false) else { return }
    }
    throw .unrolledMask
  }

  /// Checks that a layer gives its states, of which one is read.
  ///
  /// - Throws: `badData`.
  func requireStates() throws(NetconvError) {
    guard try bool("return_state", default: false) else { throw .noStates }
  }
}
