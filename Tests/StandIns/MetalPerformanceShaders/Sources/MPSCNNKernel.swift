/// A kernel that reads one image and writes one.
///
/// Each pixel of the destination inside of ``clipRect`` is written; pixel (0, 0) of the clip rectangle is computed from
/// the source around ``offset``, the next from `strideInPixelsX` further on. A window of width `w` begins
/// `w >> 1` to the left of that place.
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnkernel
open class MPSCNNKernel: MPSKernel {
  /// The place in the source for the first pixel of the clip rectangle; `z` is the first image.
  open var offset = MPSOffset()
  /// The part of the destination to write; `z` and depth are images.
  open var clipRect = MPSRectNoClip
  /// Where the channels are written in the destination, a multiple of 4.
  open var destinationFeatureChannelOffset = 0
  /// The first channel of the source that is read, a multiple of 4.
  open var sourceFeatureChannelOffset = 0
  /// How many channels of the source are read at most.
  open var sourceFeatureChannelMaxCount = Int.max
  /// What is read outside of the source.
  open var edgeMode = MPSImageEdgeMode.zero
  /// The window's width.
  open internal(set) var kernelWidth = 1
  /// The window's height.
  open internal(set) var kernelHeight = 1
  /// How far apart the windows are.
  open internal(set) var strideInPixelsX = 1
  /// How far apart the windows are.
  open internal(set) var strideInPixelsY = 1
  /// How far apart the window's pixels are.
  open internal(set) var dilationRateX = 1
  /// How far apart the window's pixels are.
  open internal(set) var dilationRateY = 1
  /// Whether the stride enlarges, as that of a transposed convolution.
  open var isBackwards: Bool { false }
  /// Makes the images that the kernel returns; temporary ones unless set.
  open var destinationImageAllocator: any MPSImageAllocator = MPSTemporaryImage.defaultAllocator()
  /// How large the images are that the kernel returns, and where it reads.
  open var padding: any MPSNNPadding {
    get { chosenPadding ?? MPSNNDefaultPadding(method: .sizeSame) }
    set { chosenPadding = newValue }
  }
  var chosenPadding: (any MPSNNPadding)?

  /// Adds the kernel to a command buffer, with its properties as they are now.
  ///
  /// ``padding`` plays no part.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnkernel/encode(commandbuffer:sourceimage:destinationimage:)
  open func encode(
    commandBuffer: any MTLCommandBuffer, sourceImage: MPSImage, destinationImage: MPSImage
  ) {
    precondition(
      sourceImage.storage !== destinationImage.storage, "a kernel cannot work in place")
    let source = ImageWindow(
      sourceImage, firstChannel: sourceFeatureChannelOffset,
      maxCount: sourceFeatureChannelMaxCount, anywhere: beginsAnywhere)
    let pass = Pass(
      sources: [Pass.Source(image: source, offset: offset, edgeMode: edgeMode)],
      destination: destinationImage, clipRect: clipRect,
      firstChannel: destinationFeatureChannelOffset,
      channels: outputChannels(source.channels))
    checkSizes(source: sourceImage, destination: destinationImage)
    sourceImage.willBeRead()
    pass.encode(to: commandBuffer, body())
  }

  /// Makes an image as ``padding`` says, sets ``offset`` as it says, and encodes.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnkernel/encode(commandbuffer:sourceimage:)
  open func encode(commandBuffer: any MTLCommandBuffer, sourceImage: MPSImage) -> MPSImage {
    let descriptor = MPSImageDescriptor(
      channelFormat: sourceImage.featureChannelFormat, width: 0, height: 0,
      featureChannels: outputChannels(
        min(sourceImage.featureChannels - sourceFeatureChannelOffset, sourceFeatureChannelMaxCount)),
      numberOfImages: sourceImage.numberOfImages, usage: sourceImage.usage)
    place(descriptor, source: sourceImage)
    let destination = destinationImageAllocator.image(
      for: commandBuffer, imageDescriptor: descriptor, kernel: self)
    encode(commandBuffer: commandBuffer, sourceImage: sourceImage, destinationImage: destination)
    return destination
  }

  /// The window with its holes.
  var windowWidth: Int { (kernelWidth - 1) * dilationRateX + 1 }
  var windowHeight: Int { (kernelHeight - 1) * dilationRateY + 1 }

  /// What a subclass does with one image, its properties as they are now.
  func body() -> Pass.Body { preconditionFailure("\(type(of: self)) has nothing to encode") }

  /// Checks what a subclass expects of its images.
  func checkSizes(source: MPSImage, destination: MPSImage) {}

  /// Whether the first channel of the source can be any.
  var beginsAnywhere: Bool { false }

  /// The channels of the result.
  func outputChannels(_ sourceChannels: Int) -> Int { sourceChannels }

  /// Sets the size of the result and the offset.
  func place(_ descriptor: MPSImageDescriptor, source: MPSImage) {
    precondition(
      chosenPadding != nil
        || windowWidth * windowHeight * strideInPixelsX * strideInPixelsY == 1,
      "\(type(of: self)): set padding, or pass a destination image; the default is not documented")
    let rule = PaddingRule(padding.paddingMethod())
    descriptor.width = rule.size(
      source: source.width, stride: strideInPixelsX, window: windowWidth)
    descriptor.height = rule.size(
      source: source.height, stride: strideInPixelsY, window: windowHeight)
    offset.x = rule.offset(source: source.width, stride: strideInPixelsX, window: windowWidth)
    offset.y = rule.offset(source: source.height, stride: strideInPixelsY, window: windowHeight)
    if (padding as? MPSNNDefaultPadding)?.clampsEdges == true { edgeMode = .clamp }
  }
}
