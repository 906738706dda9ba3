/// Where a resource lies and which processor may touch it.
///
/// https://developer.apple.com/documentation/metal/mtlstoragemode
public enum MTLStorageMode: UInt, Sendable {
  /// One copy for the CPU and the GPU.
  case shared = 0
  /// Two copies; what the GPU wrote must be synchronised before the CPU reads it.
  case managed = 1
  /// The GPU's alone.
  case `private` = 2
}

/// How a resource is to be made.
///
/// https://developer.apple.com/documentation/metal/mtlresourceoptions
public struct MTLResourceOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// Options by their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The CPU writes and never reads.
  public static var cpuCacheModeWriteCombined: MTLResourceOptions { .init(rawValue: 1) }
  /// As ``MTLStorageMode/shared``.
  public static var storageModeShared: MTLResourceOptions { [] }
  /// As ``MTLStorageMode/managed``.
  public static var storageModeManaged: MTLResourceOptions { .init(rawValue: 1 << 4) }
  /// As ``MTLStorageMode/private``.
  public static var storageModePrivate: MTLResourceOptions { .init(rawValue: 2 << 4) }

  var storageMode: MTLStorageMode { MTLStorageMode(rawValue: rawValue >> 4 & 15) ?? .shared }
}

/// Memory of a device.
///
/// https://developer.apple.com/documentation/metal/mtlresource
public protocol MTLResource: NSObjectProtocol {
  /// A name for tools.
  var label: String? { get set }
  /// The device that made it.
  var device: any MTLDevice { get }
  /// Where it lies.
  var storageMode: MTLStorageMode { get }
}

/// Bytes that the CPU and the device share.
///
/// https://developer.apple.com/documentation/metal/mtlbuffer
public protocol MTLBuffer: MTLResource {
  /// In bytes.
  var length: Int { get }
  /// The first byte. On Apple's systems a private buffer has none; here it is an error to ask.
  func contents() -> UnsafeMutableRawPointer
}

extension MTLBuffer {
  /// The first byte, as the device sees it: private memory too.
  package var deviceContents: UnsafeMutableRawPointer {
    guard let buffer = self as? StandInBuffer else {
      preconditionFailure("a buffer that no stand-in made")
    }
    return buffer.bytes
  }
}

final class StandInBuffer: NSObject, MTLBuffer {
  var label: String?
  let device: any MTLDevice
  let storageMode: MTLStorageMode
  let length: Int
  fileprivate let bytes: UnsafeMutableRawPointer
  private let deallocate: () -> Void

  init(
    device: any MTLDevice, bytes: UnsafeMutableRawPointer, length: Int,
    options: MTLResourceOptions, deallocate: @escaping () -> Void
  ) {
    self.device = device
    self.bytes = bytes
    self.length = length
    self.storageMode = options.storageMode
    self.deallocate = deallocate
  }

  deinit { deallocate() }

  func contents() -> UnsafeMutableRawPointer {
    precondition(storageMode != .private, "MTLBuffer.contents(): the buffer is private")
    return bytes
  }
}
