import ModelIR

/// Differences between the model and the graph, by the nodes concerned.
struct GraphNotes {
  enum Kind: CaseIterable {
    /// An input whose batch size is fixed.
    case batch
    /// Dropout with a fixed rate, which would be applied at inference too.
    case dropout
    /// A fed flag that was assumed to be false.
    case flag
    /// A graph without a batch, or one that mixes the samples of a fixed-size batch.
    case whole
    /// An output that is the same for all samples.
    case constantOutput
    /// States that the TensorFlow Lite interpreter keeps between runs.
    case states
    /// Cell clipping in recurrent layers.
    case cellLimit

    fileprivate var text: String {
      switch self {
      case .batch:
        "the first axis of an input is taken for the batch, though it is neither open nor 1"
      case .dropout:
        "dropout is left out, as after training, though the graph states a rate of its own"
      case .flag: "truth values that are fed are taken to be false, as after training"
      case .whole:
        "the graph has no batch of samples that are independent, and is read as one sample; arrays of samples "
          + "have one more axis in front"
      case .states:
        "states begin with zeros for each sample, as after the interpreter's reset_all_variables(), without which it goes "
          + "on where the sample before has ended"
      case .cellLimit:
        "the limit of a recurrent layer's cells is left out: outputs are others than the interpreter's where a cell would go "
          + "beyond it"
      case .constantOutput: "outputs that do not depend on what is fed are left out"
      }
    }
  }

  private var nodes: [Kind: [String]] = [:]

  mutating func add(_ kind: Kind, _ node: String) {
    if !nodes[kind, default: []].contains(node) { nodes[kind, default: []].append(node) }
  }

  /// The notes for users.
  var sourceNotes: [SourceNote] {
    Kind.allCases.compactMap { kind in
      nodes[kind].map { names in
        SourceNote(text: kind.text, details: names.map { quoted($0) }, isWarning: true)
      }
    }
  }
}
