import Files
import ModelIR

/// The files of a checkpoint, which share a path prefix.
struct CheckpointFiles: Sendable {
  /// The common prefix of the paths: `model.ckpt-1000`.
  let prefix: String
  /// The index of a V2 checkpoint, or the files of a V1 checkpoint, usually one.
  let tables: [RandomAccessFile]
  /// The file that names the newest checkpoint, if it was used.
  private(set) var list: RandomAccessFile?

  static let indexEnding = ".index"
  /// The file in which TensorFlow records the newest checkpoint of a folder.
  static let listName = "checkpoint"
  private static let listStart = "model_checkpoint_path:"
  private static let listLimit = 1 << 20
  private static let partLimit = 1 << 12

  /// Opens the checkpoint with this prefix.
  ///
  /// - Throws: `cannotOpen` if there is none.
  init(prefix: String) throws(NetconvError) {
    let index = prefix + Self.indexEnding
    if FileState(path: index) != nil {
      try self.init(prefix: prefix, tables: [RandomAccessFile(path: index)])
    } else {
      try self.init(table: RandomAccessFile(path: prefix))
    }
  }

  private init(prefix: String, tables: [RandomAccessFile]) {
    self.prefix = prefix
    self.tables = tables
  }

  /// Opens the checkpoint of an index, or of a V1 file.
  private init(table: RandomAccessFile) throws(NetconvError) {
    let path = table.path
    if path.hasSuffix(Self.indexEnding) {
      self.init(prefix: String(path.dropLast(Self.indexEnding.count)), tables: [table])
    } else if let part = CheckpointPart(path, between: "-") {
      guard part.count <= Self.partLimit else {
        throw .tooManyParts(part.count, limit: Self.partLimit)
      }
      var tables: [RandomAccessFile] = []
      for number in 0..<part.count {
        let path = CheckpointPart.path(part.prefix + "-", number, of: part.count)
        guard FileState(path: path) != nil else {
          throw NetconvError.missingPart(number, count: part.count).inFile(path)
        }
        tables.append(number == part.number ? table : try RandomAccessFile(path: path))
      }
      self.init(prefix: part.prefix, tables: tables)
    } else {
      self.init(prefix: path, tables: [table])
    }
  }

  /// Opens the checkpoint of a path, which may be any of its files, a folder, or the list of a folder's checkpoints.
  ///
  /// - Throws: `cannotOpen` if a file is missing; `badData` if the choice of the checkpoint is ambiguous.
  init(_ probe: SourceProbe) throws(NetconvError) {
    if probe.names != nil {
      try self.init(folder: probe.path, probe.names ?? [])
    } else if probe.isCheckpointList {
      try self.init(list: probe.opened(), in: Directory.parent(of: probe.path))
    } else if let part = probe.valuesPart {
      try self.init(prefix: part.prefix)
    } else {
      try self.init(table: probe.opened())
    }
  }

  private init(folder: String, _ names: [String]) throws(NetconvError) {
    let indices = names.filter { $0.hasSuffix(Self.indexEnding) }
    if names.contains(Self.listName) {
      try self.init(list: RandomAccessFile(path: folder + "/" + Self.listName), in: folder)
    } else if let index = indices.first, indices.count == 1 {
      try self.init(prefix: folder + "/" + index.dropLast(Self.indexEnding.count))
    } else {
      throw .severalCheckpoints(indices)
    }
  }

  /// Opens the newest checkpoint of a list.
  private init(list: RandomAccessFile, in folder: String) throws(NetconvError) {
    do throws(NetconvError) {
      let text = String(decoding: try list.contents(limit: Self.listLimit), as: UTF8.self)
      guard
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix(Self.listStart) }),
        let name = TextFormat.string(line.dropFirst(Self.listStart.count)), !name.isEmpty
      else { throw .noCheckpointPath }
      try self.init(newest: name, in: folder)
    } catch {
      throw error.inFile(list.path)
    }
    self.list = list
  }

  /// Searches the folder of the list first, since a checkpoint may have been moved.
  private init(newest name: String, in folder: String) throws(NetconvError) {
    let inFolder = folder + "/" + Directory.lastComponent(of: name)
    let paths = [inFolder, name.hasPrefix("/") ? name : folder + "/" + name].map(Self.first)
    guard
      let path = paths.first(where: { path in
        FileState(path: path + Self.indexEnding) != nil || FileState(path: path) != nil
      })
    else { throw .noNewestCheckpoint(name) }
    try self.init(prefix: path)
  }

  /// Returns the first file of a sharded V1 checkpoint, which a list names by a pattern: `NAME-?????-of-00002`.
  private static func first(of path: String) -> String {
    let count = path.suffix(9)
    guard path.dropLast(count.count).hasSuffix("-?????") else { return path }
    return path.dropLast(count.count + 5) + "00000" + count
  }

  /// Opens a data file: `NAME.data-00000-of-00002`.
  ///
  /// - Throws: `cannotOpen` if it is missing.
  static func shard(
    _ prefix: String, _ number: Int, of count: Int
  ) throws(NetconvError) -> RandomAccessFile {
    let path = CheckpointPart.path(prefix + ".data-", number, of: count)
    guard FileState(path: path) != nil else {
      throw NetconvError.missingShard(number, count: count).inFile(path)
    }
    return try RandomAccessFile(path: path)
  }
}

