import ModelIR

/// What a picture is without its values.
public struct PictureForm: Sendable, Equatable {
  /// Rows.
  public var height: Int
  /// Pixels in a row.
  public var width: Int
  /// Values of a pixel, the one of its opacity included: 1 is gray, 2 gray and alpha, 3 colour, 4 colour and alpha.
  public var channels: Int
  /// Whether the last channel is the opacity, from 0 to 255.
  ///
  /// Colours are straight: they are not multiplied with it.
  public var hasAlpha: Bool
  /// How the values of colours grow with light.
  ///
  /// Alpha is always linear.
  public var encoding: PixelStep.Encoding
  /// In which order the colours of a pixel stand.
  public var order: PixelStep.ChannelOrder

  /// A picture of these sizes, of sRGB in the order red, green, blue unless it is said.
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

  /// Channels that are colours or gray.
  public var colors: Int { channels - (hasAlpha ? 1 : 0) }

  /// The size of each axis: (height, width, channels).
  public var shape: [Int] { [height, width, channels] }

  /// The number of all values.
  public var count: Int { height * width * channels }

  /// What a picture is after a step.
  ///
  /// - Throws: `badData` if the step itself is wrong, `usage` if it is for other pictures, or gives one that is too large.
  public func after(_ step: PixelStep) throws(NetconvError) -> PictureForm {
    try after(step, shape)
  }

  /// What a picture is after a step.
  ///
  /// - Parameter shape: what messages say that pictures have.
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
