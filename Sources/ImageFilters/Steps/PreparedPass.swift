internal import CKernels
import ModelIR
import Processor

/// A pass over pictures of one form, with its precomputed weights.
struct PreparedPass {
  let pass: FilterPass
  /// The form of pictures before the pass.
  let input: PictureForm
  /// The form of pictures after the pass.
  let output: PictureForm
  private let change: Change

  private enum Change {
    case points(PointMap)
    case opacity([Double]?)
    case encoding(PixelStep.Encoding)
    case correlation(Correlation)
    case resampling(Resampling)
    case fitting(Resampling, PixelStep.Margins, [Double])
    case transposition
    case crop(PixelStep.Area)
    case margins(PixelStep.Margins, [Double])
    case turn(Int)
    /// A pass over a region: the region, the pass over the pixels that it reads, their rectangle,
    /// and the region's rectangle within it.
    indirect case region(PixelStep.Area, PreparedPass, seen: PixelStep.Area, inner: PixelStep.Area)
  }

  /// Prepares a pass over pictures of a form.
  ///
  /// - Parameter shape: The shape to name in messages.
  /// - Throws: `badData` if a step is invalid, `usage` if it does not apply to the pictures.
  init(
    _ pass: FilterPass, for form: PictureForm, shape: [Int]? = nil
  ) throws(NetconvError) {
    let shape = shape ?? form.shape
    self.pass = pass
    input = form
    switch pass {
    case .points(let steps):
      var form = form
      var map = PointMap(colors: form.colors)
      for step in steps {
        let next = try form.after(step, shape)
        map.append(step, to: form)
        form = next
      }
      output = form
      change = .points(map)
    case .step(let step):
      output = try form.after(step, shape)
      change = try Self.change(step, form)
    }
  }

  private static func change(
    _ step: PixelStep, _ form: PictureForm
  ) throws(NetconvError) -> Change {
    switch step {
    case .opaque(let background): .opacity(background)
    case .encoding(let wanted): .encoding(wanted)
    case .boxBlur(let radius): .correlation(Correlation(box: radius))
    case .blur(let radius, let sigma): .correlation(Correlation(gaussian: radius, sigma: sigma))
    case .transpose: .transposition
    case .crop(let area): .crop(area)
    case .pad(let margins, let numbers): .margins(margins, numbers)
    case .turn(let quarters): .turn(quarters)
    case .resize(let sizing): .resampling(Resampling(stretching: sizing, from: form))
    case .fill(let sizing): .resampling(Resampling(filling: sizing, from: form))
    case .fit(let sizing, let numbers): fitting(sizing, numbers, form)
    case .region(let area, let step): try region(area, step, form)
    case .scale, .offset, .mean, .deviation, .invert, .channels, .saturation, .gray, .color, .axes:
      preconditionFailure("\(step) is no pass of its own")
    }
  }

  private static func fitting(
    _ sizing: PixelStep.Sizing, _ numbers: [Double], _ form: PictureForm
  ) -> Change {
    let inside = Resampling.fitting(sizing, from: form)
    let left = (sizing.width - inside.width) / 2
    let top = (sizing.height - inside.height) / 2
    let margins = PixelStep.Margins(
      left: left, top: top, right: sizing.width - inside.width - left,
      bottom: sizing.height - inside.height - top)
    return .fitting(Resampling(stretching: inside, from: form), margins, numbers)
  }

  private static func region(
    _ area: PixelStep.Area, _ step: PixelStep, _ form: PictureForm
  ) throws(NetconvError) -> Change {
    let reach = step.reach
    let (x, y) = (max(0, area.x - reach), max(0, area.y - reach))
    let seen = PixelStep.Area(
      x: x, y: y, width: min(form.width, area.x + area.width + reach) - x,
      height: min(form.height, area.y + area.height + reach) - y)
    let inner = PixelStep.Area(
      x: area.x - x, y: area.y - y, width: area.width, height: area.height)
    var part = form
    (part.height, part.width) = (seen.height, seen.width)
    let pass: FilterPass = PointMap.takes(step) ? .points([step]) : .step(step)
    return .region(area, try PreparedPass(pass, for: part), seen: seen, inner: inner)
  }

  /// Applies the pass to a picture of the form.
  func apply(to picture: Picture, _ workers: Workers) -> Picture {
    precondition(picture.form == input, "a pass was made for another picture")
    return Picture(output, values: values(of: picture, workers))
  }

  private func values(of picture: Picture, _ workers: Workers) -> [Float] {
    switch change {
    case .points(let map):
      return map.apply(
        to: picture.values, pixels: input.height * input.width, hasAlpha: input.hasAlpha, workers)
    case .opacity(let background): return picture.opaque(over: background)
    case .encoding(let wanted): return TransferCurve.apply(wanted, to: picture, workers)
    case .correlation(let correlation):
      return picture.weighted(workers) { correlation.apply(to: $0, input, workers) }
    case .resampling(let resampling):
      return picture.weighted(workers) { resampling.apply(to: $0, input, workers) }
    case .fitting(let resampling, let margins, let numbers):
      var form = input
      (form.height, form.width) = (resampling.rows.count, resampling.columns.count)
      let inside = picture.weighted(workers) { resampling.apply(to: $0, input, workers) }
      return Picture(form, values: inside).padded(by: margins, numbers)
    case .transposition: return picture.transposed()
    case .crop(let area): return picture.cropped(to: area)
    case .margins(let margins, let numbers): return picture.padded(by: margins, numbers)
    case .turn(let quarters): return picture.rotated(by: quarters)
    case .region(let area, let pass, let seen, let inner):
      let part = pass.apply(to: Picture(pass.input, values: picture.cropped(to: seen)), workers)
      return picture.replacing(area, with: part.cropped(to: inner))
    }
  }
}

extension Picture {
  /// Applies a change that combines several pixels to colours weighted by their alpha.
  fileprivate func weighted(_ workers: Workers, _ change: ([Float]) -> [Float]) -> [Float] {
    guard hasAlpha, workers.kernels.is_opaque(values, channels, height * width) == 0 else {
      return change(values)
    }
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

extension PixelStep {
  /// The radius of the neighbourhood that the step reads.
  fileprivate var reach: Int {
    switch self {
    case .boxBlur(let radius): radius
    case .blur(let radius, _): Int(radius.rounded(.up))
    default: 0
    }
  }
}
