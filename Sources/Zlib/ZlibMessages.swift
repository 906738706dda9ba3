internal import Memory
import ModelIR

/// The errors of this module.
extension NetconvError {
  static func inflatesTooFar(limit: Int) -> NetconvError {
    NetconvError(.badData, "the compressed data holds more than the expected \(limit) bytes")
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

  static func notZip(_ reason: String) -> NetconvError {
    NetconvError(.badData, "is not a valid ZIP archive: \(reason)")
  }

  /// The error for an archive entry with a wrong checksum.
  package static func wrongChecksum(_ entry: String) -> NetconvError {
    NetconvError(
      .badData, "the archive's entry \(quoted(entry)) does not match its checksum; it is damaged")
  }
}
