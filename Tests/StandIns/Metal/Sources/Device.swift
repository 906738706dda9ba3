/// A GPU; here the CPU.
///
/// https://developer.apple.com/documentation/metal/mtldevice
public protocol MTLDevice: NSObjectProtocol {
  /// The GPU's name.
  var name: String { get }
  /// A queue that runs command buffers in the order of their commits.
  func makeCommandQueue() -> (any MTLCommandQueue)?
  /// A texture of any pixels.
  func makeTexture(descriptor: MTLTextureDescriptor) -> (any MTLTexture)?
  /// Functions from the text of kernels.
  func makeLibrary(source: String, options: MTLCompileOptions?) throws -> any MTLLibrary
  /// A kernel, ready to be run.
  func makeComputePipelineState(
    function computeFunction: any MTLFunction
  ) throws -> any MTLComputePipelineState
  /// How something is drawn, ready for the device.
  func makeRenderPipelineState(
    descriptor: MTLRenderPipelineDescriptor
  ) throws -> any MTLRenderPipelineState
}

// Swift's protocols cannot give a default value to a parameter, as Objective-C's can when Swift imports them.
extension MTLDevice {
  /// A buffer of zeros.
  ///
  /// https://developer.apple.com/documentation/metal/mtldevice/makebuffer(length:options:)
  public func makeBuffer(
    length: Int, options: MTLResourceOptions = []
  ) -> (any MTLBuffer)? {
    guard length > 0 else { return nil }
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: length, alignment: pageSize)
    memset(bytes, 0, length)
    return StandInBuffer(device: self, bytes: bytes, length: length, options: options) {
      bytes.deallocate()
    }
  }

  /// A buffer with a copy of the bytes.
  ///
  /// https://developer.apple.com/documentation/metal/mtldevice/makebuffer(bytes:length:options:)
  public func makeBuffer(
    bytes pointer: UnsafeRawPointer, length: Int, options: MTLResourceOptions = []
  ) -> (any MTLBuffer)? {
    guard let buffer = makeBuffer(length: length, options: options) else { return nil }
    buffer.contents().copyMemory(from: pointer, byteCount: length)
    return buffer
  }

  /// A buffer over memory that the caller owns: whole pages, from the start of a page.
  ///
  /// Without a deallocator the caller keeps the memory as long as the buffer lives.
  /// https://developer.apple.com/documentation/metal/mtldevice/makebuffer(bytesnocopy:length:options:deallocator:)
  public func makeBuffer(
    bytesNoCopy pointer: UnsafeMutableRawPointer, length: Int, options: MTLResourceOptions = [],
    deallocator: (@Sendable (UnsafeMutableRawPointer, Int) -> Void)? = nil
  ) -> (any MTLBuffer)? {
    guard length > 0, length % pageSize == 0, Int(bitPattern: pointer) % pageSize == 0 else {
      return nil
    }
    return StandInBuffer(device: self, bytes: pointer, length: length, options: options) {
      deallocator?(pointer, length)
    }
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The device that Metal prefers; here the only one.
///
/// https://developer.apple.com/documentation/metal/mtlcreatesystemdefaultdevice()
public func MTLCreateSystemDefaultDevice() -> (any MTLDevice)? { StandInDevice.shared }

private let pageSize = sysconf(Int32(_SC_PAGESIZE))

final class StandInDevice: NSObject, MTLDevice, @unchecked Sendable {
  static let shared = StandInDevice()

  var name: String { "CPU stand-in" }

  func makeCommandQueue() -> (any MTLCommandQueue)? { StandInCommandQueue(device: self) }

  func makeTexture(descriptor: MTLTextureDescriptor) -> (any MTLTexture)? {
    precondition(
      (1...16_384).contains(descriptor.width) && (1...16_384).contains(descriptor.height),
      "a texture has 1 to 16384 pixels a side")
    return TexelStorage(
      device: self, storageMode: descriptor.storageMode, pixelFormat: descriptor.pixelFormat,
      usage: descriptor.usage, width: descriptor.width, height: descriptor.height, images: 1,
      slicesPerImage: 1)
  }

  func makeLibrary(source: String, options: MTLCompileOptions?) throws -> any MTLLibrary {
    try StandInLibrary(source: source, device: self)
  }

  func makeComputePipelineState(
    function computeFunction: any MTLFunction
  ) throws -> any MTLComputePipelineState {
    guard let function = computeFunction as? StandInFunction, function.signature.stage == .kernel
    else { preconditionFailure("no kernel that a stand-in made") }
    return StandInComputePipelineState(function)
  }

  func makeRenderPipelineState(
    descriptor: MTLRenderPipelineDescriptor
  ) throws -> any MTLRenderPipelineState {
    StandInRenderPipelineState(descriptor, device: self)
  }
}
