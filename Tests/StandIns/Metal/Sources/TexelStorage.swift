/// The memory of an `MPSImage` and of the texture that it shows.
///
/// Numbers are kept as floats that the format can store exactly, in the order image, row, column, channel. The
/// channels of a pixel are padded to whole slices of four, except where the format itself has fewer components.
package final class TexelStorage: NSObject, MTLTexture {
  package var label: String?
  package let device: any MTLDevice
  package let storageMode: MTLStorageMode
  package let pixelFormat: MTLPixelFormat
  package let usage: MTLTextureUsage
  package let width: Int
  package let height: Int
  package let images: Int
  package let slicesPerImage: Int
  package let texels: UnsafeMutableBufferPointer<Float>

  /// What the device wrote and nobody synchronised yet cannot be read by the CPU from a managed texture.
  package var isSynchronized = true

  /// The last command buffer with a kernel that uses it.
  private weak var user: StandInCommandBuffer?

  /// Says where a kernel writes what an earlier command buffer, which has not run yet, uses: queues allow it.
  func isUsed(by commandBuffer: StandInCommandBuffer, isWritten: Bool) {
    if isWritten, let user, user !== commandBuffer,
      user.status.rawValue < MTLCommandBufferStatus.completed.rawValue
    {
      StandInTrace.write("written again")
    }
    user = commandBuffer
  }

  /// From one pixel to the next.
  package var channelStride: Int { slicesPerImage * pixelFormat.components }
  package var imageStride: Int { width * height * channelStride }
  package var arrayLength: Int { images * slicesPerImage }
  package var textureType: MTLTextureType { arrayLength == 1 ? .type2D : .type2DArray }

  package init(
    device: any MTLDevice, storageMode: MTLStorageMode, pixelFormat: MTLPixelFormat,
    usage: MTLTextureUsage, width: Int, height: Int, images: Int, slicesPerImage: Int
  ) {
    self.device = device
    self.storageMode = storageMode
    self.pixelFormat = pixelFormat
    self.usage = usage
    self.width = width
    self.height = height
    self.images = images
    self.slicesPerImage = slicesPerImage
    texels = .allocate(
      capacity: width * height * images * slicesPerImage * pixelFormat.components)
    texels.initialize(repeating: 0)
  }

  deinit { texels.deallocate() }

  /// Stops a program that reads what it cannot see.
  package func checkReadable() {
    precondition(
      storageMode != .private,
      "private textures, and so temporary images, cannot be read by the CPU")
    precondition(
      storageMode != .managed || isSynchronized,
      "a managed texture is read before synchronize(on:) of what the device wrote")
  }

  package func checkWritable() {
    precondition(
      storageMode != .private,
      "private textures, and so temporary images, cannot be written by the CPU")
  }

  package func getBytes(
    _ pixelBytes: UnsafeMutableRawPointer, bytesPerRow: Int, bytesPerImage: Int,
    from region: MTLRegion, mipmapLevel level: Int, slice: Int
  ) {
    checkReadable()
    let component = pixelFormat.component
    forEachComponent(of: region, level: level, slice: slice, bytesPerRow: bytesPerRow) {
      component.store(texels[$0], to: pixelBytes + $1)
    }
  }

  package func getBytes(
    _ pixelBytes: UnsafeMutableRawPointer, bytesPerRow: Int, from region: MTLRegion,
    mipmapLevel level: Int
  ) {
    getBytes(
      pixelBytes, bytesPerRow: bytesPerRow, bytesPerImage: 0, from: region, mipmapLevel: level,
      slice: 0)
  }

  package func replace(
    region: MTLRegion, mipmapLevel level: Int, slice: Int, withBytes pixelBytes: UnsafeRawPointer,
    bytesPerRow: Int, bytesPerImage: Int
  ) {
    checkWritable()
    let component = pixelFormat.component
    forEachComponent(of: region, level: level, slice: slice, bytesPerRow: bytesPerRow) {
      texels[$0] = component.load(pixelBytes + $1)
    }
  }

  package func replace(
    region: MTLRegion, mipmapLevel level: Int, withBytes pixelBytes: UnsafeRawPointer,
    bytesPerRow: Int
  ) {
    replace(
      region: region, mipmapLevel: level, slice: 0, withBytes: pixelBytes, bytesPerRow: bytesPerRow,
      bytesPerImage: 0)
  }

  /// Calls with the index of each component and its place, in bytes, outside.
  private func forEachComponent(
    of region: MTLRegion, level: Int, slice: Int, bytesPerRow: Int, _ body: (Int, Int) -> Void
  ) {
    precondition(level == 0, "mipmap level \(level) of a texture with one")
    precondition((0..<arrayLength).contains(slice), "slice \(slice) of \(arrayLength)")
    let (origin, size) = (region.origin, region.size)
    precondition(
      origin.x >= 0 && origin.y >= 0 && origin.x + size.width <= width
        && origin.y + size.height <= height, "the region lies outside of the texture")
    let components = pixelFormat.components
    let first = slice / slicesPerImage * imageStride + slice % slicesPerImage * components
    for y in 0..<size.height {
      for x in 0..<size.width {
        let pixel = first + ((origin.y + y) * width + origin.x + x) * channelStride
        for c in 0..<components {
          body(
            pixel + c, y * bytesPerRow + (x * components + c) * pixelFormat.component.size)
        }
      }
    }
  }
}
