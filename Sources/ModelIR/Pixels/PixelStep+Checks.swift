extension PixelStep {
  /// The maximum radius, margin and side length of a picture, in pixels.
  public static let largestSide = 65_535
  /// The maximum radius of a blur, in pixels.
  public static let largestRadius = 1_000

  /// Validates the parameters that do not depend on an image.
  ///
  /// - Throws: `badData` naming the step and the parameter.
  public func check() throws(NetconvError) {
    let name = record.step
    switch self {
    case .scale(let numbers), .offset(let numbers), .mean(let numbers):
      try Self.checkNumbers(numbers, name)
    case .deviation(let numbers):
      try Self.checkNumbers(numbers, name)
      guard !numbers.contains(0) else { throw .zeroDeviation }
    case .invert(let largest): try Self.checkNumbers([largest], name)
    case .channels, .transpose, .axes, .gray, .color, .encoding: break
    case .opaque(let values): if let values { try Self.checkNumbers(values, name) }
    case .saturation(let factor):
      guard factor.isFinite, factor >= 0 else { throw .wrongSaturation(factor) }
    case .boxBlur(let radius): try Self.checkRadius(Double(radius), name)
    case .blur(let radius, let sigma):
      try Self.checkRadius(radius, name)
      if let sigma, !(sigma.isFinite && sigma > 0) { throw .wrongSigma(sigma) }
    case .crop(let area): try Self.check(area, name)
    case .pad(let margins, let values):
      try Self.checkNumbers(values, name)
      for side in [margins.left, margins.top, margins.right, margins.bottom] {
        guard (0...Self.largestSide).contains(side) else { throw .wrongMargin(side) }
      }
    case .turn(let quarters):
      guard (1...3).contains(quarters) else { throw .wrongTurn(Double(quarters) * 90) }
    case .resize(let sizing), .fill(let sizing): try Self.check(sizing, name)
    case .fit(let sizing, let values):
      try Self.check(sizing, name)
      try Self.checkNumbers(values, name)
    case .region(let area, let step):
      try step.check()
      guard step.canHaveRegion else { throw .noRegion(name) }
      try Self.check(area, name)
    }
  }

  /// True if a step changes neither the shape of an image nor the meaning of its values, so that it can be limited to a
  /// region.
  public var canHaveRegion: Bool {
    switch self {
    case .scale, .offset, .mean, .deviation, .invert, .saturation, .boxBlur, .blur: true
    case .channels, .transpose, .axes, .gray, .color, .opaque, .encoding, .crop, .pad, .turn,
      .resize, .fit, .fill, .region:
      false
    }
  }

  private static func checkNumbers(_ numbers: [Double], _ name: String) throws(NetconvError) {
    guard !numbers.isEmpty, numbers.allSatisfy(\.isFinite) else { throw .wrongNumbers(name) }
  }

  private static func checkRadius(_ radius: Double, _ name: String) throws(NetconvError) {
    guard radius >= 0, radius <= Double(largestRadius) else { throw .wrongRadius(radius, of: name) }
  }

  private static func check(_ sizing: Sizing, _ name: String) throws(NetconvError) {
    guard (1...largestSide).contains(sizing.width), (1...largestSide).contains(sizing.height) else {
      throw .wrongSize(sizing, of: name)
    }
  }

  private static func check(_ area: Area, _ name: String) throws(NetconvError) {
    guard (0...largestSide).contains(area.x), (0...largestSide).contains(area.y),
      (1...largestSide).contains(area.width), (1...largestSide).contains(area.height)
    else { throw .wrongArea(area, of: name) }
  }
}

extension NetconvError {
  fileprivate static var zeroDeviation: NetconvError {
    NetconvError(.badData, "the step 'deviation' would divide by 0")
  }

  fileprivate static func wrongSaturation(_ factor: Double) -> NetconvError {
    NetconvError(
      .badData,
      "the step 'saturation' needs a factor of at least 0; found \(PixelStep.number(factor))")
  }

  fileprivate static func wrongRadius(_ radius: Double, of step: String) -> NetconvError {
    NetconvError(
      .badData,
      "the step \(quoted(step)) needs a radius from 0 to \(PixelStep.largestRadius); found "
        + PixelStep.number(radius))
  }

  fileprivate static func wrongSigma(_ sigma: Double) -> NetconvError {
    NetconvError(
      .badData, "\"sigma\" of the step 'blur' has to be above 0; found \(PixelStep.number(sigma))")
  }

  fileprivate static func wrongMargin(_ side: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the step 'pad' needs 0 to \(PixelStep.largestSide) pixels on each side; found \(side)")
  }

  fileprivate static func wrongArea(_ area: PixelStep.Area, of step: String) -> NetconvError {
    NetconvError(
      .badData,
      "the step \(quoted(step)) has \(area.width) x \(area.height) pixels from column \(area.x) and row "
        + "\(area.y) on; sides go from 1 to \(PixelStep.largestSide), and offsets from 0")
  }

  fileprivate static func wrongSize(_ sizing: PixelStep.Sizing, of step: String) -> NetconvError {
    NetconvError(
      .badData,
      "the step \(quoted(step)) has a size of \(sizing.width) x \(sizing.height); sides go from 1 to "
        + "\(PixelStep.largestSide)")
  }

  fileprivate static func noRegion(_ step: String) -> NetconvError {
    NetconvError(
      .badData,
      "the step \(quoted(step)) changes the shape of an image or the meaning of its values, so it cannot "
        + "be limited to a region")
  }
}
