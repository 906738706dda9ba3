import ModelIR

extension Picture {
  /// The picture after a list of steps.
  ///
  /// Neighbouring steps that change pixels one by one are done in one pass. Alpha is kept by them; blurs and changes of size
  /// weigh each colour with its alpha, so that what is transparent lends no colour to what is not.
  /// - Parameter threads: how many threads share the rows; as many as there are cores if it is `nil`.
  /// - Throws: `badData` if a step itself is wrong, `usage` if it is for other pictures, or `NETCONV_CPU` names nothing
  ///   that the CPU has.
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

/// Steps that are done in one go over the picture.
enum FilterPass: Equatable {
  /// Neighbouring steps that change pixels one by one.
  case points([PixelStep])
  /// Any other step.
  case step(PixelStep)

  /// The passes that a list of steps takes.
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
  /// Whether a step changes nothing, whatever the picture is.
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
