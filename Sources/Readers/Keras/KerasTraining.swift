import ModelIR

/// Support for calls with `training=True`: such a layer runs in training mode during inference as well.
extension KerasLayerConfig {
  /// True if the output in training mode is random.
  fileprivate var isRandomInTraining: Bool {
    if KerasIdentity.classNames.contains(className) {
      return !Self.neverRandom.contains(className) && settings["rate"]?.double != 0
    }
    if KerasRandomCrop.classNames.contains(className) { return true }
    guard KerasRecurrent.stateCount(of: className) != nil else { return false }
    return ["dropout", "recurrent_dropout"].contains { settings[$0]?.double ?? 0 != 0 }
  }

  private static let neverRandom: Set<String> = ["ActivityRegularization", "Identity"]

  /// Checks that the layer's output is the same in training mode.
  ///
  /// - Throws: `badData` if it uses statistics other than those in the file.
  ///
  /// Source: keras/src/layers/normalization/batch_normalization.py, `call`; the same in Keras 2, whose first version
  /// uses the batch's statistics even if the layer is not trainable.
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
  /// Reports layers whose outputs are random during inference; `nil` if there are none.
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

  /// Reports models in which the names of the weights contradict their order; `nil` if there are none.
  static func contradicted(_ groups: [String]) -> SourceNote? {
    guard !groups.isEmpty else { return nil }
    return SourceNote(
      text:
        "the names of weights are those of other layers than Keras loads them into; they were read as "
        + "Keras loads them, by their order",
      details: groups.map { quoted($0) }, isWarning: true)
  }

  /// Reports layers whose weights have different names; `nil` if there are none.
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
