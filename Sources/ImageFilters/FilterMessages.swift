import ModelIR

/// The messages of this module's errors.
extension NetconvError {
  static func wrongImage(_ step: PixelStep, _ shape: [Int]) -> NetconvError {
    let expected =
      switch step {
      case .scale(let numbers), .offset(let numbers), .mean(let numbers), .deviation(let numbers),
        .pad(_, let numbers), .fit(_, let numbers):
        "has \(numbers.count) numbers and needs as many channels"
      case .channels: "needs images with three channels"
      case .opaque(let numbers?): "has \(numbers.count) numbers and needs as many colours"
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
      "the step \(quoted(step.record.step)) is for what a network takes; a picture has its channels last"
    )
  }

  static func areaOutside(
    _ area: PixelStep.Area, _ step: PixelStep, width: Int, height: Int
  ) -> NetconvError {
    NetconvError(
      .usage,
      "the step \(quoted(step.record.step)) speaks of \(area.width) x \(area.height) pixels from column "
        + "\(area.x) and row \(area.y) on; the picture has \(width) x \(height)")
  }

  /// Adds the step to an error about its result.
  static func inStep(_ step: PixelStep, _ error: NetconvError) -> NetconvError {
    NetconvError(
      error.kind, text: "the step \(quoted(step.record.step)) would make too much: " + error.text)
  }

  static var noProvider: NetconvError {
    NetconvError(.usage, "a filter is asked for a picture and has no provider; set one")
  }

  static var providersInCircle: NetconvError {
    NetconvError(.usage, "a filter is its own provider, through others; break the circle")
  }
}
