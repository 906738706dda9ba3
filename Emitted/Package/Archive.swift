import CryptoKit
import Foundation
import Metal

/// What is wrong with the weights, or with the device.
public struct NAMEError: Error, CustomStringConvertible {
  /// What it is, in words.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// `NAME.netpack`, mapped into memory once and used where it lies.
///
/// The file is a ZIP whose entries are stored as they are. Its `manifest.json` lists the tensors.
public final class NAMEArchive {
  private let base: UnsafeMutableRawPointer
  private let size: Int
  private let tensors: [Entry]
  /// What tells these weights from others: the SHA-256 of the tensors' own, one after the other.
  public let weights: String
  #if folds
  /// Layers whose work the kernels before them do.
  let folded: Set<String>
  #endif

  /// A tensor that the manifest lists.
  private struct Entry {
    let layer: String
    let role: String
    let shape: [Int]
    let isHalf: Bool
    let range: Range<Int>
  }

  /// Maps the file, and checks length and SHA-256 of each tensor.
  public init(contentsOf url: URL) throws {
    (base, size) = try Self.map(url)
    do {
      let file = UnsafeRawBufferPointer(start: base, count: size)
      guard let range = try NAMEDirectory(file).entries["manifest.json"] else {
        throw NAMEError("no manifest.json")
      }
      let manifest = try NAMERecord(
        json: Data(bytes: base + range.lowerBound, count: range.count))
      try Self.checkFormat(manifest)
      let records = try manifest.records("tensors")
      tensors = try records.map { try Self.entry($0, in: file) }
      weights = try Self.hash(of: records)
      #if folds
      let folding = try? manifest.record("folded")
      folded = try Set(folding?.records("layers").map { try $0.value("layer") } ?? [])
      #endif
    } catch {
      munmap(base, size)
      throw NAMEError("\(url.path): \(error)")
    }
  }

  deinit { munmap(base, size) }

  /// The file as a buffer, for kernels of your own: `NAMETensor.offset` is where a tensor begins in it.
  ///
  /// Nothing is copied, which needs whole pages; the mapping has them, with zeros behind the end of the file.
  public func makeBuffer(device: MTLDevice) -> MTLBuffer? {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    return device.makeBuffer(
      bytesNoCopy: base, length: (size + page - 1) / page * page, options: .storageModeShared,
      // The mapping has to live as long as the buffer.
      deallocator: { _, _ in withExtendedLifetime(self) {} })
  }

  /// A parameter of a layer, or nil if the layer has none of that role.
  public func tensor(_ layer: String, _ role: String) -> NAMETensor? {
    guard let entry = tensors.first(where: { $0.layer == layer && $0.role == role }) else {
      return nil
    }
    return NAMETensor(
      owner: self, offset: entry.range.lowerBound, shape: entry.shape, isHalf: entry.isHalf,
      pointer: base + entry.range.lowerBound)
  }

  private static func map(_ url: URL) throws -> (UnsafeMutableRawPointer, Int) {
    let descriptor = open(url.path, O_RDONLY)
    guard descriptor >= 0 else { throw NAMEError("\(url.path) cannot be opened") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 0,
      let base = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0),
      base != MAP_FAILED
    else { throw NAMEError("\(url.path) cannot be mapped") }
    return (base, Int(status.st_size))
  }

  private static func checkFormat(_ manifest: NAMERecord) throws {
    let format: String = try manifest.value("format")
    let version: Int = try manifest.value("version")
    let target: String = try manifest.value("target")
    guard format == "netconv-manifest", version == 1, target == "TARGET" else {
      throw NAMEError(
        "\(format) \(version) for \(target), expected netconv-manifest 1 for TARGET")
    }
  }

  /// A tensor of the manifest, if there are as many values as its shape says, and they have the hash.
  private static func entry(
    _ record: NAMERecord, in file: UnsafeRawBufferPointer
  ) throws -> Entry {
    let name: String = try record.value("name")
    let type: String = try record.value("dtype")
    let shape: [Int] = try record.value("shape")
    let place = try record.record("places").record("archive")
    let offset: Int = try place.value("offset")
    let count = shape.reduce(1, *) * (type == "float16" ? 2 : 4)
    guard type == "float16" || type == "float32", try place.value("length") == count,
      offset >= 0, count <= file.count - offset
    else { throw NAMEError("\(name) is no \(type) of \(shape)") }
    let range = offset..<offset + count
    try check(
      UnsafeRawBufferPointer(rebasing: file[range]), name, sha256: record.value("sha256"))
    return try Entry(
      layer: record.value("layer"), role: record.value("role"), shape: shape,
      isHalf: type == "float16", range: range)
  }

  /// Checks that bytes have a SHA-256.
  public static func check(
    _ bytes: UnsafeRawBufferPointer, _ name: String, sha256: String
  ) throws {
    var hash = SHA256()
    hash.update(bufferPointer: bytes)
    guard text(of: hash) == sha256 else { throw NAMEError("\(name) is not what was written") }
  }

  private static func hash(of tensors: [NAMERecord]) throws -> String {
    var hash = SHA256()
    for tensor in tensors {
      let text: String = try tensor.value("sha256")
      Array(text.utf8).withUnsafeBytes { hash.update(bufferPointer: $0) }
    }
    return Self.text(of: hash)
  }

  private static func text(of hash: SHA256) -> String {
    hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

// Nothing changes after it was made.
extension NAMEArchive: @unchecked Sendable {}

/// A parameter in memory.
public struct NAMETensor {
  /// Keeps the memory: the mapped archive, or a copy.
  let owner: AnyObject
  /// Where the values begin in the file of the archive, in bytes.
  public let offset: Int
  /// Sizes, in the order in which the values lie.
  public let shape: [Int]
  /// Whether the values are halves; otherwise they are floats.
  public let isHalf: Bool
  /// The first value.
  ///
  /// The memory is read-only, whatever Metal's interfaces say.
  public let pointer: UnsafeMutableRawPointer

  /// The number of values.
  public var count: Int { shape.reduce(1, *) }

  #if tensorFloats
  /// The values of a tensor of floats.
  var floats: UnsafeMutablePointer<Float> { pointer.assumingMemoryBound(to: Float.self) }
  #endif

  #if tensorData
  /// The values where they lie; the data keeps the memory.
  var data: Data {
    Data(
      bytesNoCopy: pointer, count: count * (isHalf ? 2 : 4),
      deallocator: .custom { _, _ in withExtendedLifetime(owner) {} })
  }
  #endif
}
