/// What a picture is without its values.
public struct NAMEForm: Equatable {
  /// Pixels in a row, and rows.
  public var width, height: Int
  /// Whether the three colours of each pixel are one, its gray.
  public var isGray = false
  /// In which order colours stand: with `.bgr` what a kernel reads as red is blue.
  public var order = NAMEStep.ChannelOrder.rgb
  /// How values grow with light.
  public var encoding = NAMEStep.Encoding.sRGB
  /// Whether pixels may be transparent.
  public var hasAlpha = true

  /// A picture of colours in sRGB.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The largest side of a texture that every device has.
  static let largestSide = 16_384
  static let largestRadius = 1_000

  /// What a picture is after a step.
  func after(_ step: NAMEStep) throws -> NAMEForm {
    var form = self
    switch step {
    case .scale(let numbers), .offset(let numbers), .mean(let numbers): try check(numbers, step)
    case .deviation(let numbers):
      try check(numbers, step)
      try require(!numbers.contains(0), step, "divides by 0")
    case .invert(let largest): try check([largest], step)
    case .saturation(let factor):
      try require(factor.isFinite && factor >= 0, step, "takes a factor from 0 on")
    case .channels(let wanted): form.order = wanted
    case .gray: form.isGray = true
    case .color: form.isGray = false
    case .opaque(let numbers):
      if let numbers { try check(numbers, step) }
      form.hasAlpha = false
    case .encoding(let wanted): form.encoding = wanted
    case .boxBlur(let radius):
      try require((0...Self.largestRadius).contains(radius), step, "takes a radius up to 1000")
    case .blur(let radius, let sigma):
      try require(
        radius >= 0 && radius <= Double(Self.largestRadius), step, "takes a radius up to 1000")
      try require(sigma.map { $0.isFinite && $0 > 0 } ?? true, step, "takes a sigma above 0")
    case .transpose: (form.width, form.height) = (height, width)
    case .turn(let quarters):
      try require((1...3).contains(quarters), step, "takes 1 to 3 quarters")
      if quarters != 2 { (form.width, form.height) = (height, width) }
    case .crop(let area):
      try check(area, step)
      (form.width, form.height) = (area.width, area.height)
    case .pad(let margins, let numbers):
      try check(numbers, step)
      let sides = [margins.left, margins.top, margins.right, margins.bottom]
      try require(
        sides.allSatisfy { (0...Self.largestSide).contains($0) }, step, "takes margins from 0 on")
      form.width += margins.left + margins.right
      form.height += margins.top + margins.bottom
    case .fit(let sizing, let numbers):
      try check(numbers, step)
      (form.width, form.height) = (sizing.width, sizing.height)
    case .resize(let sizing), .fill(let sizing):
      (form.width, form.height) = (sizing.width, sizing.height)
    case .region(let area, let inner):
      try check(area, step)
      try require(inner.canHaveRegion, step, "is of a step that no region can have")
      return try after(inner)
    }
    let sides = 1...Self.largestSide
    try require(
      sides.contains(form.width) && sides.contains(form.height), step,
      "would give \(form.width) x \(form.height) pixels; a texture has up to 16384 a side")
    return form
  }

  private func check(_ numbers: [Double], _ step: NAMEStep) throws {
    try require(
      numbers.allSatisfy(\.isFinite) && (numbers.count == 1 || numbers.count == (isGray ? 1 : 3)),
      step, "takes one number, or as many as there are colours")
  }

  private func check(_ area: NAMEStep.Area, _ step: NAMEStep) throws {
    try require(
      area.x >= 0 && area.y >= 0 && area.width > 0 && area.height > 0
        && area.width <= width && area.x <= width - area.width
        && area.height <= height && area.y <= height - area.height,
      step, "speaks of pixels outside of a picture of \(width) x \(height)")
  }

  private func require(_ isRight: Bool, _ step: NAMEStep, _ problem: String) throws {
    guard isRight else { throw NAMEError("the filter \(step) \(problem)") }
  }
}

extension NAMEStep {
  /// Whether a step changes neither the shape of a picture nor what its values mean.
  var canHaveRegion: Bool {
    switch self {
    case .scale, .offset, .mean, .deviation, .invert, .saturation, .boxBlur, .blur: true
    case .channels, .gray, .color, .opaque, .encoding, .transpose, .crop, .pad, .turn, .resize,
      .fit, .fill, .region:
      false
    }
  }

  /// Whether a step changes nothing, whatever the picture is.
  var changesNothing: Bool {
    switch self {
    case .scale(let numbers), .deviation(let numbers): numbers == [1]
    case .offset(let numbers), .mean(let numbers): numbers == [0]
    case .saturation(let factor): factor == 1
    case .boxBlur(let radius): radius == 0
    case .blur(let radius, _): radius == 0
    case .region(_, let step): step.changesNothing
    default: false
    }
  }
}
