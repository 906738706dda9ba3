import ModelIR

/// What a process that was asked for something sends: one of two answers that each of them can give, or one of its own.
package enum HelperReply {
  /// It is there; the filter of system calls could not be had for the reason `filterError`, if that is not 0.
  case ready(filterError: Int32)
  /// It cannot be done.
  case failed(NetconvError)
  /// An answer to what was asked, which begins with a number that is none of those here.
  case answer(WireReader)

  private static let readyKind = 0
  private static let failedKind = 3

  /// Takes apart what a process for `purpose` has sent.
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

  /// That it is there.
  package static func ready(filterError: Int32, for purpose: HelperPurpose) -> [UInt8] {
    var wire = WireWriter()
    wire.put(readyKind)
    wire.put(purpose.greeting)
    wire.put(Int(filterError))
    return wire.bytes
  }

  /// That something cannot be done.
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
