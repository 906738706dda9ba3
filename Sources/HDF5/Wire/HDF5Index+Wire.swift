import Confinement
import ModelIR

// The encoding of a file's index for the client process. Paths are omitted, since links determine them.

extension HDF5Index {
  /// Encodes the index.
  func put(into wire: inout WireWriter) {
    wire.put(nodes) { wire, node in
      wire.put(node.attributes.sorted { $0.key < $1.key }) { wire, attribute in
        wire.put(attribute.key)
        attribute.value.put(into: &wire)
      }
      switch node.content {
      case .group(let links):
        wire.put(0)
        wire.put(links) { $1.put(into: &$0) }
      case .dataset(let entry):
        wire.put(1)
        entry.put(into: &wire)
      case .namedType:
        wire.put(2)
      }
    }
  }
}

extension HDF5Index.Link {
  fileprivate func put(into wire: inout WireWriter) {
    wire.put(name)
    switch target {
    case .object(let number):
      wire.put(0)
      wire.put(number)
    case .alias(let number):
      wire.put(1)
      wire.put(number)
    case .soft(let path):
      wire.put(2)
      wire.put(path)
    case .external(let file, let path):
      wire.put(3)
      wire.put(file)
      wire.put(path)
    case .userDefined(let kind):
      wire.put(4)
      wire.put(kind)
    }
  }
}

extension HDF5Attribute {
  fileprivate func put(into wire: inout WireWriter) {
    switch self {
    case .strings(let values, let shape):
      wire.put(0)
      wire.put(shape) { $0.put($1) }
      wire.put(values) { $0.put($1) }
    case .integers(let values, let shape):
      wire.put(1)
      wire.put(shape) { $0.put($1) }
      wire.put(values) { $0.put($1) }
    case .floats(let values, let shape):
      wire.put(2)
      wire.put(shape) { $0.put($1) }
      wire.put(values) { $0.put($1) }
    case .empty:
      wire.put(3)
    case .unsupported(let words):
      wire.put(4)
      wire.put(words)
    }
  }
}

extension HDF5DatasetEntry {
  fileprivate func put(into wire: inout WireWriter) {
    switch type {
    case .number(let type, let order):
      wire.put(0)
      wire.put(type.rawValue)
      wire.put(order == .big)
    case .opaque(let byteCount):
      wire.put(1)
      wire.put(byteCount)
    case .unsupported(let words):
      wire.put(2)
      wire.put(words)
    }
    wire.put(shape) { $0.put($1) }
    storage.put(into: &wire)
    wire.put(filters) { wire, filter in
      wire.put(filter.id)
      wire.put(filter.name)
    }
    wire.put(valueByteCount)
    wire.put(address.low)
    wire.put(address.high)
  }
}

extension HDF5Storage {
  fileprivate func put(into wire: inout WireWriter) {
    switch self {
    case .contiguous(let offset):
      wire.put(0)
      wire.put(offset)
    case .compact: wire.put(1)
    case .chunked(let chunk):
      wire.put(2)
      wire.put(chunk) { $0.put($1) }
    case .neverAllocated: wire.put(3)
    case .external(let file):
      wire.put(4)
      wire.put(file)
    case .virtual(let file):
      wire.put(5)
      wire.put(file != nil)
      wire.put(file ?? "")
    }
  }
}
