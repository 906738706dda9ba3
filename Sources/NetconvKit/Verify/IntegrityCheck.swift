import Digests
import Documents
import Files
import ModelIR
import Readers
import Zlib

extension ReadSource {
  /// Verifies all checksums of stored values before anything is computed with them: the manifest's SHA-256s, the
  /// CRC-32s of archive entries that are read in place, and the CRC-32Cs of a checkpoint's tensors.
  ///
  /// - Returns: the hashes that were compared with a manifest.
  /// - Throws: `badData` naming the first entry or tensor that does not match, `inputOutput` or `interrupted`.
  func checkIntegrity(_ observer: Observer) throws(NetconvError) -> CheckedHashes {
    try checkEntries(observer)
    return try converted?.checkIntegrity(observer) ?? CheckedHashes()
  }

  /// Verifies the checksums of an archive's entries or a checkpoint's tensors that reading the model did not verify.
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

/// The running checksum of a part of a file that is read in chunks.
struct RunningCheck {
  let part: UncheckedPart
  private var crc32 = CRC32()
  private var crc32c = CRC32C()

  init(_ part: UncheckedPart) {
    self.part = part
  }

  mutating func update(_ chunk: UnsafeRawBufferPointer, at position: Int) {
    let common = part.range.clamped(to: position..<position + chunk.count)
    guard !common.isEmpty else { return }
    let bytes = UnsafeRawBufferPointer(
      rebasing: chunk[common.lowerBound - position..<common.upperBound - position])
    switch part.checksum {
    case .crc32: crc32.update(bytes)
    case .maskedCRC32C: crc32c.update(bytes)
    }
  }

  func finish() throws(NetconvError) {
    switch part.checksum {
    case .crc32(let expected):
      guard crc32.value == expected else {
        throw NetconvError.wrongChecksum(part.name).inFile(part.file.path)
      }
    case .maskedCRC32C(let expected):
      guard crc32c.masked == expected else {
        throw NetconvError.wrongTensorChecksum.inTensor(part.name).inFile(part.file.path)
      }
    }
  }
}

/// The running checksums of parts of a file that is read in chunks, from start to end.
struct RunningChecks {
  /// The unfinished checks, sorted by offset.
  private var checks: ArraySlice<RunningCheck>

  init(_ parts: [UncheckedPart]) {
    checks = parts.sorted { $0.range.lowerBound < $1.range.lowerBound }.map(RunningCheck.init)[...]
  }

  /// Updates the checksums with the chunk at `position`.
  ///
  /// - Throws: `badData` naming the first part that ends in the chunk and does not match its checksum.
  mutating func update(_ chunk: UnsafeRawBufferPointer, at position: Int) throws(NetconvError) {
    let end = position + chunk.count
    for index in checks.indices {
      guard checks[index].part.range.lowerBound < end else { break }
      checks[index].update(chunk, at: position)
    }
    while let first = checks.first, first.part.range.upperBound <= end {
      try first.finish()
      checks.removeFirst()
    }
  }

  /// Finishes the remaining checks: of parts that are empty or overlap others.
  func finish() throws(NetconvError) {
    for check in checks { try check.finish() }
  }
}

/// Tensors whose SHA-256 was compared with the manifest's.
struct CheckedHashes {
  /// The number of tensors; one that is in several containers counts once.
  var tensors = 0
  /// The containers that were checked: `bin`, `archive`.
  var containers: [String] = []
}

extension ConvertedSource {
  /// Compares every stored tensor with the manifest's SHA-256, in all containers.
  ///
  /// - Returns: the hashes that were compared.
  /// - Throws: `badData` naming the first tensor that does not match.
  func checkIntegrity(_ observer: Observer) throws(NetconvError) -> CheckedHashes {
    for copy in tensors + others {
      try copy.record.checkHash(of: [(copy.file, copy.range)], observer)
    }
    for copies in foreign {
      for copy in try copies.copies() { try copy.record.checkHash(of: copy.parts, observer) }
    }
    let checked = formats + foreign.map(\.format)
    return CheckedHashes(tensors: tensors.count, containers: tensors.isEmpty ? [] : checked)
  }

  /// Checks that every container in the manifest exists.
  ///
  /// - Throws: `badData` naming those that are missing.
  func checkComplete() throws(NetconvError) {
    if !missing.isEmpty { throw .missingContainers(missing, left: formats) }
  }
}

extension TensorRecord {
  /// Compares the hash of bytes, which may be spread over several files, with the record.
  fileprivate func checkHash(
    of parts: [(file: RandomAccessFile, range: Range<Int>)], _ observer: Observer
  ) throws(NetconvError) {
    var hash = SHA256()
    for part in parts {
      try part.file.forEachChunk(in: part.range, of: 1 << 20) { chunk throws(NetconvError) in
        try observer.checkCancellation()
        hash.update(chunk)
      }
    }
    let digest = hexadecimal(hash.finalize())
    guard digest == sha256 else {
      let error = NetconvError.wrongHash(digest, expected: sha256).inTensor(role).inLayer(layer)
      throw parts.first.map { error.inFile($0.file.path) } ?? error
    }
  }
}

extension NetconvError {
  fileprivate static func wrongHash(_ found: String, expected: String) -> NetconvError {
    NetconvError(
      .badData,
      "SHA-256 is \(found.prefix(16))…, the manifest says \(expected.prefix(16))…; it is damaged, "
        + "so convert the model again")
  }

  fileprivate static var wrongTensorChecksum: NetconvError {
    NetconvError(.badData, "does not match its checksum; the file is damaged")
  }

  fileprivate static func missingContainers(_ missing: [String], left: [String]) -> NetconvError {
    let names = missing.map { quoted($0) }
    return NetconvError(
      .badData,
      text:
        "\(names.joined(separator: " and ")) \(names.count == 1 ? "is" : "are") missing, which the manifest lists; "
        + "restore the missing files, or write \(left.first ?? "it") alone with netconv convert \(.formats) "
        + "\(left.first ?? OutputFormat.readable[0].rawValue)")
  }
}
