import ModelIR

// Values that are stored as codes of a few bits.

/// Codes of a few bits that follow each other in bytes.
struct BitCodes: TensorSource {
  let bytes: any TensorSource
  let bits: Int
  let count: Int
  /// True if the first code is in the highest bits of a byte, and the highest bit of a code comes first.
  let startsHigh: Bool

  var elementType: ElementType { .float32 }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    guard !range.isEmpty else { return }
    let first = range.lowerBound * bits / 8
    let bytes = try bytes.bytes(first..<(range.upperBound * bits + 7) / 8)
    for (place, index) in range.enumerated() {
      // A code is in at most two bytes.
      let (byte, bit) = (index * bits - first * 8).quotientAndRemainder(dividingBy: 8)
      let (own, next) = (Int(bytes[byte]), byte + 1 < bytes.count ? Int(bytes[byte + 1]) : 0)
      let code = startsHigh ? (own << 8 | next) >> (16 - bit - bits) : (next << 8 | own) >> bit
      values[place] = Float(code & (1 << bits - 1))
    }
  }
}

/// Values of a table at indices.
struct TableValues: TensorSource {
  let indices: any TensorSource
  let table: [Float]

  var elementType: ElementType { .float32 }
  var count: Int { indices.count }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try indices.read(range, into: values)
    for place in 0..<range.count { values[place] = table[Int(values[place])] }
  }
}

/// Codes times a scale, plus a bias, of their channel.
struct BiasedCodes: TensorSource {
  let codes: any TensorSource
  let scales: [Float]
  let biases: [Float]
  /// The number of values of a channel.
  let inner: Int

  var elementType: ElementType { .float32 }
  var count: Int { codes.count }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try codes.read(range, into: values)
    for (place, index) in range.enumerated() {
      values[place] = values[place] * scales[index / inner] + biases[index / inner]
    }
  }
}

extension TensorSource {
  /// Returns values as bytes; they are stored as such.
  func bytes(_ range: Range<Int>) throws(NetconvError) -> [UInt8] {
    var numbers = [Float](repeating: 0, count: range.count)
    var failure: NetconvError?
    numbers.withUnsafeMutableBufferPointer { buffer in
      do throws(NetconvError) { try read(range, into: buffer) } catch { failure = error }
    }
    if let failure { throw failure }
    return numbers.map { UInt8(clamping: Int($0)) }
  }
}
