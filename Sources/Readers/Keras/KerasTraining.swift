import ModelIR

/// What comes of a call that states `training=True`: the layer then acts so outside of training, too.
extension KerasLayerConfig {
  /// Whether the layer gives other numbers each time when it acts as in training.
  fileprivate var isRandomInTraining: Bool {
    if KerasIdentity.classNames.contains(className) {
      return !Self.neverRandom.contains(className) && settings["rate"]?.double != 0
    }
    if KerasRandomCrop.classNames.contains(className) { return true }
    guard KerasRecurrent.stateCount(of: className) != nil else { return false }
    return ["dropout", "recurrent_dropout"].contains { settings[$0]?.double ?? 0 != 0 }
  }

  private static let neverRandom: Set<String> = ["ActivityRegularization", "Identity"]

  /// Checks that the layer computes the same when it acts as in training.
  ///
  /// - Throws: `badData` if it takes other numbers than those that the file holds.
  ///
  /// Source: keras/src/layers/normalization/batch_normalization.py, `call`; the same in Keras 2, whose first version
  /// takes those of the batch even if it is not trained.
  func requireSameInTraining() throws(NetconvError) {
    if KerasBatchNormalization.classNames.contains(className),
      isTrained || className == KerasBatchNormalization.firstVersion
    {
      throw .normalizesByEachBatch
    }
    if wrapper != nil { throw .normalizesKernel }
  }
}

extension SourceNote {
  /// Layers that draw random numbers although the model is not trained; `nil` if there are none.
  static func random(_ architecture: KerasArchitecture) -> SourceNote? {
    var seen: Set<String> = []
    let names = architecture.nodes.filter {
      $0.isTraining && $0.operation == nil && $0.layer.isRandomInTraining
        && seen.insert($0.owner).inserted
    }.map(\.owner)
    guard !names.isEmpty else { return nil }
    return SourceNote(
      text: (names.count == 1 ? "1 layer is" : "\(names.count) layers are")
        + " called with training=True and draw random numbers in Keras each time; here they do not, so "
        + "predictions differ from Keras's",
      details: names.map { quoted($0) }, isWarning: true)
  }

  /// Models in which names of weights and their order tell different things; `nil` if there are none.
  static func contradicted(_ groups: [String]) -> SourceNote? {
    guard !groups.isEmpty else { return nil }
    return SourceNote(
      text:
        "the names of weights are those of other layers than Keras loads them into; they were read as "
        + "Keras loads them, by their order",
      details: groups.map { quoted($0) }, isWarning: true)
  }

  /// Layers whose weights are called otherwise; `nil` if there are none.
  static func otherGroups(_ groups: [String: String]) -> SourceNote? {
    guard !groups.isEmpty else { return nil }
    return SourceNote(
      text:
        "the weights are those of layers with other names; they were read in the order of the layers, as Keras "
        + "loads them",
      details: groups.sorted { $0.key < $1.key }.prefix(20).map {
        "\(quoted($0.key)): \(quoted($0.value))"
      }, isWarning: false, isDecision: true)
  }
}

extension NetconvError {
  static let normalizesByEachBatch = NetconvError(
    .badData,
    "it is called with training=True, so it normalises by the mean and variance of each batch, not by those "
      + "that the file holds; call it without that and save the model again")

  static let normalizesKernel = NetconvError(
    .badData,
    "it is called with training=True, so it normalises its kernel again in each call; call it without that and save the "
      + "model again")
}
