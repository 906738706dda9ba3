import MetalPerformanceShaders

// Pictures into the network.

extension NAME {
  #if severalOutputs
  /// Adds the way of a picture into the network, and the network, to a command buffer.
  ///
  /// ``NAMEPreparation`` says what is done to the picture.
  ///
  /// - Parameters:
  ///   - commandBuffer: all that are given have to be of one queue.
  ///   - texture: the picture: BGRA8, RGBA8, RGBA16F or RGBA32F, not as sRGB, with straight alpha.
  ///   - region: what is seen of it, in pixels; all if it is `nil`.
  ///   - activations: keeps the output of each layer, for tests.
  /// - Returns: what `encode` gives for an image.
  public func encode(
    commandBuffer: MTLCommandBuffer, texture: MTLTexture, region: MTLRegion? = nil,
    activations: NAMEActivations? = nil
  ) throws -> [MPSImage] {
    try readyPictures().encode(texture, region, in: commandBuffer) { image in
      #if customLayers
      try encode(commandBuffer: commandBuffer, sourceImage: image, activations: activations)
      #else
      encode(commandBuffer: commandBuffer, sourceImage: image, activations: activations)
      #endif
    }
  }
  #else
  /// Adds the way of a picture into the network, and the network, to a command buffer.
  ///
  /// ``NAMEPreparation`` says what is done to the picture.
  ///
  /// - Parameters:
  ///   - commandBuffer: all that are given have to be of one queue.
  ///   - texture: the picture: BGRA8, RGBA8, RGBA16F or RGBA32F, not as sRGB, with straight alpha.
  ///   - region: what is seen of it, in pixels; all if it is `nil`.
  ///   - activations: keeps the output of each layer, for tests.
  /// - Returns: what `encode` gives for an image.
  public func encode(
    commandBuffer: MTLCommandBuffer, texture: MTLTexture, region: MTLRegion? = nil,
    activations: NAMEActivations? = nil
  ) throws -> MPSImage {
    try readyPictures().encode(texture, region, in: commandBuffer) { image in
      #if customLayers
      try encode(commandBuffer: commandBuffer, sourceImage: image, activations: activations)
      #else
      encode(commandBuffer: commandBuffer, sourceImage: image, activations: activations)
      #endif
    }
  }
  #endif

  /// A command buffer of the pictures' queue with the network behind the way of a picture.
  func run(
    _ texture: MTLTexture, _ region: MTLRegion?, _ pictures: NAMEPictures
  ) throws -> NAMERun {
    guard let commandBuffer = pictures.context.queue.makeCommandBuffer() else {
      throw NAMEError("no command buffer")
    }
    let output = try pictures.encode(texture, region, in: commandBuffer) { image in
      #if customLayers
      try encode(commandBuffer: commandBuffer, sourceImage: image)
      #else
      encode(commandBuffer: commandBuffer, sourceImage: image)
      #endif
    }
    #if severalOutputs
    for image in output { image.synchronize(on: commandBuffer) }
    return NAMERun(first: commandBuffer, commandBuffer: commandBuffer) {
      output.map(NAMEPixels.read)
    }
    #else
    output.synchronize(on: commandBuffer)
    return NAMERun(first: commandBuffer, commandBuffer: commandBuffer) { NAMEPixels.read(output) }
    #endif
  }

  /// The way of pictures, made for the first.
  func readyPictures() throws -> NAMEPictures {
    if let pictures { return pictures }
    let made = try NAMEPictures(device: device)
    pictures = made
    return made
  }
}

extension NAMEPictures {
  #if customLayers
  /// The way of a picture, and what reads the image that it becomes.
  fileprivate func encode<Result>(
    _ texture: MTLTexture, _ region: MTLRegion?, in commandBuffer: MTLCommandBuffer,
    _ network: (MPSImage) throws -> Result
  ) throws -> Result {
    let passes = [NAMEPass.feed(width: NAMEPreparation.width, height: NAMEPreparation.height)]
    let fed = try encode(
      texture, region: region, to: Self.format, ending: passes, in: commandBuffer)
    // Of RGBA, an image of three channels has the colours.
    let result = try network(MPSImage(texture: fed, featureChannels: NAMEPreparation.channels))
    context.giveBack(fed)
    return result
  }
  #else
  /// The way of a picture, and what reads the image that it becomes.
  fileprivate func encode<Result>(
    _ texture: MTLTexture, _ region: MTLRegion?, in commandBuffer: MTLCommandBuffer,
    _ network: (MPSImage) -> Result
  ) throws -> Result {
    let passes = [NAMEPass.feed(width: NAMEPreparation.width, height: NAMEPreparation.height)]
    let fed = try encode(
      texture, region: region, to: Self.format, ending: passes, in: commandBuffer)
    // Of RGBA, an image of three channels has the colours.
    let result = network(MPSImage(texture: fed, featureChannels: NAMEPreparation.channels))
    context.giveBack(fed)
    return result
  }
  #endif

  /// As images of the network have it.
  private static var format: MTLPixelFormat {
    switch (NAME.format, NAMEPreparation.channels) {
    case (.float16, 1): .r16Float
    case (.float16, _): .rgba16Float
    case (_, 1): .r32Float
    default: .rgba32Float
    }
  }
}
