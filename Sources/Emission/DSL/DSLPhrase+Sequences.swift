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
      [
        recurrence.returns == .last ? nil : "returns: .\(recurrence.returns)",
        recurrence.goesBackwards ? "goesBackwards: true" : nil, mask.map { "mask: \($0)" },
        recurrence.takesState ? "initialState: " + state(Array(reads)) : nil,
        recurrence.zerosMasked ? "zerosMasked: true" : nil, biases,
      ])
    phrase.furtherReads = (mask == nil ? 0 : 1) + reads.count
    return phrase
  }

  private static func word(
    _ operation: any RecurrentOperator, _ end: [String?]
  ) throws(NetconvError) -> DSLPhrase {
    func activations(
      _ activation: ActivationFunction, _ recurrent: ActivationFunction = .sigmoid
    ) -> [String?] {
      [
        "units: \(operation.units)",
        activation == .tanh ? nil : "activation: " + activation.swiftText,
        recurrent == .sigmoid ? nil : "recurrentActivation: " + recurrent.swiftText,
      ]
    }
    switch operation {
    case let operation as SimpleRNN:
      return DSLPhrase("SimpleRNN", activations(operation.activation) + end)
    case let operation as LSTM:
      return DSLPhrase(
        "LSTM", activations(operation.activation, operation.recurrentActivation) + end)
    case let operation as GRU:
      return DSLPhrase(
        "GRU",
        activations(operation.activation, operation.recurrentActivation)
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
