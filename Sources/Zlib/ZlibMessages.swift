internal import Memory
import ModelIR

/// The errors of this module.
extension NetconvError {
  static var zlibFailed: NetconvError {
    NetconvError(.internal, "zlib cannot be started; memory may be exhausted")
  }

  static func inflatesTooFar(limit: Int) -> NetconvError {
    NetconvError(.badData, "the compressed data holds more than the expected \(limit) bytes")
  }

  static func inflatesTooLittle(_ found: Int, expected: Int) -> NetconvError {
    NetconvError(.badData, "the compressed data holds \(found) bytes, expected \(expected)")
  }

  /// The error for an implausible size of inflated data; `entry` is its name in an archive.
  static func implausibleClaim(_ claim: Claim, of entry: String? = nil) -> NetconvError {
    let what = entry.map { "the archive's entry \(quoted($0))" } ?? "the compressed data"
    return NetconvError(
      .badData,
      "\(what) claims to inflate to \(byteText(claim.bytes)), but has \(byteText(claim.stored)); netconv "
        + "inflates to \(Claim.ratio) times as much, so write it again without compression if that is right"
    )
  }

  static var compressedDataEnds: NetconvError {
    NetconvError(.badData, "the compressed data is cut off; the file is truncated")
  }

  static func compressedDataDamaged(_ reason: String?) -> NetconvError {
    NetconvError(
      .badData, "the compressed data is damaged" + (reason.map { " (\($0))" } ?? ""))
  }

  static func notZip(_ reason: String) -> NetconvError {
    NetconvError(.badData, "is not a valid ZIP archive: \(reason)")
  }

  static var severalDisks: NetconvError {
    .notZip("it is one of several parts, or its end record is damaged; join the parts first")
  }

  static func encryptedEntry(_ entry: String) -> NetconvError {
    NetconvError(
      .badData,
      "the archive's entry \(quoted(entry)) is encrypted or patched, which netconv does not read; write "
        + "the archive again without that")
  }

  static func newerEntry(_ entry: String, version: Int, known: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the archive's entry \(quoted(entry)) needs version \(version / 10).\(version % 10) of ZIP, netconv "
        + "knows \(known / 10).\(known % 10)")
  }

  /// The error for an archive entry with a wrong checksum.
  package static func wrongChecksum(_ entry: String) -> NetconvError {
    NetconvError(
      .badData, "the archive's entry \(quoted(entry)) does not match its checksum; it is damaged")
  }

  static func compressedEntry(_ entry: String, method: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the archive's entry \(quoted(entry)) uses compression method \(method), expected "
        + "stored or deflated")
  }
}
