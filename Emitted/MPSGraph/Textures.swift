import MetalPerformanceShadersGraph

// Pictures into the network.

extension NAME {
  #if severalOutputs
  /// Adds the way of a picture into the network, and the network, to a command buffer.
  ///
  /// ``NAMEPreparation`` says what is done to the picture.
  ///
  /// - Parameters:
  ///   - commandBuffer: all that are given have to be of one queue. A graph may commit what is inside of it, so that
  ///     it is this one that is committed and waited for.
  ///   - texture: the picture: BGRA8, RGBA8, RGBA16F or RGBA32F, not as sRGB, with straight alpha.
  ///   - region: what is seen of it, in pixels; all if it is `nil`.
  /// - Returns: what comes out for one sample, to be read when the command buffer has run.
  public func encode(
    to commandBuffer: MPSCommandBuffer, texture: MTLTexture, region: MTLRegion? = nil
  ) throws -> [MPSGraphTensorData] {
    try encode(outputs, to: commandBuffer, texture, region, readyPictures())
  }
  #else
  /// Adds the way of a picture into the network, and the network, to a command buffer.
  ///
  /// ``NAMEPreparation`` says what is done to the picture.
  ///
  /// - Parameters:
  ///   - commandBuffer: all that are given have to be of one queue. A graph may commit what is inside of it, so that
  ///     it is this one that is committed and waited for.
  ///   - texture: the picture: BGRA8, RGBA8, RGBA16F or RGBA32F, not as sRGB, with straight alpha.
  ///   - region: what is seen of it, in pixels; all if it is `nil`.
  /// - Returns: what comes out for one sample, to be read when the command buffer has run.
  public func encode(
    to commandBuffer: MPSCommandBuffer, texture: MTLTexture, region: MTLRegion? = nil
  ) throws -> MPSGraphTensorData {
    try encode([output], to: commandBuffer, texture, region, readyPictures())[0]
  }
  #endif

  /// A command buffer of the pictures' queue with the network behind the way of a picture.
  func run(
    _ texture: MTLTexture, _ region: MTLRegion?, _ pictures: NAMEPictures
  ) throws -> NAMERun {
    guard let first = pictures.context.queue.makeCommandBuffer() else {
      throw NAMEError("no command buffer")
    }
    // A graph may commit the one inside, and go on with another.
    let commandBuffer = MPSCommandBuffer(commandBuffer: first)
    #if severalOutputs
    let results = try encode(outputs, to: commandBuffer, texture, region, pictures)
    return NAMERun(first: first, commandBuffer: commandBuffer) { results.map(NAMEValues.read) }
    #else
    let results = try encode([output], to: commandBuffer, texture, region, pictures)
    return NAMERun(first: first, commandBuffer: commandBuffer) { NAMEValues.read(results[0]) }
    #endif
  }

  private func encode(
    _ targets: [MPSGraphTensor], to commandBuffer: MPSCommandBuffer, _ texture: MTLTexture,
    _ region: MTLRegion?, _ pictures: NAMEPictures
  ) throws -> [MPSGraphTensorData] {
    let buffer = try pictures.buffer(of: texture, region, in: commandBuffer)
    let data = MPSGraphTensorData(
      buffer, shape: ([1] + Self.inputShape).map { NSNumber(value: $0) }, dataType: .float32)
    return try executables.encode(to: commandBuffer, [data], targets)
  }

  /// The way of pictures, made for the first.
  func readyPictures() throws -> NAMEPictures {
    if let pictures { return pictures }
    guard let metal = device.metalDevice else { throw NAMEError("no Metal device") }
    let made = try NAMEPictures(device: metal)
    pictures = made
    return made
  }
}

extension NAMEPictures {
  /// The way of a picture into a buffer of floats.
  fileprivate func buffer(
    of texture: MTLTexture, _ region: MTLRegion?, in commandBuffer: MTLCommandBuffer
  ) throws -> MTLBuffer {
    let (width, height) = (NAMEPreparation.width, NAMEPreparation.height)
    let channels = NAMEPreparation.channels
    let length = width * height * channels * MemoryLayout<Float>.size
    guard let buffer = context.device.makeBuffer(length: length, options: .storageModePrivate)
    else { throw NAMEError("no memory for a picture's values") }
    // How many, from one value of a pixel to the next, and from one pixel to the next.
    let numbers =
      NAMEPreparation.isPlanar ? [channels, width * height, 1] : [channels, 1, channels]
    let prepared = try encode(
      texture, region: region, to: context.storage.format, in: commandBuffer)
    try context.encode(
      "feedBuffer", [prepared], [buffer, context.buffer(.integers(numbers.map { Int32($0) }))],
      width: width, height: height, in: commandBuffer)
    if prepared !== texture { context.giveBack(prepared) }
    return buffer
  }
}
