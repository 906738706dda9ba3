import ModelIR

extension Picture {
  /// Returns the picture after a list of steps.
  ///
  /// Adjacent pointwise steps run in one pass and preserve alpha. Blurs and changes of size weight
  /// each colour by its alpha, so that transparent pixels do not affect visible ones.
  /// - Parameter threads: The number of threads that share the rows; `nil` for one per core.
  /// - Throws: `badData` if a step is invalid, `usage` if a step does not apply to the picture, or
  ///   if `NETCONV_CPU` names an unavailable level.
  public func applying(
    _ steps: [PixelStep], threads: Int? = nil
  ) throws(NetconvError) -> Picture {
    let workers = try Workers(threads: threads)
    var picture = self
    for pass in FilterPass.passes(of: steps) {
      picture = try PreparedPass(pass, for: picture.form).apply(to: picture, workers)
    }
    return picture
  }
}

/// Steps that run in one pass over the picture.
enum FilterPass: Equatable {
  /// Adjacent pointwise steps.
  case points([PixelStep])
  /// Any other step.
  case step(PixelStep)

  /// The passes of a list of steps.
  static func passes(of steps: [PixelStep]) -> [FilterPass] {
    steps.reduce(into: []) { passes, step in
      if !PointMap.takes(step) {
        passes.append(.step(step))
      } else if case .points(let before)? = passes.last {
        passes[passes.count - 1] = .points(before + [step])
      } else {
        passes.append(.points([step]))
      }
    }
  }
}

extension PixelStep {
  /// True if a step changes nothing, whatever the picture.
  var changesNothing: Bool {
    switch self {
    case .scale(let numbers), .deviation(let numbers): numbers == [1]
    case .offset(let numbers), .mean(let numbers): numbers == [0]
    case .saturation(let factor): factor == 1
    case .boxBlur(let radius): radius == 0
    case .blur(let radius, _): radius == 0
    case .pad(let margins, _): margins == Margins(left: 0, top: 0, right: 0, bottom: 0)
    case .region(_, let step): step.changesNothing
    case .invert, .channels, .gray, .color, .opaque, .encoding, .transpose, .axes, .crop, .turn,
      .resize, .fit, .fill:
      false
    }
  }
}
