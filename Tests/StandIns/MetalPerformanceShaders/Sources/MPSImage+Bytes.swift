extension MPSImage {
  /// Copies an image out: `width * height * featureChannels` numbers of the image's type, without padding.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpsimage/readbytes(_:datalayout:imageindex:)
  public func readBytes(
    _ dataBytes: UnsafeMutableRawPointer, dataLayout: MPSDataLayout, imageIndex: Int
  ) {
    readBytes(
      dataBytes, dataLayout: dataLayout, bytesPerRow: packedRow(dataLayout),
      region: MTLRegionMake2D(0, 0, width, height), featureChannelInfo: allChannels,
      imageIndex: imageIndex)
  }

  /// Copies a region of an image out, rows `bytesPerRow` apart.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpsimage/readbytes(_:datalayout:bytesperrow:region:featurechannelinfo:imageindex:)
  public func readBytes(
    _ dataBytes: UnsafeMutableRawPointer, dataLayout: MPSDataLayout, bytesPerRow: Int,
    region: MTLRegion, featureChannelInfo: MPSImageReadWriteParams, imageIndex: Int
  ) {
    storage.checkReadable()
    let component = pixelFormat.component
    forEachNumber(
      dataLayout, bytesPerRow: bytesPerRow, region: region, channels: featureChannelInfo,
      image: imageIndex
    ) { component.store(storage.texels[$0], to: dataBytes + $1) }
  }

  /// Copies an image in: `width * height * featureChannels` numbers of the image's type, without padding.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpsimage/writebytes(_:datalayout:imageindex:)
  public func writeBytes(
    _ dataBytes: UnsafeRawPointer, dataLayout: MPSDataLayout, imageIndex: Int
  ) {
    writeBytes(
      dataBytes, dataLayout: dataLayout, bytesPerRow: packedRow(dataLayout),
      region: MTLRegionMake2D(0, 0, width, height), featureChannelInfo: allChannels,
      imageIndex: imageIndex)
  }

  /// Copies a region of an image in, rows `bytesPerRow` apart.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpsimage/writebytes(_:datalayout:bytesperrow:region:featurechannelinfo:imageindex:)
  public func writeBytes(
    _ dataBytes: UnsafeRawPointer, dataLayout: MPSDataLayout, bytesPerRow: Int, region: MTLRegion,
    featureChannelInfo: MPSImageReadWriteParams, imageIndex: Int
  ) {
    storage.checkWritable()
    let component = pixelFormat.component
    forEachNumber(
      dataLayout, bytesPerRow: bytesPerRow, region: region, channels: featureChannelInfo,
      image: imageIndex
    ) { storage.texels[$0] = component.load(dataBytes + $1) }
  }

  private var allChannels: MPSImageReadWriteParams {
    MPSImageReadWriteParams(
      featureChannelOffset: 0, numberOfFeatureChannelsToReadWrite: featureChannels)
  }

  private func packedRow(_ layout: MPSDataLayout) -> Int {
    let numbers = layout == .HeightxWidthxFeatureChannels ? width * featureChannels : width
    return numbers * pixelFormat.component.size
  }

  /// Calls with the index of each number in the image and its place, in bytes, outside.
  private func forEachNumber(
    _ layout: MPSDataLayout, bytesPerRow: Int, region: MTLRegion,
    channels: MPSImageReadWriteParams, image: Int, _ body: (Int, Int) -> Void
  ) {
    let (origin, size) = (region.origin, region.size)
    let first = channels.featureChannelOffset
    let count = channels.numberOfFeatureChannelsToReadWrite
    precondition((0..<numberOfImages).contains(image), "image \(image) of \(numberOfImages)")
    precondition(
      first % 4 == 0 && (first == 0 || count % 4 == 0),
      "a part of the channels starts and ends with slices of four")
    precondition(
      origin.x >= 0 && origin.y >= 0 && origin.x + size.width <= width
        && origin.y + size.height <= height && first + count <= featureChannels,
      "the region lies outside of the image")
    let bytes = pixelFormat.component.size
    for y in 0..<size.height {
      for x in 0..<size.width {
        let pixel =
          image * storage.imageStride
          + ((origin.y + y) * width + origin.x + x) * storage.channelStride + first
        for c in 0..<count {
          let place =
            switch layout {
            case .HeightxWidthxFeatureChannels: y * bytesPerRow + (x * count + c) * bytes
            case .featureChannelsxHeightxWidth: (c * size.height + y) * bytesPerRow + x * bytes
            }
          body(pixel + c, place)
        }
      }
    }
  }
}
