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

  static var noProvider: NetconvError {
    NetconvError(.usage, "a filter without a provider was asked for a picture; set one")
  }
}
