import ModelIR

/// Integers minus a zero point, times a scale, per channel or per tensor.
///
/// Values are rounded to float32, even when they are read as float64.
struct DequantizedIntegers: TensorSource {
  let integers: any TensorSource
  let scales: [Float]
  let zeroPoints: [Float]
  /// The number of consecutive values that share a channel.
  let inner: Int

  var elementType: ElementType { .float32 }
  var count: Int { integers.count }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try integers.read(range, into: values)
    for (offset, index) in range.enumerated() {
      let channel = index / max(1, inner) % scales.count
      values[offset] = (values[offset] - zeroPoints[channel]) * scales[channel]
    }
  }
}
