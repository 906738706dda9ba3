import Files
import ModelIR
import Pickles
import Zlib

/// An open PyTorch file: its interpreted pickles and the locations of its storages.
///
/// Source: torch/serialization.py, `_save` and `_legacy_save`; caffe2/serialize/inline_container.h.
struct TorchFile: Sendable {
  /// The location of a storage's values.
  struct StoredBytes: Sendable {
    let file: RandomAccessFile
    let range: Range<Int>
  }

  /// The interpreted pickles; the network's is first.
  private(set) var interpreters: [TorchInterpreter] = []
  /// All pickles by their names in the file.
  private(set) var pickles: [(name: String, pickle: Pickle)] = []
  let byteOrder: ByteOrder
  /// The storages by key.
  private(set) var places: [String: StoredBytes] = [:]
  /// The entries of an archive whose checksums have yet to be verified.
  private(set) var unchecked: [UncheckedPart] = []

  /// Returns the location of a storage's values.
  ///
  /// - Throws: `badData` if the file does not contain all of them.
  func place(of storage: TorchStorage) throws(NetconvError) -> StoredBytes {
    guard let place = places[storage.key] else { throw .torchNoStorage(storage.key) }
    let expected = try product([storage.count, storage.type.byteCount])
    guard place.range.count >= expected else {
      throw .torchShortStorage(
        storage.key, found: place.range.count, count: storage.count, storage.type)
    }
    return place
  }
}

// MARK: - Archives

extension TorchFile {
  private static let pickleName = "data.pkl"
  private static let constantsName = "constants.pkl"
  /// The maximum number of pickles in an archive.
  private static let mostPickles = 64

  /// Returns the folder of an archive that contains the pickle; `nil` if it is not a PyTorch archive.
  static func folder(of archive: ZipArchive) -> String? {
    let pickles = archive.entries.map(\.name).filter { name in
      name == pickleName || name.hasSuffix("/" + pickleName)
    }
    let shortest = pickles.min { $0.utf8.count < $1.utf8.count }
    return shortest.map { String($0.dropLast(pickleName.utf8.count)) }
  }

  /// Opens the archive format of PyTorch 1.6 and later.
  ///
  /// - Throws: `badData` if the archive is damaged.
  init(_ archive: ZipArchive) throws(NetconvError) {
    let folder = Self.folder(of: archive) ?? ""
    byteOrder = try Self.byteOrder(archive, folder)
    let (constants, code) = (folder + Self.constantsName, folder + "code/")
    let isScript = archive.entries.contains { $0.name == constants || $0.name.hasPrefix(code) }
    try addStorages(of: archive, folder)
    let names = archive.entries.map(\.name).filter { $0.hasSuffix(".pkl") }
    guard names.count <= Self.mostPickles else { throw .torchPickles(names.count) }
    for entry in archive.entries where entry.name.hasSuffix(".pkl") {
      let place = try place(of: entry, in: archive)
      let pickle: Pickle
      do throws(NetconvError) {
        pickle = try Pickle(place.file, in: place.range)
      } catch {
        throw error.inTensor(entry.name)
      }
      pickles.append((entry.name, pickle))
      if entry.name == folder + Self.pickleName {
        interpreters.insert(
          TorchInterpreter(pickle: pickle, isScript: isScript, folder: "data/"), at: 0)
      } else if entry.name == constants {
        interpreters.append(
          TorchInterpreter(pickle: pickle, isScript: isScript, folder: "constants/"))
      }
    }
  }

  private static func byteOrder(
    _ archive: ZipArchive, _ folder: String
  ) throws(NetconvError) -> ByteOrder {
    guard let entry = archive.entry(named: folder + "byteorder") else { return .little }
    let text = String(decoding: try archive.contents(of: entry, limit: 64), as: UTF8.self)
    switch text {
    case "little": return .little
    case "big": return .big
    default: throw .torchByteOrder(text)
    }
  }

  /// Adds the entries `data/0`, `constants/0`, ….
  private mutating func addStorages(
    of archive: ZipArchive, _ folder: String
  ) throws(NetconvError) {
    var stored: [(range: Range<Int>, name: String)] = []
    stored.reserveCapacity(archive.entries.count)
    places.reserveCapacity(archive.entries.count)
    unchecked.reserveCapacity(archive.entries.count)
    for entry in archive.entries {
      guard
        let key = entry.name.utf8.starts(with: folder.utf8)
          ? String(Substring(entry.name.utf8.dropFirst(folder.utf8.count))) : nil,
        key.hasPrefix("data/") || key.hasPrefix("constants/")
      else { continue }
      places[key] = try place(of: entry, in: archive)
      if entry.method == 0, entry.storedSize > 0 { stored.append((entry.dataRange, entry.name)) }
    }
    stored.sort { $0.range.lowerBound < $1.range.lowerBound }
    for (first, second) in zip(stored, stored.dropFirst())
    where second.range.lowerBound < first.range.upperBound {
      throw .torchOverlap(first.name, second.name)
    }
  }

  /// Returns the bytes of an entry, and records its checksum for later verification.
  private mutating func place(
    of entry: ZipArchive.Entry, in archive: ZipArchive
  ) throws(NetconvError) -> StoredBytes {
    let bytes = try archive.bytes(of: entry)
    if let part = bytes.unchecked { unchecked.append(part) }
    return StoredBytes(file: bytes.file, range: bytes.range)
  }
}

// MARK: - Streams

