import ModelIR

/// The errors of this module.
extension NetconvError {
  static func pickle(_ what: String, _ opcode: PickleOpcode, at offset: Int) -> NetconvError {
    NetconvError(
      .badData, "the pickle cannot be read: \(opcode.name) at byte \(offset) \(what)")
  }

  /// Adds the calls that Python would execute before it detects the error.
  func after(_ calls: [PickleCall]) -> NetconvError {
    guard !calls.isEmpty else { return self }
    var seen: Set<String> = []
    let names = calls.map(\.name).filter { seen.insert($0).inserted }
    let more = names.count > 12 ? " and \(names.count - 12) more" : ""
    var error = self
    error.list.append(
      Message(
        text: "until there Python would import or call: "
          + names.prefix(12).quotedList + more))
    return error
  }

  static func pickleTooLarge(_ what: String, limit: Int, at offset: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the pickle has more than \(limit) \(what) (at byte \(offset)), more than any network needs")
  }
}
