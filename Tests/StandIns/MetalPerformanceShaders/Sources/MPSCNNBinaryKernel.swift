/// A kernel that reads two images and writes one.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnbinarykernel
open class MPSCNNBinaryKernel: MPSKernel {
  /// The place in the first image for the first pixel of the clip rectangle.
  open var primaryOffset = MPSOffset()
  /// The place in the second image for the first pixel of the clip rectangle.
  open var secondaryOffset = MPSOffset()
  /// The part of the destination to write.
  open var clipRect = MPSRectNoClip
  /// Where the channels are written in the destination, a multiple of 4.
  open var destinationFeatureChannelOffset = 0
  /// What is read outside of the first image.
  open var primaryEdgeMode = MPSImageEdgeMode.zero
  /// What is read outside of the second image.
  open var secondaryEdgeMode = MPSImageEdgeMode.zero
  /// 1, or 0 to use one column everywhere.
  open var primaryStrideInPixelsX = 1
  /// 1, or 0 to use one row everywhere.
  open var primaryStrideInPixelsY = 1
  /// 1, or 0 to use one column everywhere.
  open var secondaryStrideInPixelsX = 1
  /// 1, or 0 to use one row everywhere.
  open var secondaryStrideInPixelsY = 1
  /// Makes the images that the kernel returns; temporary ones unless set.
  open var destinationImageAllocator: any MPSImageAllocator = MPSTemporaryImage.defaultAllocator()

  /// Adds the kernel to a command buffer, with its properties as they are now.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnbinarykernel/encode(commandbuffer:primaryimage:secondaryimage:destinationimage:)
  open func encode(
    commandBuffer: any MTLCommandBuffer, primaryImage: MPSImage, secondaryImage: MPSImage,
    destinationImage: MPSImage
  ) {
    precondition(
      primaryImage.storage !== destinationImage.storage
        && secondaryImage.storage !== destinationImage.storage, "a kernel cannot work in place")
    let first = ImageWindow(primaryImage, firstChannel: 0, maxCount: .max)
    let second = ImageWindow(secondaryImage, firstChannel: 0, maxCount: .max)
    let pass = Pass(
      sources: [
        Pass.Source(image: first, offset: primaryOffset, edgeMode: primaryEdgeMode),
        Pass.Source(image: second, offset: secondaryOffset, edgeMode: secondaryEdgeMode),
      ],
      destination: destinationImage, clipRect: clipRect,
      firstChannel: destinationFeatureChannelOffset,
      channels: outputChannels(first.channels, second.channels))
    primaryImage.willBeRead()
    secondaryImage.willBeRead()
    pass.encode(to: commandBuffer, body())
  }

  /// Makes an image as large as both sources, and encodes.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnbinarykernel/encode(commandbuffer:primaryimage:secondaryimage:)
  open func encode(
    commandBuffer: any MTLCommandBuffer, primaryImage: MPSImage, secondaryImage: MPSImage
  ) -> MPSImage {
    precondition(
      primaryImage.width == secondaryImage.width && primaryImage.height == secondaryImage.height,
      "pass a destination image; the size of the result of unlike images is not documented")
    let descriptor = MPSImageDescriptor(
      channelFormat: primaryImage.featureChannelFormat, width: primaryImage.width,
      height: primaryImage.height,
      featureChannels: outputChannels(
        primaryImage.featureChannels, secondaryImage.featureChannels),
      numberOfImages: primaryImage.numberOfImages, usage: primaryImage.usage)
    let destination = destinationImageAllocator.image(
      for: commandBuffer, imageDescriptor: descriptor, kernel: self)
    encode(
      commandBuffer: commandBuffer, primaryImage: primaryImage, secondaryImage: secondaryImage,
      destinationImage: destination)
    return destination
  }

  func body() -> Pass.Body { preconditionFailure("\(type(of: self)) has nothing to encode") }

  func outputChannels(_ primary: Int, _ secondary: Int) -> Int { primary }
}
