internal import CKernels
import ModelIR
import Processor

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
    try applying(steps, Workers(threads: threads))
  }

  func applying(_ steps: [PixelStep], _ workers: Workers) throws(NetconvError) -> Picture {
    var picture = self
    for pass in FilterPass.passes(of: steps) { picture = try picture.applying(pass, workers) }
    return picture
  }

  private func applying(_ pass: FilterPass, _ workers: Workers) throws(NetconvError) -> Picture {
    switch pass {
    case .points(let steps):
      var form = form
      var map = PointMap(colors: colors)
      for step in steps {
        let next = try form.after(step)
        map.append(step, to: form)
        form = next
      }
      return Picture(
        form,
        values: map.apply(
          to: values, pixels: height * width, hasAlpha: hasAlpha, workers))
    case .step(let step):
      return Picture(try form.after(step), values: try values(after: step, workers))
    }
  }

  /// The values after a step that was checked.
  private func values(
    after step: PixelStep, _ workers: Workers
  ) throws(NetconvError) -> [Float] {
    switch step {
    case .opaque(let background): return opaque(over: background)
    case .encoding(let wanted): return TransferCurve.apply(wanted, to: self, workers)
    case .boxBlur(let radius):
      return weighted(workers) { Correlation(box: radius).apply(to: $0, form, workers) }
    case .blur(let radius, let sigma):
      return weighted(workers) {
        Correlation(gaussian: radius, sigma: sigma).apply(to: $0, form, workers)
      }
    case .transpose: return transposed()
    case .crop(let area): return cropped(to: area)
    case .pad(let margins, let numbers): return padded(by: margins, numbers)
    case .turn(let quarters): return turned(by: quarters)
    case .resize(let sizing):
      return weighted(workers) {
        Resampling(stretching: sizing).apply(to: $0, form, workers)
      }
    case .fill(let sizing):
      return weighted(workers) {
        Resampling(filling: sizing, from: form).apply(to: $0, form, workers)
      }
    case .fit(let sizing, let numbers):
      let inside = Resampling.fitting(sizing, from: form)
      let picture = try applying([.resize(inside)], workers)
      let left = (sizing.width - inside.width) / 2
      let top = (sizing.height - inside.height) / 2
      let margins = PixelStep.Margins(
        left: left, top: top, right: sizing.width - inside.width - left,
        bottom: sizing.height - inside.height - top)
      return picture.padded(by: margins, numbers)
    case .region(let area, let step): return try values(in: area, after: step, workers)
    case .scale, .offset, .mean, .deviation, .invert, .channels, .saturation, .gray, .color, .axes:
      preconditionFailure("\(step) is no pass of its own")
    }
  }

  /// The values after a step that is done in a rectangle, of which it takes as much of the surroundings as it sees.
  private func values(
    in area: PixelStep.Area, after step: PixelStep, _ workers: Workers
  ) throws(NetconvError) -> [Float] {
    let reach = step.reach
    let (x, y) = (max(0, area.x - reach), max(0, area.y - reach))
    let seen = PixelStep.Area(
      x: x, y: y, width: min(width, area.x + area.width + reach) - x,
      height: min(height, area.y + area.height + reach) - y)
    var part = try applying([.crop(seen), step], workers)
    let inner = PixelStep.Area(
      x: area.x - x, y: area.y - y, width: area.width, height: area.height)
    part = try part.applying([.crop(inner)], workers)
    return replacing(area, with: part.values)
  }

  /// Values that are made of several pixels, with colours weighed by their alpha.
  private func weighted(_ workers: Workers, _ change: ([Float]) -> [Float]) -> [Float] {
    let last = channels - 1
    guard hasAlpha,
      !stride(from: last, to: values.count, by: channels).allSatisfy({ values[$0] == 255 })
    else { return change(values) }
    let channels = channels
    let multiplied = workers.values(values.count, from: values) { x, y in
      let (from, to) = (Shared(x), Shared(y))
      workers.share(height * width, cost: channels) { share in
        let first = share.lowerBound * channels
        workers.kernels.premultiply(from.value + first, to.value + first, channels, share.count)
      }
    }
    var result = change(multiplied)
    result.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let values = Shared(base)
      workers.share(buffer.count / channels, cost: channels) { share in
        workers.kernels.unpremultiply(
          values.value + share.lowerBound * channels, channels, share.count)
      }
    }
    return result
  }
}

/// Steps that are done in one go over the picture.
enum FilterPass: Equatable {
  /// Neighbouring steps that change pixels one by one.
  case points([PixelStep])
  /// Any other step.
  case step(PixelStep)

  /// The passes that a list of steps takes; none for steps that change nothing.
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
  /// How far away the pixels are that a step sees.
  fileprivate var reach: Int {
    switch self {
    case .boxBlur(let radius): radius
    case .blur(let radius, _): Int(radius.rounded(.up))
    default: 0
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
    case .pad(let margins, _): margins == Margins(left: 0, top: 0, right: 0, bottom: 0)
    case .region(_, let step): step.changesNothing
    case .invert, .channels, .gray, .color, .opaque, .encoding, .transpose, .axes, .crop, .turn,
      .resize, .fit, .fill:
      false
    }
  }
}
