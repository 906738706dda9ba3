import Confinement
import ModelIR

/// What one has to know of a dataset to read its values.
struct StoredValues: Sendable {
  /// The dataset's path, for messages.
  let path: String
  /// Where its header is.
  let address: ObjectAddress
  /// The sizes of its dimensions.
  let shape: [Int]
  /// The shape of a chunk, if it is stored in chunks.
  let chunk: [Int]?
  /// Bytes of one value.
  let byteCount: Int
  /// Whether the library does not know what the values are.
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

/// Reads values that do not lie in the file as they are wanted.
protocol ValueReader: Sendable {
  /// Reads the values at `range`, as they are stored but in this machine's byte order.
  ///
  /// - Parameter buffer: as many bytes as the values take in the file.
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
