import ModelIR

/// The properties of a picture without its values.
public struct PictureForm: Sendable, Equatable {
  /// The number of rows.
  public var height: Int
  /// The number of pixels per row.
  public var width: Int
  /// The number of values per pixel, including alpha: 1 for gray, 2 for gray and alpha, 3 for
  /// colour, 4 for colour and alpha.
  public var channels: Int
  /// True if the last channel is the opacity, from 0 to 255.
  ///
  /// Colours are not premultiplied.
  public var hasAlpha: Bool
  /// The transfer function of the colours.
  ///
  /// Alpha is always linear.
  public var encoding: PixelStep.Encoding
  /// The order of the colours in a pixel.
  public var order: PixelStep.ChannelOrder

  /// Creates a form with these sizes, by default sRGB in the order red, green, blue.
  public init(
    height: Int, width: Int, channels: Int, hasAlpha: Bool = false,
    encoding: PixelStep.Encoding = .sRGB, order: PixelStep.ChannelOrder = .rgb
  ) {
    self.height = height
    self.width = width
    self.channels = channels
    self.hasAlpha = hasAlpha
    self.encoding = encoding
    self.order = order
  }

  /// The number of channels without alpha.
  public var colors: Int { channels - (hasAlpha ? 1 : 0) }

  /// The size of each axis: (height, width, channels).
  public var shape: [Int] { [height, width, channels] }

  /// The number of values.
  public var count: Int { height * width * channels }

  /// Returns the form of the picture after a step.
  ///
  /// - Throws: `badData` if the step is invalid, `usage` if it does not apply to the picture or its
  ///   result is too large.
  public func after(_ step: PixelStep) throws(NetconvError) -> PictureForm {
    try after(step, shape)
  }

  /// Returns the form of the picture after a step.
  ///
  /// - Parameter shape: The shape to name in messages.
  func after(_ step: PixelStep, _ shape: [Int]) throws(NetconvError) -> PictureForm {
    try step.check()
    var form = self
    switch step {
    case .scale(let numbers), .offset(let numbers), .mean(let numbers), .deviation(let numbers):
      try checkNumbers(numbers, step, shape)
    case .invert, .boxBlur, .blur: break
    case .channels(let wanted):
      guard [1, 3].contains(colors) else { throw .wrongImage(step, shape) }
      form.order = wanted
    case .saturation: guard [1, 3].contains(colors) else { throw .wrongImage(step, shape) }
    case .gray:
      guard [1, 3].contains(colors) else { throw .wrongImage(step, shape) }
      form.channels = hasAlpha ? 2 : 1
    case .color:
      guard [1, 3].contains(colors) else { throw .wrongImage(step, shape) }
      form.channels = hasAlpha ? 4 : 3
    case .opaque(let values):
      if let values { try checkNumbers(values, step, shape) }
      form.channels = colors
      form.hasAlpha = false
    case .encoding(let wanted): form.encoding = wanted
    case .transpose: (form.height, form.width) = (width, height)
    case .axes: throw .notForPictures(step)
    case .crop(let area):
      try checkInside(area, step)
      (form.height, form.width) = (area.height, area.width)
    case .pad(let margins, let values):
      try checkNumbers(values, step, shape)
      form.height += margins.top + margins.bottom
      form.width += margins.left + margins.right
    case .turn(let quarters):
      if quarters != 2 { (form.height, form.width) = (width, height) }
    case .resize(let sizing), .fill(let sizing):
      guard height > 0, width > 0 else { throw .wrongImage(step, shape) }
      (form.height, form.width) = (sizing.height, sizing.width)
    case .fit(let sizing, let values):
      guard height > 0, width > 0 else { throw .wrongImage(step, shape) }
      try checkNumbers(values, step, shape)
      (form.height, form.width) = (sizing.height, sizing.width)
    case .region(let area, let step):
      try checkInside(area, step)
      return try after(step, shape)
    }
    do throws(NetconvError) {
      _ = try MemoryBound.count(of: form.shape, byteCount: MemoryLayout<Float>.size)
    } catch {
      throw .inStep(step, error)
    }
    return form
  }

  private func checkNumbers(
    _ numbers: [Double], _ step: PixelStep, _ shape: [Int]
  ) throws(NetconvError) {
    guard numbers.count == 1 || numbers.count == colors else { throw .wrongImage(step, shape) }
  }

  private func checkInside(_ area: PixelStep.Area, _ step: PixelStep) throws(NetconvError) {
    guard area.x + area.width <= width, area.y + area.height <= height else {
      throw .areaOutside(area, step, width: width, height: height)
    }
  }
}

extension NetconvError {
  fileprivate static func notForPictures(_ step: PixelStep) -> NetconvError {
    NetconvError(
      .usage,
      "the step \(quoted(step.record.step)) is for network inputs; a picture has its channels last"
    )
  }

  fileprivate static func areaOutside(
    _ area: PixelStep.Area, _ step: PixelStep, width: Int, height: Int
  ) -> NetconvError {
    NetconvError(
      .usage,
      "the step \(quoted(step.record.step)) selects \(area.width) x \(area.height) pixels from column "
        + "\(area.x) and row \(area.y); the picture has \(width) x \(height)")
  }

  /// Adds the step to an error about its result.
  fileprivate static func inStep(_ step: PixelStep, _ error: NetconvError) -> NetconvError {
    NetconvError(
      error.kind, text: "the step \(quoted(step.record.step)) needs too much memory: " + error.text)
  }
}
