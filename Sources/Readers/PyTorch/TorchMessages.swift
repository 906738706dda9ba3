import ModelIR

/// The errors of the PyTorch reader.
extension NetconvError {
  static let torchArguments = NetconvError(
    .badData, "is rebuilt by a function that PyTorch does not use for tensors; the file is damaged")

  static func torchUnread(_ what: String) -> NetconvError {
    NetconvError(.badData, "is \(what)")
  }

  static func torchRanks(sizes: [Int], strides: [Int]) -> NetconvError {
    NetconvError(
      .badData, "has \(sizes.count) sizes and \(strides.count) strides; the file is damaged")
  }

  static func torchBackwards(offset: Int, strides: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "has the offset \(offset) and the strides \(strides), expected none below 0; the file is damaged"
    )
  }

  static func torchOutside(
    _ sizes: [Int], _ strides: [Int], offset: Int, room: Int
  ) -> NetconvError {
    NetconvError(
      .badData,
      "reaches beyond its storage of \(room) values: \(sizes) with strides \(strides) from \(offset) on; the "
        + "file is damaged")
  }

  static func torchRepeated(_ sizes: [Int], room: Int, limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "repeats the \(room) values of its storage as \(sizes), more than \(limit) in all; save it after "
        + "tensor.contiguous()")
  }

  static func torchTooDeep(limit: Int) -> NetconvError {
    NetconvError(.badData, "has tensors in more than \(limit) nested dictionaries")
  }

  static func torchTooManyMembers(limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "nests containers with more than \(limit) members in all, more than any network needs")
  }

  static func torchTooMany(limit: Int) -> NetconvError {
    NetconvError(.badData, "has more than \(limit) tensors, shared ones counted each time")
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

  static func torchRefused(_ tensors: [(name: String, error: NetconvError)]) -> NetconvError {
    let listed = tensors.prefix(20).map { "\(quoted($0.name)) \($0.error.text)" as Message }
    let more: [Message] = tensors.count > 20 ? ["and \(tensors.count - 20) more"] : []
    return NetconvError(
      .badData,
      text: tensors.count == 1
        ? "has a tensor that netconv does not read"
        : "has \(tensors.count) tensors that netconv does not read", list: listed + more)
  }

  static func torchTwice(_ name: String) -> NetconvError {
    NetconvError(.badData, "the tensor \(quoted(name)) occurs twice")
  }

  // MARK: - Containers

  static func torchByteOrder(_ text: String) -> NetconvError {
    NetconvError(.badData, "its byte order is \(quoted(text)), expected 'little' or 'big'")
  }

  static func torchPickles(_ count: Int) -> NetconvError {
    NetconvError(.badData, "has \(count) pickles, more than any PyTorch program needs")
  }

  static let torchVersion = NetconvError(
    .badData, "does not state version 1001, that of PyTorch before 1.6")

  static let torchProtocol = NetconvError(
    .badData,
    "was written with protocol 0, in which the storages of tensors have no names that PyTorch reads; save it "
      + "again with another one")

  static func torchNoStorage(_ key: String) -> NetconvError {
    NetconvError(
      .badData, "needs the storage \(quoted(key)), which is missing; the file is damaged")
  }

  static func torchShortStorage(
    _ key: String, found: Int, count: Int, _ type: TorchType
  ) -> NetconvError {
    NetconvError(
      .badData,
      "the storage \(quoted(key)) has \(found) bytes, expected \(count) values of \(type.name); copy or download "
        + "the file again")
  }

  static func torchOverlap(_ first: String, _ second: String) -> NetconvError {
    NetconvError(
      .badData,
      "the storages \(quoted(first)) and \(quoted(second)) overlap in the file, which is damaged")
  }

  static func torchTwoStorages(_ key: String) -> NetconvError {
    NetconvError(.badData, "two storages are named \(quoted(key)); the file is damaged")
  }

  static func torchUnknownStorage(_ position: Int) -> NetconvError {
    NetconvError(
      .badData, "no tensor has the storage at byte \(position); the file is damaged")
  }

  static func torchWrongCount(_ key: String, found: UInt64, expected: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the storage \(quoted(key)) has \(found) values, expected \(expected); the file is damaged")
  }
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
