import Confinement
import ModelIR

/// A request to the HDF5 helper process.
enum HDF5Request {
  /// Opens the file whose descriptor is passed along, and returns its index if requested.
  case open(file: Int, base: Int, size: Int, path: String, wantsIndex: Bool)
  /// Reads the values in `range` into the slot `slot` of the shared memory.
  case read(file: Int, values: StoredValues, range: Range<Int>, slot: Int)
  /// Closes a file; there is no reply.
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

/// A reply of the HDF5 helper process.
enum HDF5Answer {
  /// The index of a file.
  case index(WireReader)
  /// The request succeeded.
  case done
  /// The request failed.
  case failed(NetconvError)
  /// The ready message, or a malformed reply.
  case other

  init(_ reply: HelperReply) {
    self = .other
    switch reply {
    case .ready: break
    case .failed(let error): self = .failed(error)
    case .answer(var wire):
      switch try? wire.natural() {
      case 1: self = .index(wire)
      case 2 where wire.remaining == 0: self = .done
      default: break
      }
    }
  }

  /// The encoded reply for success.
  static let doneBytes: [UInt8] = {
    var wire = WireWriter()
    wire.put(2)
    return wire.bytes
  }()

  /// Encodes an index as a reply.
  static func bytes(of index: HDF5Index) -> [UInt8] {
    var wire = WireWriter()
    wire.put(1)
    index.put(into: &wire)
    return wire.bytes
  }
}
