import ModelIR

/// 32-bit or 64-bit codes; reading a code that float32 cannot represent as float32 is an error.
struct ExactIntegers: TensorSource {
  let integers: any TensorSource

  var elementType: ElementType { integers.elementType }
  var count: Int { integers.count }
  var isSequential: Bool { integers.isSequential }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    var exact = [Double](repeating: 0, count: range.count)
    var failure: NetconvError?
    exact.withUnsafeMutableBufferPointer { buffer in
      do throws(NetconvError) {
        try integers.read(range, into: buffer)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    for (index, value) in exact.enumerated() {
      values[index] = Float(value)
      guard Double(values[index]) == value else { throw .roundedCode(value) }
    }
  }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    try integers.read(range, into: values)
  }
}

extension NetconvError {
  fileprivate static func roundedCode(_ value: Double) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "holds the code \(value), which float32 does not; leave out \(.rawCodes) to write the values that the codes "
        + "stand for")
  }
}
