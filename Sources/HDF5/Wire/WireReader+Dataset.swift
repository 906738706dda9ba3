import Confinement
import ModelIR

extension WireReader {
  /// Reads the sizes of a shape.
  mutating func shape() throws(MalformedWire) -> [Int] {
    let shape = try elements { wire throws(MalformedWire) in try wire.natural() }
    guard shape.count <= HDF5Limits.rank else { throw MalformedWire() }
    return shape
  }

  /// Reads the metadata of the dataset at `path`.
  mutating func dataset(
    at path: String, attributes: [String: HDF5Attribute]
  ) throws(MalformedWire) -> HDF5DatasetEntry {
    let type = try valueType()
    let shape = try shape()
    let storage = try storage()
    let filters = try elements { wire throws(MalformedWire) in
      HDF5Filter(id: try wire.integer(), storedName: try wire.text())
    }
    let entry = HDF5DatasetEntry(
      path: path, type: type, shape: shape, storage: storage, filters: filters,
      attributes: attributes, valueByteCount: try natural(),
      address: ObjectAddress(low: try number(), high: try number()))
    // One size determines the buffer, the other the number of bytes read into it.
    if let byteCount = type.byteCount, byteCount != entry.valueByteCount { throw MalformedWire() }
    return entry
  }

  private mutating func valueType() throws(MalformedWire) -> HDF5ValueType {
    switch try natural() {
    case 0:
      guard let type = ElementType(rawValue: try text()) else { throw MalformedWire() }
      return .number(type, try bool() ? .big : .little)
    case 1: return .opaque(byteCount: try natural())
    case 2: return .unsupported(try text())
    default: throw MalformedWire()
    }
  }

  private mutating func storage() throws(MalformedWire) -> HDF5Storage {
    switch try natural() {
    case 0: return .contiguous(offset: try natural())
    case 1: return .compact
    case 2: return .chunked(try shape())
    case 3: return .neverAllocated
    case 4: return .external(file: try text())
    case 5:
      let isNamed = try bool()
      let name = try text()
      return .virtual(file: isNamed ? name : nil)
    default: throw MalformedWire()
    }
  }
}

extension HDF5ValueType {
  /// The size of a value in bytes, if netconv can read it.
  fileprivate var byteCount: Int? {
    switch self {
    case .number(let type, _): type.byteCount
    case .opaque(let byteCount): byteCount
    case .unsupported: nil
    }
  }
}
