import Digests
import Files
import ModelIR
import Readers
import Zlib

extension ReadSource {
  /// Compares what is stored with every checksum that is stated for it, before anything is computed with the values:
  /// the manifest's SHA-256s, and the CRC-32s of an archive's entries that are read where they lie.
  ///
  /// - Returns: what was compared with a manifest.
  /// - Throws: `badData` naming the first entry or tensor that was changed, `inputOutput` or `interrupted`.
  func checkIntegrity(_ observer: Observer) throws(NetconvError) -> CheckedHashes {
    try checkEntries(observer)
    return try converted?.checkIntegrity(observer) ?? CheckedHashes()
  }

  /// Compares an archive's entries with their checksums, as far as reading the model did not.
  ///
  /// - Throws: as ``checkIntegrity(_:)``.
  func checkEntries(_ observer: Observer) throws(NetconvError) {
    for part in unchecked {
      var check = RunningCheck(part)
      var position = part.range.lowerBound
      try part.file.forEachChunk(in: part.range, of: 1 << 20) { chunk throws(NetconvError) in
        try observer.checkCancellation()
        check.update(chunk, at: position)
        position += chunk.count
      }
      try check.finish()
    }
  }
}

/// The checksum of a part of a file that passes by in pieces.
struct RunningCheck {
  private let part: UncheckedPart
  private var checksum = CRC32()

  init(_ part: UncheckedPart) {
    self.part = part
  }

  mutating func update(_ chunk: UnsafeRawBufferPointer, at position: Int) {
    let common = part.range.clamped(to: position..<position + chunk.count)
    guard !common.isEmpty else { return }
    let bytes = chunk[common.lowerBound - position..<common.upperBound - position]
    checksum.update(UnsafeRawBufferPointer(rebasing: bytes))
  }

  func finish() throws(NetconvError) {
    guard checksum.value == part.checksum else {
      throw NetconvError.wrongChecksum(part.name).inFile(part.file.path)
    }
  }
}

/// Tensors whose SHA-256 was compared with the manifest's.
struct CheckedHashes {
  /// How many; each counts once, in however many containers it is.
  var tensors = 0
  /// The containers in which they were compared: `bin`, `archive`.
  var containers: [String] = []
}

extension ConvertedSource {
  /// Compares every stored tensor with the manifest's SHA-256, in every format that is there.
  ///
  /// - Returns: what was compared.
  /// - Throws: `badData` naming the first tensor that was changed.
  func checkIntegrity(_ observer: Observer) throws(NetconvError) -> CheckedHashes {
    for copy in tensors + others {
      do {
        try copy.checkIntegrity(observer)
      } catch {
        throw error.inTensor(copy.record.role).inLayer(copy.record.layer).inFile(copy.file.path)
      }
    }
    return CheckedHashes(tensors: tensors.count, containers: tensors.isEmpty ? [] : formats)
  }

  /// Checks that every container is there that the manifest lists.
  ///
  /// - Throws: `badData` naming those that are gone.
  func checkComplete() throws(NetconvError) {
    if !missing.isEmpty { throw .missingContainers(missing, left: formats) }
  }
}

extension ConvertedSource.Copy {
  fileprivate func checkIntegrity(_ observer: Observer) throws(NetconvError) {
    var hash = SHA256()
    try file.forEachChunk(in: range, of: 1 << 20) { chunk throws(NetconvError) in
      try observer.checkCancellation()
      hash.update(chunk)
    }
    let digest = hexadecimal(hash.finalize())
    guard digest == record.sha256 else { throw .wrongHash(digest, expected: record.sha256) }
  }
}
