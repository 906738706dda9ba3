import Foundation
import Metal

/// A device with the kernels of filters, and the textures between them.
///
/// For one thread at a time, and one command buffer at a time.
public final class NAMEContext {
  /// What textures between filters hold.
  ///
  /// Values may leave 0 to 1 in both.
  public enum Storage {
    /// RGBA16F: half of the memory. Each filter rounds values to 11 binary digits.
    case halves
    /// RGBA32F.
    case floats

    var format: MTLPixelFormat { self == .halves ? .rgba16Float : .rgba32Float }
  }

  /// What runs the kernels.
  public let device: MTLDevice
  /// Where all command buffers come from.
  public let queue: MTLCommandQueue
  /// What textures between filters hold.
  public let storage: Storage
  private let library: MTLLibrary
  private var pipelines: [String: MTLComputePipelineState] = [:]
  private var spare: [Size: [MTLTexture]] = [:]
  #if filterPackage
  /// Textures that were made, for those who ask whether they are used again.
  public private(set) var textureCount = 0
  #endif

  private struct Size: Hashable {
    let format: MTLPixelFormat
    let width, height: Int
  }

  #if filterPackage
  /// Kernels on a device.
  ///
  /// - Parameter library: the kernels, where a build has compiled them; otherwise the text in the package is compiled now.
  public init(
    device: MTLDevice, storage: Storage = .floats, library: MTLLibrary? = nil
  ) throws {
    guard let queue = device.makeCommandQueue() else { throw NAMEError("no command queue") }
    self.device = device
    self.queue = queue
    self.storage = storage
    self.library = try library ?? device.makeLibrary(source: Self.source(), options: nil)
  }

  /// The text of the kernels.
  public static func source() throws -> String {
    guard let url = Bundle.module.url(forResource: "NAMEFilters", withExtension: "metal") else {
      throw NAMEError("the package lacks NAMEFilters.metal")
    }
    return try String(contentsOf: url, encoding: .utf8)
  }
  #endif

  #if feeding
  /// Kernels on a device, whose text is compiled now.
  init(device: MTLDevice, storage: Storage = .floats) throws {
    guard let queue = device.makeCommandQueue() else { throw NAMEError("no command queue") }
    self.device = device
    self.queue = queue
    self.storage = storage
    library = try device.makeLibrary(source: NAMEShaders.text, options: nil)
  }

  /// The kernels of another, with its queue and with textures of its own.
  init(sharing other: NAMEContext) {
    (device, queue, storage, library) = (other.device, other.queue, other.storage, other.library)
  }
  #endif

  // MARK: Textures

  /// A private texture that kernels read and write; one that was given back, if there is one.
  func texture(_ format: MTLPixelFormat, width: Int, height: Int) throws -> MTLTexture {
    let size = Size(format: format, width: width, height: height)
    if let texture = spare[size]?.popLast() { return texture }
    let descriptor = MTLTextureDescriptor.texture2DDescriptor(
      pixelFormat: format, width: width, height: height, mipmapped: false)
    descriptor.storageMode = .private
    descriptor.usage = [.shaderRead, .shaderWrite]
    guard let texture = device.makeTexture(descriptor: descriptor) else {
      throw NAMEError("no memory for a texture of \(width) x \(height)")
    }
    #if filterPackage
    textureCount += 1
    #endif
    return texture
  }

  /// Takes back a texture, for kernels that are encoded from now on.
  func giveBack(_ texture: MTLTexture) {
    let size = Size(format: texture.pixelFormat, width: texture.width, height: texture.height)
    spare[size, default: []].append(texture)
  }

  #if filterPackage
  /// Gives up the memory of textures that nobody uses.
  public func removeSpareTextures() { spare = [:] }
  #endif

  // MARK: Kernels