extension TorchFile {
  /// The magic number at the start of every file, ten bytes.
  static let magic: [UInt8] = [0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19]
  private static let version = 1001

  /// Returns true if `prefix` is the start of a file from PyTorch before 1.6: a pickle of the magic number.
  static func isStream(_ prefix: [UInt8]) -> Bool {
    let start = prefix.prefix(32)
    return start.starts(with: "L119547037146038801333356L".utf8)
      || start.first == 0x80 && start.firstRange(of: [0x8a, 10] + magic) != nil
  }

  /// Opens the format of PyTorch before 1.6: pickles followed by storages, always little-endian.
  ///
  /// - Throws: `badData` if the file is damaged.
  init(stream file: RandomAccessFile) throws(NetconvError) {
    byteOrder = .little
    var position = 0
    for name in ["magic number", "version", "system", "object", "keys"] {
      let pickle: Pickle
      do throws(NetconvError) {
        pickle = try Pickle(file, in: position..<file.size)
      } catch {
        throw error.inTensor(name)
      }
      pickles.append((name, pickle))
      position = pickle.range.upperBound
    }
    guard pickles[1].pickle.root == .integer(Self.version) else { throw .torchVersion }
    let interpreter = TorchInterpreter(pickle: pickles[3].pickle)
    // Protocol 0 identifies persistent objects by text only.
    guard
      !interpreter.pickle.objects.contains(where: { object in
        if object.kind == .persistent, case .text = object.elements.first { true } else { false }
      })
    else { throw .torchProtocol }
    interpreters = [interpreter]
    try addStorages(of: file, from: position, interpreter)
  }

  /// Adds the storages, each an 8-byte count followed by the values.
  private mutating func addStorages(
    of file: RandomAccessFile, from start: Int, _ interpreter: TorchInterpreter
  ) throws(NetconvError) {
    var storages: [String: TorchStorage] = [:]
    for index in interpreter.pickle.objects.indices {
      guard let storage = interpreter.storage(.object(index)) else { continue }
      if let other = storages[storage.key] {
        guard other.type == storage.type, other.count == storage.count else {
          throw .torchTwoStorages(storage.key)
        }
      }
      storages[storage.key] = storage
    }
    let keys = pickles[4].pickle
    var position = start
    for value in keys[keys.root]?.elements ?? [] {
      guard case .text(let key) = value, let storage = storages[key] else {
        throw .torchUnknownStorage(position)
      }
      let count = try file.bytes(at: position, count: 8).reversed()
        .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      position += 8
      guard count == UInt64(storage.count) else {
        throw .torchWrongCount(key, found: count, expected: storage.count)
      }
      let size = try product([storage.count, storage.type.byteCount])
      guard size <= file.size - position else {
        throw .torchShortStorage(
          key, found: file.size - position, count: storage.count, storage.type)
      }
      guard places[key] == nil else { throw .torchTwoStorages(key) }
      places[key] = StoredBytes(file: file, range: position..<position + size)
      position += size
    }
  }

  // MARK: - Plain pickles

  /// Opens a pickle without persistent objects.
  ///
  /// - Parameter range: The byte range of the pickle; by default the whole file.
  /// - Throws: `badData` if the pickle is damaged.
  init(pickle file: RandomAccessFile, in range: Range<Int>? = nil) throws(NetconvError) {
    byteOrder = .little
    let pickle = try Pickle(file, in: range ?? 0..<file.size)
    pickles = [("pickle", pickle)]
    interpreters = [TorchInterpreter(pickle: pickle)]
  }
}

extension NetconvError {
  fileprivate static func torchByteOrder(_ text: String) -> NetconvError {
    NetconvError(.badData, "its byte order is \(quoted(text)), expected 'little' or 'big'")
  }

  fileprivate static func torchPickles(_ count: Int) -> NetconvError {
    NetconvError(.badData, "has \(count) pickles, more than any PyTorch program needs")
  }

  fileprivate static let torchVersion = NetconvError(
    .badData, "does not state version 1001, that of PyTorch before 1.6")

  fileprivate static let torchProtocol = NetconvError(
    .badData,
    "was written with protocol 0, in which the storages of tensors have no names that PyTorch reads; save it "
      + "again with another one")

  fileprivate static func torchNoStorage(_ key: String) -> NetconvError {
    NetconvError(
      .badData, "needs the storage \(quoted(key)), which is missing; the file is damaged")
  }

  fileprivate static func torchShortStorage(
    _ key: String, found: Int, count: Int, _ type: TorchType
  ) -> NetconvError {
    NetconvError(
      .badData,
      "the storage \(quoted(key)) has \(found) bytes, expected \(count) values of \(type.name); copy or download "
        + "the file again")
  }

  fileprivate static func torchOverlap(_ first: String, _ second: String) -> NetconvError {
    NetconvError(
      .badData,
      "the storages \(quoted(first)) and \(quoted(second)) overlap in the file, which is damaged")
  }

  fileprivate static func torchTwoStorages(_ key: String) -> NetconvError {
    NetconvError(.badData, "two storages are named \(quoted(key)); the file is damaged")
  }

  fileprivate static func torchUnknownStorage(_ position: Int) -> NetconvError {
    NetconvError(
      .badData, "no tensor has the storage at byte \(position); the file is damaged")
  }

  fileprivate static func torchWrongCount(_ key: String, found: UInt64, expected: Int)
    -> NetconvError
  {
    NetconvError(
      .badData,
      "the storage \(quoted(key)) has \(found) values, expected \(expected); the file is damaged")
  }
}
