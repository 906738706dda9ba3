import ModelIR

/// The errors of the PyTorch reader.
extension NetconvError {
  static let torchArguments = NetconvError(
    .badData, "is rebuilt by a function that PyTorch does not use for tensors; the file is damaged")

  static func torchUnread(_ what: String) -> NetconvError {
    NetconvError(.badData, "is \(what)")
  }

  static let torchNoTensors = NetconvError(
    .badData,
    text:
      "holds no tensors that netconv recognises; save the network's state_dict() with torch.save")

  /// Returns the error with the number of tensors in unknown objects.
  func naming(hidden count: Int) -> NetconvError {
    guard self == .torchNoTensors, count > 0 else { return self }
    return NetconvError(
      .badData,
      text:
        "holds \(count) \(count == 1 ? "tensor" : "tensors"), but in objects that only Python code explains; "
        + "save the network's state_dict() with torch.save")
  }

  static func torchSeveralEntries(_ entries: [TorchEntries.Entry]) -> NetconvError {
    NetconvError(
      .badData,
      text: "holds \(entries.count) sets of weights; choose one with \(.entry)",
      list: entries.prefix(entriesListed).map(\.text).messages)
  }

  static func torchNoEntry(_ name: String, _ entries: [TorchEntries.Entry]) -> NetconvError {
    NetconvError(
      .usage, text: "\(.entry) names \(quoted(name)), which holds no weights; there are",
      list: entries.prefix(entriesListed).map(\.text).messages)
  }

  private static let entriesListed = 20

  // MARK: - Containers
}

// MARK: - Notes

extension TorchTensors {
  private static let namesListed = 12

  /// Remarks for the user about the tensors that were read.
  ///
  /// - Parameter hidden: The number of tensors in unknown objects.
  func notes(_ entries: TorchEntries?, hidden: Int) -> [SourceNote] {
    [
      entries.flatMap(chosenNote), entries.flatMap(leftOutNote), sharedNote, hiddenNote(hidden),
    ].compactMap(\.self)
  }

  private func chosenNote(_ entries: TorchEntries) -> SourceNote? {
    guard let chosen = entries.chosen else { return nil }
    return SourceNote(
      text: "the weights are those of \(quoted(chosen))",
      details: entries.others.map { "there is also \($0.text)" }, isWarning: false)
  }

  private func leftOutNote(_ entries: TorchEntries) -> SourceNote? {
    guard !entries.leftOut.isEmpty else { return nil }
    let byRole = Dictionary(grouping: entries.leftOut, by: \.role)
    let count = entries.leftOut.count
    return SourceNote(
      text: count == 1
        ? "1 tensor is not a weight and was left out"
        : "\(count) tensors are not weights and were left out",
      details: TorchRole.allCases.compactMap { role in
        byRole[role].map { "\(role.plural): \(SourceNote.list($0.map(\.name)))" }
      }, isWarning: false)
  }

  private var sharedNote: SourceNote? {
    guard !shared.isEmpty else { return nil }
    return SourceNote(
      text: "tensors share their values, and each is written on its own",
      details: shared.prefix(Self.namesListed).map { SourceNote.list($0) }, isWarning: false)
  }

  private func hiddenNote(_ count: Int) -> SourceNote? {
    guard count > 0 else { return nil }
    return SourceNote(
      text: count == 1
        ? "1 tensor is left out, in an object that only Python code explains"
        : "\(count) tensors are left out, in objects that only Python code explains",
      details: [], isWarning: true)
  }
}
