/// Some channels of an image.
struct ImageWindow {
  let storage: TexelStorage
  let firstChannel: Int
  let channels: Int

  init(_ image: MPSImage, firstChannel: Int, maxCount: Int, anywhere: Bool = false) {
    precondition(
      (anywhere || firstChannel % 4 == 0) && (0..<image.featureChannels).contains(firstChannel),
      "a source's first channel is a multiple of 4 inside of the image, not \(firstChannel)")
    storage = image.storage
    self.firstChannel = firstChannel
    channels = min(image.featureChannels - firstChannel, maxCount)
  }

  func plane(_ image: Int) -> Plane {
    precondition((0..<storage.images).contains(image), "image \(image) of \(storage.images)")
    return Plane(
      first: storage.texels.baseAddress.unsafelyUnwrapped + image * storage.imageStride
        + firstChannel,
      width: storage.width, height: storage.height, channels: channels,
      channelStride: storage.channelStride)
  }
}

/// Some channels of one image in memory: row, column, channel.
package struct Plane: @unchecked Sendable {
  package let first: UnsafeMutablePointer<Float>
  package let width: Int
  package let height: Int
  package let channels: Int
  /// From one pixel to the next.
  package let channelStride: Int

  package init(
    first: UnsafeMutablePointer<Float>, width: Int, height: Int, channels: Int, channelStride: Int
  ) {
    self.first = first
    (self.width, self.height) = (width, height)
    (self.channels, self.channelStride) = (channels, channelStride)
  }

  package func pixel(_ x: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
    first + (y * width + x) * channelStride
  }
}

/// One run of a kernel over the images of its clip rectangle.
struct Pass {
  struct Source {
    let image: ImageWindow
    let offset: MPSOffset
    let edgeMode: MPSImageEdgeMode
  }

  /// A source as the body sees it.
  struct Input: Sendable {
    let plane: Plane
    /// The place of the clip rectangle's first pixel.
    let x: Int
    let y: Int
    let edgeMode: MPSImageEdgeMode
  }

  /// Where the body writes: columns and rows of the clip rectangle, channels from 0.
  struct Output: Sendable {
    let plane: Plane
    let columns: Range<Int>
    let rows: Range<Int>

    var width: Int { columns.count }
    var height: Int { rows.count }

    /// A pixel of the clip rectangle.
    func pixel(_ x: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
      plane.pixel(columns.lowerBound + x, rows.lowerBound + y)
    }
  }

  typealias Body = ([Input], Output) -> Void

  let sources: [Source]
  let destination: MPSImage
  let clipRect: MTLRegion
  let firstChannel: Int
  let channels: Int

  func encode(to commandBuffer: any MTLCommandBuffer, _ body: @escaping Body) {
    precondition(
      firstChannel % 4 == 0, "destinationFeatureChannelOffset \(firstChannel) is no multiple of 4")
    precondition(
      firstChannel >= 0 && firstChannel + channels <= destination.featureChannels,
      "\(channels) channels from \(firstChannel) on, \(destination.featureChannels) in the destination"
    )
    commandBuffer.encode { run(body) }
  }

  private func run(_ body: Body) {
    let storage = destination.storage
    let columns = clip(clipRect.origin.x, clipRect.size.width, storage.width)
    let rows = clip(clipRect.origin.y, clipRect.size.height, storage.height)
    let images = clip(clipRect.origin.z, clipRect.size.depth, storage.images)
    for (index, image) in images.enumerated() {
      let plane = Plane(
        first: storage.texels.baseAddress.unsafelyUnwrapped + image * storage.imageStride
          + firstChannel,
        width: storage.width, height: storage.height, channels: channels,
        channelStride: storage.channelStride)
      let output = Output(plane: plane, columns: columns, rows: rows)
      let inputs = sources.map {
        Input(
          plane: $0.image.plane($0.offset.z + index), x: $0.offset.x, y: $0.offset.y,
          edgeMode: $0.edgeMode)
      }
      body(inputs, output)
      round(output)
    }
    storage.isSynchronized = false
  }

  /// The results as the image stores them.
  private func round(_ output: Output) {
    let component = destination.pixelFormat.component
    if component == .float32 { return }
    for y in 0..<output.height {
      for x in 0..<output.width {
        component.round(
          UnsafeMutableBufferPointer(start: output.pixel(x, y), count: channels))
      }
    }
  }

  private func clip(_ origin: Int, _ size: Int, _ limit: Int) -> Range<Int> {
    let first = min(max(origin, 0), limit)
    let end = size > limit ? limit : min(max(origin + size, first), limit)
    return first..<max(end, first)
  }
}
