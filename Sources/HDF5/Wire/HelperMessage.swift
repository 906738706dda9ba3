import ModelIR

/// What netconv asks the process that reads HDF5 files for.
enum HelperRequest {
  /// To open the file whose descriptor comes along, and to send its index if that is wanted.
  case open(file: Int, base: Int, size: Int, path: String, wantsIndex: Bool)
  /// To put the values at `range` into the place `slot` of the memory that both share.
  case read(file: Int, values: StoredValues, range: Range<Int>, slot: Int)
  /// To close a file; nothing is answered.
  case close(file: Int)

  var bytes: [UInt8] {
    var wire = WireWriter()
    switch self {
    case .open(let file, let base, let size, let path, let wantsIndex):
      wire.put(0)
      wire.put(file)
      wire.put(base)
      wire.put(size)
      wire.put(path)
      wire.put(wantsIndex)
    case .read(let file, let values, let range, let slot):
      wire.put(1)
      wire.put(file)
      values.put(into: &wire)
      wire.put(range.lowerBound)
      wire.put(range.count)
      wire.put(slot)
    case .close(let file):
      wire.put(2)
      wire.put(file)
    }
    return wire.bytes
  }

  init(_ bytes: [UInt8]) throws(MalformedWire) {
    var wire = WireReader(bytes)
    switch try wire.natural() {
    case 0:
      self = .open(
        file: try wire.natural(), base: try wire.natural(), size: try wire.natural(),
        path: try wire.text(), wantsIndex: try wire.bool())
    case 1:
      let file = try wire.natural()
      let values = try StoredValues(&wire)
      let (start, count) = (try wire.natural(), try wire.natural())
      self = .read(
        file: file, values: values, range: start..<start + count, slot: try wire.natural())
    case 2: self = .close(file: try wire.natural())
    default: throw MalformedWire()
    }
    try wire.end()
  }
}

/// What that process answers.
enum HelperAnswer {
  /// It is there; the filter of system calls could not be had for the reason `filterError`, if that is not 0.
  case ready(filterError: Int32)
  /// The index of a file.
  case index(WireReader)
  /// What was wanted is done.
  case done
  /// It cannot be done.
  case failed(NetconvError)

  /// What comes first, so that no other program is taken for netconv.
  static let greeting = "netconv HDF5 1"

  var bytes: [UInt8] {
    var wire = WireWriter()
    switch self {
    case .ready(let filterError):
      wire.put(0)
      wire.put(Self.greeting)
      wire.put(Int(filterError))
    case .index: preconditionFailure("an index is sent as it is")
    case .done: wire.put(2)
    case .failed(let error):
      wire.put(3)
      wire.put(error.kind.rawValue)
      for place in [error.file, error.tensor] {
        wire.put(place != nil)
        wire.put(place ?? "")
      }
      wire.put(error.message)
      wire.put(error.details) { $0.put($1) }
    }
    return wire.bytes
  }

  /// An index, as it is sent.
  static func bytes(of index: HDF5Index) -> [UInt8] {
    var wire = WireWriter()
    wire.put(1)
    index.put(into: &wire)
    return wire.bytes
  }

  init(_ bytes: [UInt8]) throws(MalformedWire) {
    var wire = WireReader(bytes)
    switch try wire.natural() {
    case 0:
      guard try wire.text() == Self.greeting else { throw MalformedWire() }
      self = .ready(filterError: Int32(clamping: try wire.natural()))
    case 1:
      self = .index(wire)
      return
    case 2: self = .done
    case 3:
      guard let kind = NetconvError.Kind(rawValue: try wire.text()) else { throw MalformedWire() }
      let places = [try wire.place(), try wire.place()]
      var error = NetconvError(
        kind, escaped(try wire.text()),
        details: try wire.elements { wire throws(MalformedWire) in escaped(try wire.text()) })
      error.file = places[0]
      error.tensor = places[1]
      self = .failed(error)
    default: throw MalformedWire()
    }
    try wire.end()
  }
}

extension WireReader {
  fileprivate mutating func place() throws(MalformedWire) -> String? {
    let isThere = try bool()
    let text = try text()
    return isThere ? text : nil
  }
}