  /// Encodes passes one after the other, from a picture to a texture of the context's own.
  func encode(
    _ passes: [NAMEPass], from source: MTLTexture, to format: MTLPixelFormat,
    in commandBuffer: MTLCommandBuffer
  ) throws -> MTLTexture {
    var current = source
    for (index, pass) in passes.enumerated() {
      let isLast = index == passes.count - 1
      let result = try texture(
        isLast ? format : storage.format, width: pass.width, height: pass.height)
      let textures = (pass.readsOriginal ? [source] : []) + [current, result]
      try encode(
        pass.kernel, textures, pass.buffers.map(buffer), width: pass.width, height: pass.height,
        in: commandBuffer)
      if current !== source { giveBack(current) }
      current = result
    }
    return current
  }

  /// Encodes a kernel with a thread for each place of a grid.
  func encode(
    _ kernel: String, _ textures: [MTLTexture], _ buffers: [MTLBuffer], width: Int, height: Int,
    in commandBuffer: MTLCommandBuffer
  ) throws {
    let pipeline = try pipeline(kernel)
    guard let encoder = commandBuffer.makeComputeCommandEncoder() else {
      throw NAMEError("no encoder for \(kernel)")
    }
    encoder.setComputePipelineState(pipeline)
    for (index, texture) in textures.enumerated() { encoder.setTexture(texture, index: index) }
    for (index, buffer) in buffers.enumerated() {
      encoder.setBuffer(buffer, offset: 0, index: index)
    }
    let columns = pipeline.threadExecutionWidth
    let rows = max(1, pipeline.maxTotalThreadsPerThreadgroup / columns)
    encoder.dispatchThreadgroups(
      MTLSize(width: (width + columns - 1) / columns, height: (height + rows - 1) / rows, depth: 1),
      threadsPerThreadgroup: MTLSize(width: columns, height: rows, depth: 1))
    encoder.endEncoding()
  }

  private func pipeline(_ kernel: String) throws -> MTLComputePipelineState {
    if let pipeline = pipelines[kernel] { return pipeline }
    guard let function = library.makeFunction(name: kernel) else {
      throw NAMEError("the library lacks the kernel \(kernel)")
    }
    let pipeline = try device.makeComputePipelineState(function: function)
    pipelines[kernel] = pipeline
    return pipeline
  }

  #if filterPackage
  /// What draws a quad into a texture of a format.
  func quadPipeline(_ format: MTLPixelFormat) throws -> MTLRenderPipelineState {
    let descriptor = MTLRenderPipelineDescriptor()
    descriptor.vertexFunction = library.makeFunction(name: "quadCorner")
    descriptor.fragmentFunction = library.makeFunction(name: "quadColor")
    descriptor.colorAttachments[0].pixelFormat = format
    return try device.makeRenderPipelineState(descriptor: descriptor)
  }
  #endif

  func buffer(_ numbers: NAMEPass.Numbers) throws -> MTLBuffer {
    let buffer: MTLBuffer? =
      switch numbers {
      case .floats(let numbers):
        numbers.withUnsafeBytes { bytes in
          bytes.baseAddress.flatMap {
            device.makeBuffer(bytes: $0, length: bytes.count, options: .storageModeShared)
          }
        }
      case .integers(let numbers):
        numbers.withUnsafeBytes { bytes in
          bytes.baseAddress.flatMap {
            device.makeBuffer(bytes: $0, length: bytes.count, options: .storageModeShared)
          }
        }
      }
    guard let buffer else { throw NAMEError("no memory for what a kernel is told") }
    return buffer
  }

  #if filterPackage
  // MARK: Pulls

  /// Encodes into one command buffer, and waits until the device has done it.
  func run<Result>(_ encode: (MTLCommandBuffer) throws -> Result) throws -> Result {
    guard let commandBuffer = queue.makeCommandBuffer() else {
      throw NAMEError("no command buffer")
    }
    let result = try encode(commandBuffer)
    commandBuffer.commit()
    commandBuffer.waitUntilCompleted()
    guard commandBuffer.status == .completed else {
      throw commandBuffer.error ?? NAMEError("the device has not finished its work")
    }
    return result
  }
  #endif
}
