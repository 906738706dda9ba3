import Files
import ModelIR

/// The values of tensors in an unnamed temporary file, one after another, until all are there and are converted to
/// text.
struct PlacedValues {
  private let file: OutputFile
  private let offsets: [Int]

  /// Creates the file for the values of `entries`.
  ///
  /// - Throws: `cannotCreate`.
  init(_ entries: [OutputPlan.Entry]) throws(NetconvError) {
    file = try OutputFile.temporary()
    var offsets: [Int] = []
    var end = 0
    for entry in entries {
      offsets.append(end)
      end += entry.byteCount
    }
    self.offsets = offsets
  }

  /// Returns the location of an entry's values.
  func placement(of index: Int) -> Placement {
    Placement(file: file, offset: offsets[index])
  }

  /// Returns a range of bytes of an entry.
  ///
  /// - Throws: `inputOutput`.
  func bytes(_ range: Range<Int>, of index: Int) throws(NetconvError) -> [UInt8] {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: range.count, alignment: 16)
    defer { bytes.deallocate() }
    try file.read(at: offsets[index] + range.lowerBound, into: bytes)
    return Array(bytes)
  }

  /// Reads values of an entry, which are little-endian float32.
  ///
  /// - Parameters:
  ///   - start: the index of the first value.
  ///   - count: the number of values.
  /// - Throws: `inputOutput`.
  func read(_ start: Int, count: Int, of index: Int) throws(NetconvError) -> [Float] {
    let size = MemoryLayout<Float>.size
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count * size, alignment: 16)
    defer { bytes.deallocate() }
    try file.read(at: offsets[index] + start * size, into: bytes)
    return (0..<count).map {
      Float(
        bitPattern: UInt32(
          littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * size, as: UInt32.self)))
    }
  }
}
