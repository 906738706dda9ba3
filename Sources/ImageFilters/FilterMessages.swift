import ModelIR

/// The messages of this module's errors.
extension NetconvError {
  static func wrongImage(_ step: PixelStep, _ shape: [Int]) -> NetconvError {
    let expected =
      switch step {
      case .scale(let numbers), .offset(let numbers), .mean(let numbers), .deviation(let numbers),
        .pad(_, let numbers), .fit(_, let numbers):
        "has \(numbers.count) numbers and needs the same number of channels"
      case .channels: "needs images with three channels"
      case .opaque(let numbers?):
        "has \(numbers.count) numbers and needs the same number of colours"
      case .saturation, .gray, .color: "needs images with one channel or three"
      case .axes: "needs images with channels"
      case .resize, .fill: "needs images that are not empty"
      case .transpose, .invert, .opaque, .encoding, .boxBlur, .blur, .crop, .turn, .region:
        "needs images with height and width"
      }
    return NetconvError(
      .usage,
      "the step \(quoted(step.record.step)) of the preprocessing \(expected); the images have shape "
        + Shape(shape).description)
  }

  static func notForPictures(_ step: PixelStep) -> NetconvError {
    NetconvError(
      .usage,
      "the step \(quoted(step.record.step)) is for network inputs; a picture has its channels last"
    )
  }

  static func areaOutside(
    _ area: PixelStep.Area, _ step: PixelStep, width: Int, height: Int
  ) -> NetconvError {
    NetconvError(
      .usage,
      "the step \(quoted(step.record.step)) selects \(area.width) x \(area.height) pixels from column "
        + "\(area.x) and row \(area.y); the picture has \(width) x \(height)")
  }

  /// Adds the step to an error about its result.
  static func inStep(_ step: PixelStep, _ error: NetconvError) -> NetconvError {
    NetconvError(
      error.kind, text: "the step \(quoted(step.record.step)) needs too much memory: " + error.text)
  }

  static var noProvider: NetconvError {
    NetconvError(.usage, "a filter without a provider was asked for a picture; set one")
  }

  static var providersInCircle: NetconvError {
    NetconvError(.usage, "a filter is its own provider through others; break the cycle")
  }
}
