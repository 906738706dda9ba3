import ModelIR

/// The wording of every error that this module throws.
extension NetconvError {
  static var zlibFailed: NetconvError {
    NetconvError(.internal, "zlib cannot be started; there may be no memory left")
  }

  static func inflatesTooFar(limit: Int) -> NetconvError {
    NetconvError(.badData, "the compressed data holds more than the expected \(limit) bytes")
  }

  static var compressedDataEnds: NetconvError {
    NetconvError(.badData, "the compressed data is cut off; the file is truncated")
  }

  static func compressedDataDamaged(_ reason: String?) -> NetconvError {
    NetconvError(
      .badData, "the compressed data is damaged" + (reason.map { " (\($0))" } ?? ""))
  }

  static func notZip(_ reason: String) -> NetconvError {
    NetconvError(.badData, "is not an intact ZIP archive: \(reason)")
  }

  /// The data of an archive's entry is not what the archive says.
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
