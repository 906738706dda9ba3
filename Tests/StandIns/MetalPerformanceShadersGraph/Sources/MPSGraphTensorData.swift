/// The numbers of a tensor.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphtensordata
open class MPSGraphTensorData: MPSGraphObject {
  /// The sizes, slowest dimension first.
  public let shape: [NSNumber]
  /// The type of the numbers.
  public let dataType: MPSDataType
  /// Where they lie.
  public let device: MPSGraphDevice
  private let read: () -> Value

  /// A buffer, which is read when the graph runs.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphtensordata/init(_:shape:datatype:)
  public init(_ buffer: any MTLBuffer, shape: [NSNumber], dataType: MPSDataType) {
    let sizes = shape.map(\.intValue)
    let count = sizes.reduce(dataType.size, *)
    precondition(buffer.length >= count, "a buffer of \(buffer.length) bytes for \(count)")
    self.shape = shape
    self.dataType = dataType
    device = MPSGraphDevice(mtlDevice: buffer.device)
    read = { Value(Data(bytes: buffer.deviceContents, count: count), sizes, dataType) }
  }

  /// A copy of the data.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphtensordata/init(device:data:shape:datatype:)
  public init(device: MPSGraphDevice, data: Data, shape: [NSNumber], dataType: MPSDataType) {
    let value = Value(data, shape.map(\.intValue), dataType)
    self.shape = shape
    self.dataType = dataType
    self.device = device
    read = { value }
  }

  init(device: MPSGraphDevice, _ value: Value) {
    shape = value.shape.map { NSNumber(value: $0) }
    dataType = value.dataType
    self.device = device
    read = { value }
  }

  init(device: MPSGraphDevice, _ promise: Promise) {
    shape = promise.shape.map { NSNumber(value: $0) }
    dataType = promise.dataType
    self.device = device
    read = {
      guard let value = promise.value else {
        preconditionFailure("the data of a graph is read before its command buffer has run")
      }
      return value
    }
  }

  func value() -> Value { read() }

  /// The numbers as an array, to be read.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphtensordata/mpsndarray()
  open func mpsndarray() -> MPSNDArray {
    guard let metal = device.metalDevice else { preconditionFailure("a device without Metal") }
    let value = read()
    return MPSNDArray(
      device: metal, shape: value.shape, dataType: dataType, bytes: value.bytes)
  }
}

/// What a graph will have computed when its command buffer has run.
final class Promise: @unchecked Sendable {
  let shape: [Int]
  let dataType: MPSDataType
  private let lock = NSLock()
  private var computed: Value?

  var value: Value? {
    get { lock.withLock { computed } }
    set { lock.withLock { computed = newValue } }
  }

  init(_ shape: [Int], _ dataType: MPSDataType) { (self.shape, self.dataType) = (shape, dataType) }
}
