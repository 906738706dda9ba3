/// Numbers in several dimensions, in packed memory.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsndarray
open class MPSNDArray: NSObject {
  /// The device of the array.
  public let device: any MTLDevice
  /// The type of the numbers.
  public let dataType: MPSDataType
  /// A name for tools.
  open var label: String?
  private let shape: [Int]
  private let bytes: Data

  /// An array of a shape, slowest dimension first.
  package init(device: any MTLDevice, shape: [Int], dataType: MPSDataType, bytes: Data) {
    (self.device, self.shape, self.dataType, self.bytes) = (device, shape, dataType, bytes)
  }

  /// Bytes of a number.
  open var dataTypeSize: Int { dataType.size }
  /// How many dimensions it has.
  open var numberOfDimensions: Int { shape.count }

  /// The size of a dimension; dimension 0 is the fastest.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpsndarray/length(ofdimension:)
  open func length(ofDimension dimensionIndex: Int) -> Int {
    shape[shape.count - 1 - dimensionIndex]
  }

  /// Copies the numbers out.
  ///
  /// Without strides they are packed; with them each dimension, the fastest first, has its distance in bytes.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpsndarray/readbytes(_:stridebytes:)
  open func readBytes(
    _ buffer: UnsafeMutableRawPointer,
    strideBytes strideBytesPerDimension: UnsafeMutablePointer<Int>?
  ) {
    bytes.withUnsafeBytes { source in
      guard let strides = strideBytesPerDimension else {
        return buffer.copyMemory(
          from: source.baseAddress.unsafelyUnwrapped, byteCount: source.count)
      }
      let size = dataTypeSize
      for index in 0..<source.count / size {
        var (rest, place) = (index, 0)
        for dimension in 0..<shape.count {
          let length = length(ofDimension: dimension)
          place += rest % length * strides[dimension]
          rest /= length
        }
        (buffer + place).copyMemory(
          from: source.baseAddress.unsafelyUnwrapped + index * size, byteCount: size)
      }
    }
  }
}
