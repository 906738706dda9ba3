import ModelIR
import Operators

// Layers that go through sequences, and what says which of their steps count.
extension DSLPhrase {
  /// - Throws: `badData` if it has the second of two biases alone.
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

  /// A recurrent layer whose products are convolutions.
  ///
  /// - Throws: `badData` if there is no word for it.
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

  private static func films<Space: SpokenAxes>(
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

  /// What differs from the activations that are usual.
  private static func activations(
    _ activation: ActivationFunction, _ recurrent: ActivationFunction = .sigmoid
  ) -> [String?] {
    [
      activation == .tanh ? nil : "activation: " + activation.swiftText,
      recurrent == .sigmoid ? nil : "recurrentActivation: " + recurrent.swiftText,
    ]
  }

  /// How a layer goes through a sequence.
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

  /// The first state of each kind: of two, the second is the cell's.
  private static func state(_ reads: [String]) -> String {
    reads.count == 2 ? "(hidden: \(reads[0]), cell: \(reads[1]))" : reads[0]
  }

  /// What has to do with steps and computes little.
  ///
  /// - Throws: `badData` if there is no word for it.
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
