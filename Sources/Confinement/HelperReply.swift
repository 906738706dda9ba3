import ModelIR

/// A reply of a helper process: one of two common replies, or one that is specific to the service.
package enum HelperReply {
  /// The process is ready; `filterError` is nonzero if the filter for system calls is unavailable.
  case ready(filterError: Int32)
  /// The request failed.
  case failed(NetconvError)
  /// A reply of the service, which starts with its own number.
  case answer(WireReader)

  private static let readyKind = 0
  private static let failedKind = 3

  /// Parses a reply of a process for `purpose`.
  package init(_ bytes: [UInt8], for purpose: HelperPurpose) throws(MalformedWire) {
    var wire = WireReader(bytes)
    switch try wire.natural() {
    case Self.readyKind:
      guard try wire.text() == purpose.greeting else { throw MalformedWire() }
      self = .ready(filterError: Int32(clamping: try wire.natural()))
    case Self.failedKind: self = .failed(try wire.error())
    default:
      self = .answer(WireReader(bytes))
      return
    }
    try wire.end()
  }

  /// Encodes the reply that the process is ready.
  package static func ready(filterError: Int32, for purpose: HelperPurpose) -> [UInt8] {
    var wire = WireWriter()
    wire.put(readyKind)
    wire.put(purpose.greeting)
    wire.put(Int(filterError))
    return wire.bytes
  }

  /// Encodes the reply that a request failed.
  package static func failed(_ error: NetconvError) -> [UInt8] {
    var wire = WireWriter()
    wire.put(failedKind)
    wire.put(error.kind.rawValue)
    for place in [error.file, error.tensor] {
      wire.put(place != nil)
      wire.put(place ?? "")
    }
    wire.put(error.message)
    wire.put(error.details) { $0.put($1) }
    return wire.bytes
  }
}

extension WireReader {
  fileprivate mutating func error() throws(MalformedWire) -> NetconvError {
    guard let kind = NetconvError.Kind(rawValue: try text()) else { throw MalformedWire() }
    let places = [try optionalText(), try optionalText()]
    var error = NetconvError(
      kind, escaped(try text()),
      details: try elements { wire throws(MalformedWire) in escaped(try wire.text()) })
    error.file = places[0]
    error.tensor = places[1]
    return error
  }

  private mutating func optionalText() throws(MalformedWire) -> String? {
    let isThere = try bool()
    let text = try text()
    return isThere ? text : nil
  }
}
