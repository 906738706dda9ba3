import Files
import ModelIR

/// The values of consecutive blocks in a file, read in chunks.
struct GGUFBlockSource: TensorSource {
  let file: RandomAccessFile
  /// The offset of the first block in the file.
  let offset: Int
  let block: any GGUFBlock.Type
  let count: Int
  let byteOrder: ByteOrder
  /// The maximum number of bytes read at once.
  private static let chunkSize = 1 << 18

  var elementType: ElementType { .float32 }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    guard range.upperBound <= count else {
      throw NetconvError.tooFewValues(count, wanted: range.upperBound).inFile(file.path)
    }
    guard !range.isEmpty, let base = values.baseAddress else { return }
    try read(block, range, into: base)
  }

  private func read<Block: GGUFBlock>(
    _: Block.Type, _ range: Range<Int>, into values: UnsafeMutablePointer<Float>
  ) throws(NetconvError) {
    let (size, bytes) = (Block.valueCount, Block.byteCount)
    let scratch = UnsafeMutablePointer<Float>.allocate(capacity: size)
    defer { scratch.deallocate() }
    let (first, last) = (range.lowerBound / size, (range.upperBound - 1) / size)
    // The index of the next block's first value, relative to the start of `range`.
    var place = first * size - range.lowerBound
    try file.forEachChunk(
      in: offset + first * bytes..<offset + (last + 1) * bytes,
      of: Self.chunkSize / bytes * bytes
    ) { chunk in
      guard let start = chunk.baseAddress else { return }
      for index in 0..<chunk.count / bytes {
        let block = BlockBytes(start + index * bytes, byteOrder)
        if place >= 0, place + size <= range.count {
          Block.unpack(block, into: values + place)
        } else {
          Block.unpack(block, into: scratch)
          for value in max(0, -place)..<min(size, range.count - place) {
            values[place + value] = scratch[value]
          }
        }
        place += size
      }
    }
  }
}
