import Documents
import ModelIR

/// The errors of the TensorFlow checkpoint reader.
extension NetconvError {
  // MARK: - Tables

  static var noTable: NetconvError {
    NetconvError(
      .badData,
      "does not end like a TensorFlow checkpoint file; it is truncated, damaged, or another file"
    )
  }

  static func tableCutOff(at offset: Int) -> NetconvError {
    NetconvError(
      .badData, "its table is damaged at byte \(offset): an entry extends beyond its end")
  }

  static func tableOrder(at offset: Int) -> NetconvError {
    NetconvError(.badData, "its table is damaged at byte \(offset): entries are out of order")
  }

  static func blockOutside(_ offset: Int, size: Int, end: Int, at place: Int) -> NetconvError {
    NetconvError(
      .badData,
      "its table is damaged at byte \(place): a block of \(size) bytes from byte \(offset) on would go "
        + "beyond byte \(end)")
  }

  static func snappyBlock(at offset: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the block at byte \(offset) is compressed with Snappy, which netconv does not read; TensorFlow writes "
        + "checkpoints without compression, so save it again with TensorFlow")
  }

  static func wrongCompression(_ type: Int, at offset: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the block at byte \(offset) has the compression \(type), expected 0 (none); the file is damaged"
    )
  }

  static func damagedBlock(at offset: Int) -> NetconvError {
    NetconvError(
      .badData, "the block at byte \(offset) does not match its checksum; the file is damaged")
  }

  static func tooManyEntries(_ limit: Int) -> NetconvError {
    NetconvError(.badData, "holds more than \(limit) entries, more than any network needs")
  }

  static func tooManyKeyBytes(_ limit: Int) -> NetconvError {
    NetconvError(.badData, "holds more than \(limit) bytes of names, more than any network needs")
  }

  // MARK: - Variables

  static var noCheckpointHeader: NetconvError {
    NetconvError(
      .badData, "is a table, but not of a TensorFlow checkpoint: it does not begin with a header")
  }

  static func newerCheckpoint(_ version: Int, known: Int) -> NetconvError {
    NetconvError(
      .badData,
      "is for readers of version \(version) of the format, netconv knows version \(known)")
  }

  static func wrongEndianness(_ value: Int) -> NetconvError {
    NetconvError(.badData, "its order of bytes is \(value), expected 0 (little) or 1 (big)")
  }

  static func variableNotUTF8(at offset: Int) -> NetconvError {
    NetconvError(.badData, "the name of the variable at byte \(offset) is not text in UTF-8")
  }

  static var unknownVariableShape: NetconvError {
    NetconvError(
      .badData, "its shape is not known; a variable in a checkpoint has a size for each axis")
  }

  static func tooLargeVariable(_ shape: [Int]) -> NetconvError {
    NetconvError(.badData, "its shape \(shape) has more values than can be counted")
  }

  static func wrongVariableType(_ type: TensorFlowType) -> NetconvError {
    NetconvError(.badData, "holds values of the type \(type), which are not weights")
  }

  static func wrongVariableSize(
    _ found: Int, expected: Int, shape: [Int], type: ElementType
  ) -> NetconvError {
    NetconvError(
      .badData, "has \(found) bytes, expected \(expected) (\(shape) of \(type.rawValue))")
  }

  static func variableOutside(_ offset: Int, size: Int, fileSize: Int) -> NetconvError {
    NetconvError(
      .badData,
      "its \(size) bytes from byte \(offset) on go beyond the end of the file, which holds \(fileSize); the "
        + "file is truncated or damaged")
  }

  static func repeatedVariable(in other: String) -> NetconvError {
    NetconvError(.badData, "is also in \(quoted(other)), and complete in neither or both")
  }

  static func otherVariable(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "its values are said to be those of \(quoted(name)); the file is damaged")
  }

  static var noVariableValues: NetconvError {
    NetconvError(.badData, "the file has a key for it, but no values; it is damaged")
  }

  static func splitValues(_ type: TensorFlowType) -> NetconvError {
    NetconvError(
      .badData,
      "its values of \(type) are stored in several pieces, which TensorFlow does not write")
  }

  static func wrongVarintBytes(_ found: Int, count: Int, _ type: ElementType) -> NetconvError {
    NetconvError(
      .badData,
      "\(found) bytes cannot be \(count) values of \(type.rawValue), each with 1 to 10 bytes")
  }

  static func wrongVarintCount(expected: Int, at offset: Int) -> NetconvError {
    NetconvError(
      .badData, "does not hold \(expected) values, as byte \(offset) shows; the file is damaged")
  }

  static func varintOutside(_ type: ElementType, at offset: Int) -> NetconvError {
    NetconvError(
      .badData, "the number at byte \(offset) is none of \(type.rawValue); the file is damaged")
  }

  // MARK: - Slices

  static func tooManySliceAxes(_ limit: Int) -> NetconvError {
    NetconvError(.badData, "has more than \(limit) axes")
  }

  static func wrongSlice(_ slice: TensorSlice, _ shape: [Int]) -> NetconvError {
    NetconvError(.badData, "its slice \(slice) is outside its shape \(shape)")
  }

  static func tooManySlices(limit: Int) -> NetconvError {
    NetconvError(.badData, "has more than \(limit) slices, more than any partitioned variable")
  }

  static func missingSlice(_ slice: TensorSlice) -> NetconvError {
    NetconvError(.badData, "its slice \(slice) is not in the checkpoint")
  }

  static func otherSlice(
    _ slice: TensorSlice, _ shape: [Int], _ type: TensorFlowType
  ) -> NetconvError {
    NetconvError(
      .badData,
      "its slice \(slice) holds \(shape) of \(type), unlike the whole variable")
  }

  static func incompleteSlices(_ count: Int, _ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "its \(count) slices do not hold each value of \(shape) once; save the whole checkpoint again"
    )
  }

  // MARK: - Objects

  static func noSuchObject(_ number: Int, count: Int) -> NetconvError {
    NetconvError(
      .badData, "refers to object \(number), but there are \(count); the file is damaged")
  }

  static func tooManyObjects(_ limit: Int) -> NetconvError {
    NetconvError(.badData, "holds more than \(limit) objects and names of objects")
  }

  static var wrongText: NetconvError {
    NetconvError(
      .badData, "the text does not match its length and checksum; the file is damaged")
  }

  // MARK: - Names

  static func renamesNothing(_ name: String, among names: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text: "\(.renames) names \(quoted(name)), which is not a weight of the checkpoint"
        + Message(text: didYouMean(path: name, among: names)))
  }

  static func renamesLeftOut(_ name: String, _ role: CheckpointRole) -> NetconvError {
    NetconvError(
      .usage,
      text: "\(.renames) names \(quoted(name)), which is left out: it is one of the \(role.plural)")
  }

  static func renamedToOne(_ name: String) -> NetconvError {
    NetconvError(
      .usage, text: "with \(.renames) two weights would be named \(quoted(name))")
  }

  static var noRenames: NetconvError {
    NetconvError(
      .usage, "is not a JSON object of names, such as {\"Variable\": \"conv1/kernel\"}")
  }

  static func wrongRename(_ name: String, _ value: JSONValue) -> NetconvError {
    NetconvError(.usage, "\(quoted(name)) is \(value), expected a non-empty name")
  }

  static func ambiguousScopes(_ scopes: [String]) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "the checkpoint has several scopes of this name; give the right one the layer's whole path with "
        + "\(.renames)", list: scopes.prefix(20).map { Message(text: quoted($0)) })
  }

  static func noWeightsInCheckpoint(_ leftOut: [String]) -> NetconvError {
    NetconvError(.badData, "holds no weights", details: leftOut)
  }

  static func noArchitectureInCheckpoint(
    _ count: Int, leftOut: Int, graph: String?
  ) -> NetconvError {
    let others =
      leftOut == 0 ? "" : " and \(leftOut) other \(leftOut == 1 ? "variable" : "variables")"
    if let graph {
      return NetconvError(
        .badData,
        text:
          "holds \(count) \(count == 1 ? "weight" : "weights")\(others); the graph is in \(quoted(graph)) beside it, so name that"
          + weightsAlone)
    }
    return NetconvError(
      .badData,
      text:
        "holds \(count) \(count == 1 ? "weight" : "weights")\(others), but no architecture; pass the output of model.to_json() with "
        + "\(.architectureFile)" + weightsAlone)
  }

  // MARK: - Files

  static func wrongShard(_ number: Int, count: Int) -> NetconvError {
    NetconvError(
      .badData, "is in file \(number) of values, but there are \(count), counted from 0")
  }

  static func missingPart(_ number: Int, count: Int) -> NetconvError {
    NetconvError(
      .cannotOpen,
      "is missing: the checkpoint has \(count) files, counted from 0; copy all of them to one folder"
    )
  }

  static func tooManyParts(_ count: Int, limit: Int) -> NetconvError {
    NetconvError(.badData, "is one of \(count) files; of one checkpoint, \(limit) are read")
  }

  static func noNewestCheckpoint(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "says that \(quoted(name)) is the newest checkpoint, but it is not there; name the one to read"
    )
  }

  static var noCheckpointPath: NetconvError {
    NetconvError(.badData, "names no checkpoint: it has no line model_checkpoint_path: \"NAME\"")
  }

  static func severalCheckpoints(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "is a folder with \(names.count) checkpoints, and without the file 'checkpoint' that says which is the newest; "
        + "name one", details: names.prefix(20).map { quoted($0) })
  }

  static func missingShard(_ number: Int, count: Int) -> NetconvError {
    NetconvError(
      .cannotOpen,
      "is missing: the checkpoint has \(count) \(count == 1 ? "file" : "files") with values beside its index; "
        + "copy all of them to one folder")
  }
}
