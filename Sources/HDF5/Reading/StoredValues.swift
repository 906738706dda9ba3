import Confinement
import ModelIR

/// The properties of a dataset that are required to read its values.
struct StoredValues: Sendable {
  /// The path of the dataset, for messages.
  let path: String
  /// The address of the object header.
  let address: ObjectAddress
  /// The sizes of the axes.
  let shape: [Int]
  /// The shape of a chunk, if the dataset is chunked.
  let chunk: [Int]?
  /// The size of a value in bytes.
  let byteCount: Int
  /// True if the values are opaque to the library.
  let isOpaque: Bool

  init(_ entry: HDF5DatasetEntry) {
    path = entry.path
    address = entry.address
    shape = entry.shape
    chunk = if case .chunked(let chunk) = entry.storage { chunk } else { nil }
    byteCount = entry.valueByteCount
    isOpaque = if case .opaque = entry.type { true } else { false }
  }
}

/// A reader of values that are not contiguous in the file.
protocol ValueReader: Sendable {
  /// Reads the values in `range` in native byte order, without further conversion.
  ///
  /// - Parameter buffer: A buffer of the size of the values in the file.
  func read(
    _ range: Range<Int>, of values: StoredValues, into buffer: UnsafeMutableRawBufferPointer
  ) throws(NetconvError)
}

extension StoredValues {
  func put(into wire: inout WireWriter) {
    wire.put(path)
    wire.put(address.low)
    wire.put(address.high)
    wire.put(shape) { $0.put($1) }
    wire.put(chunk != nil)
    wire.put(chunk ?? []) { $0.put($1) }
    wire.put(byteCount)
    wire.put(isOpaque)
  }

  init(_ wire: inout WireReader) throws(MalformedWire) {
    path = try wire.text()
    address = ObjectAddress(low: try wire.number(), high: try wire.number())
    shape = try wire.shape()
    let isChunked = try wire.bool()
    let chunk = try wire.shape()
    self.chunk = isChunked ? chunk : nil
    byteCount = try wire.natural()
    isOpaque = try wire.bool()
  }
}