/// The shard number at the end of a file name: `…-00000-of-00002`.
struct CheckpointPart: Sendable {
  let prefix: String
  let number: Int
  let count: Int

  /// Parses the shard number of a path; returns `nil` if there is none.
  init?(_ path: String, between separator: String) {
    // Five digits, `-of-`, five digits.
    let digits = 5
    let tail = path.suffix(2 * digits + 4)
    let (first, last) = (tail.prefix(digits), tail.suffix(digits))
    guard tail.dropFirst(digits).dropLast(digits) == "-of-",
      let number = Int(first), let count = Int(last), number >= 0, number < count,
      (first + last).allSatisfy({ $0.isASCII && $0.isNumber }),
      path.dropLast(tail.count).hasSuffix(separator)
    else { return nil }
    prefix = String(path.dropLast(tail.count + separator.count))
    self.number = number
    self.count = count
  }

  /// Returns the path of a shard.
  static func path(_ start: String, _ number: Int, of count: Int) -> String {
    "\(start)\(padded(number))-of-\(padded(count))"
  }

  /// Pads a number to five digits.
  private static func padded(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, 5 - text.count)) + text
  }
}

/// The text format of protocol buffers.
///
/// Source: protobuf.dev, "Text Format Language Specification".
enum TextFormat {
  /// Returns the string in a quoted value; `nil` if the value is not a string.
  static func string(_ value: some StringProtocol) -> String? {
    var rest = Array(value.utf8.drop { $0 == UInt8(ascii: " ") })[...]
    guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else { return nil }
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == quote { return String(validating: bytes, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard let escaped = rest.popFirst() else { return nil }
      if (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(escaped) {
        // An octal escape of up to three digits, used for bytes beyond ASCII.
        let others = rest.prefix(2).prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
        rest = rest.dropFirst(others.count)
        let number = ([escaped] + others).reduce(0) { $0 * 8 + Int($1 - UInt8(ascii: "0")) }
        bytes.append(UInt8(truncatingIfNeeded: number))
      } else {
        guard "\\'\"?".utf8.contains(escaped) else { return nil }
        bytes.append(escaped)
      }
    }
    return nil
  }
}

extension NetconvError {
  fileprivate static func missingPart(_ number: Int, count: Int) -> NetconvError {
    NetconvError(
      .cannotOpen,
      "is missing: the checkpoint has \(count) files, counted from 0; copy all of them to one folder"
    )
  }

  fileprivate static func tooManyParts(_ count: Int, limit: Int) -> NetconvError {
    NetconvError(.badData, "is one of \(count) files; of one checkpoint, \(limit) are read")
  }

  fileprivate static func noNewestCheckpoint(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "says that \(quoted(name)) is the newest checkpoint, but it is not there; name the one to read"
    )
  }

  fileprivate static var noCheckpointPath: NetconvError {
    NetconvError(.badData, "names no checkpoint: it has no line model_checkpoint_path: \"NAME\"")
  }

  fileprivate static func severalCheckpoints(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "is a folder with \(names.count) checkpoints, and without the file 'checkpoint' that says which is the newest; "
        + "name one", details: names.prefix(20).map { quoted($0) })
  }

  fileprivate static func missingShard(_ number: Int, count: Int) -> NetconvError {
    NetconvError(
      .cannotOpen,
      "is missing: the checkpoint has \(count) \(count == 1 ? "file" : "files") with values beside its index; "
        + "copy all of them to one folder")
  }
}
