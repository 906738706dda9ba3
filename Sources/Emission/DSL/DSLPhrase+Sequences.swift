import ModelIR
import Operators

// Recurrent layers, and the masks of their steps.
extension DSLPhrase {
  /// - Throws: `badData` if the layer has only the second of two biases.
  static func recurrent(
    _ operation: any RecurrentOperator, _ layer: Layer, _ reads: [String]
  ) throws(NetconvError) -> DSLPhrase {
    let (isBiased, hasTwo) = (
      layer.parameter(.bias) != nil, layer.parameter(.recurrentBias) != nil
    )
    guard isBiased || !hasTwo else { throw .oneBias(type(of: operation).name) }
    let biases =
      !isBiased
      ? "useBias: false" : hasTwo == (operation.cell == .gru) ? nil : "separateBiases: \(hasTwo)"
    let recurrence = operation.recurrence
    var reads = reads.dropFirst()
    let mask = recurrence.takesMask ? reads.popFirst() : nil
    var phrase = try word(
      operation,
      course(recurrence, mask: mask, states: Array(reads)) + [biases])
    phrase.furtherReads = (mask == nil ? 0 : 1) + reads.count
    return phrase
  }

  /// The phrase for a recurrent layer that uses convolutions.
  ///
  /// - Throws: `badData` if the language cannot express the layer.
  static func convolutional(
    _ operation: any SteppingOperator, _ layer: Layer, _ reads: [String]
  ) throws(NetconvError) -> DSLPhrase {
    let end = layer.parameter(.bias) == nil ? "useBias: false" : nil
    var phrase: DSLPhrase
    switch operation {
    case let operation as ConvolutionalLSTM2D: phrase = films(operation, reads, end)
    case let operation as ConvolutionalLSTM1D: phrase = films(operation, reads, end)
    default: throw .noWord(type(of: operation).name)
    }
    phrase.furtherReads = reads.count - 1
    return phrase
  }

  private static func films<Space: DSLAxes>(
    _ operation: SpatialConvolutionalLSTM<Space>, _ reads: [String], _ end: String?
  ) -> DSLPhrase {
    DSLPhrase(
      "ConvolutionalLSTM" + Space.ending,
      [
        "kernel: \(operation.kernelSize.spoken)", "channels: \(operation.outputChannels)",
        steps("stride", operation.strides), steps("dilation", operation.dilation),
        padding(operation.padding),
      ] + activations(operation.activation, operation.recurrentActivation)
        + course(operation.recurrence, mask: nil, states: Array(reads.dropFirst())) + [end])
  }

  /// The activation arguments that differ from the defaults.
  private static func activations(
    _ activation: ActivationFunction, _ recurrent: ActivationFunction = .sigmoid
  ) -> [String?] {
    [
      activation == .tanh ? nil : "activation: " + activation.swiftText,
      recurrent == .sigmoid ? nil : "recurrentActivation: " + recurrent.swiftText,
    ]
  }

  /// The arguments for direction, mask, initial state and returned steps of a recurrence.
  private static func course(
    _ recurrence: Recurrence, mask: String?, states: [String]
  ) -> [String?] {
    [
      recurrence.returns == .last ? nil : "returns: .\(recurrence.returns)",
      recurrence.goesBackwards ? "goesBackwards: true" : nil, mask.map { "mask: \($0)" },
      recurrence.takesState ? "initialState: " + state(states) : nil,
      recurrence.statefulBatch.map { "statefulBatch: \($0)" },
      recurrence.zerosMasked ? "zerosMasked: true" : nil,
    ]
  }

  private static func word(
    _ operation: any RecurrentOperator, _ end: [String?]
  ) throws(NetconvError) -> DSLPhrase {
    let units: [String?] = ["units: \(operation.units)"]
    switch operation {
    case let operation as SimpleRNN:
      return DSLPhrase("SimpleRNN", units + activations(operation.activation) + end)
    case let operation as LSTM:
      return DSLPhrase(
        "LSTM", units + activations(operation.activation, operation.recurrentActivation) + end)
    case let operation as GRU:
      return DSLPhrase(
        "GRU",
        units + activations(operation.activation, operation.recurrentActivation)
          + ["resetsAfter: \(operation.resetsAfter)"] + end)
    default: throw .noWord(type(of: operation).name)
    }
  }

  /// The argument for the initial state; with two states, the second is the cell state.
  private static func state(_ reads: [String]) -> String {
    reads.count == 2 ? "(hidden: \(reads[0]), cell: \(reads[1]))" : reads[0]
  }

  /// The phrase for an operator on steps without a recurrence.
  ///
  /// - Throws: `badData` if the language cannot express it.
  static func sequence(
    _ operation: any Operator, _ reads: [String]
  ) throws(NetconvError) -> DSLPhrase {
    switch operation {
    case let operation as Embedding:
      return DSLPhrase(
        "Embedding", ["count: \(operation.count)", "channels: \(operation.outputChannels)"])
    case let operation as Masking:
      return DSLPhrase("Masking", [operation.value == 0 ? nil : "value: \(operation.value)"])
    case let operation as StepMask:
      return DSLPhrase(
        "StepMask",
        [
          operation.value == 0 ? nil : "value: \(operation.value)",
          operation.isPerValue ? "isPerValue: true" : nil,
        ])
    case let operation as MaskedAverage:
      var phrase = DSLPhrase(
        "MaskedAverage",
        ["mask: \(reads[1])", operation.keepDimensions ? "keepDimensions: true" : nil])
      phrase.furtherReads = 1
      return phrase
    case let operation as RepeatVector:
      return DSLPhrase("RepeatVector", ["count: \(operation.count)"])
    case is Reverse: return DSLPhrase("Reverse")
    default: throw .noWord(type(of: operation).name)
    }
  }
}

extension NetconvError {
  fileprivate static func oneBias(_ name: String) -> NetconvError {
    NetconvError(.badData, "the language cannot express a \(name) that has one of its two biases")
  }
}
