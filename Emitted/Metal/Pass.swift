import Foundation

/// One run of a kernel, and what it is given besides textures.
struct NAMEPass: Equatable {
  /// What goes into a buffer.
  enum Numbers: Equatable {
    case floats([Float])
    case integers([Int32])
  }

  /// The kernel's name in the library.
  let kernel: String
  /// The size of the result.
  let width, height: Int
  /// In the order of the kernel's buffers.
  var buffers: [Numbers] = []
  /// Whether the kernel reads the picture in front of the step, too.
  var readsOriginal = false

  /// What a step does to a picture, from the first kernel to the last; nothing where nothing changes.
  static func passes(of step: NAMEStep, _ form: NAMEForm) throws -> [NAMEPass] {
    let after = try form.after(step)
    if step.changesNothing { return [] }
    if let colors = NAMEColors(step, of: form) {
      let numbers = colors.rows.joined().map { Float($0) }
      return [NAMEPass(kernel: "recolor", form, [.floats(numbers)])]
    }
    switch step {
    case .opaque(let numbers):
      #if feeding
      // A network takes no alpha, and from here on nobody weighs by it.
      if numbers == nil { return [] }
      #endif
      let background = numbers.map { color($0, alpha: 1) } ?? [0, 0, 0, 0]
      return [NAMEPass(kernel: "flatten", form, [.floats(background)])]
    case .encoding(let wanted):
      if wanted == form.encoding { return [] }
      return [NAMEPass(kernel: wanted == .linear ? "linearize" : "encode", form)]
    case .boxBlur(let radius): return blur(BlurTaps.box(radius: radius), form)
    case .blur(let radius, let sigma):
      return blur(BlurTaps.gaussian(radius: radius, sigma: sigma, exp), form)
    case .transpose: return [rearrangement([0, 1, 0, 0], [1, 0, 0, 0], after)]
    case .turn(let quarters): return [turn(quarters, form, after)]
    case .crop(let area): return [rearrangement([1, 0, area.x, 0], [0, 1, area.y, 0], after)]
    case .pad(let margins, let numbers):
      return [margin(left: margins.left, top: margins.top, numbers, after)]
    case .resize(let sizing):
      return resampling(sizing, form, (sizing.width, sizing.height), left: 0, top: 0)
    case .fill(let sizing):
      let size = size(of: form, times: max, to: sizing)
      let whole = (max(sizing.width, size.width), max(sizing.height, size.height))
      return resampling(
        sizing, form, whole, left: (whole.0 - sizing.width) / 2, top: (whole.1 - sizing.height) / 2)
    case .fit(let sizing, let numbers): return fitting(sizing, numbers, form, after)
    case .region(let area, let inner):
      let numbers = [area.x, area.y, area.width, area.height].map { Int32($0) }
      var last = NAMEPass(kernel: "restore", form, [.integers(numbers)])
      last.readsOriginal = true
      return try passes(of: inner, form) + [last]
    default: return []
    }
  }

  private init(kernel: String, _ form: NAMEForm, _ buffers: [Numbers] = []) {
    self.kernel = kernel
    (width, height) = (form.width, form.height)
    self.buffers = buffers
  }

  /// Four components from 0 to 1 of one number or three from 0 to 255.
  private static func color(_ numbers: [Double], alpha: Float) -> [Float] {
    (0..<3).map { Float(numbers[numbers.count == 1 ? 0 : $0] / 255) } + [alpha]
  }

  // Kernels along an axis are told what to do with alpha: 1 multiplies by it before, 2 divides by it afterwards.

  private static func blur(_ taps: [Float], _ form: NAMEForm) -> [NAMEPass] {
    let radius = Int32(taps.count / 2)
    let (first, last): (Int32, Int32) = form.hasAlpha ? (1, 2) : (0, 0)
    return [[1, 0, radius, first], [0, 1, radius, last]].map { numbers in
      NAMEPass(kernel: "blur", form, [.integers(numbers), .floats(taps)])
    }
  }

  /// A part of a stretched picture.
  private static func resampling(
    _ sizing: NAMEStep.Sizing, _ form: NAMEForm, _ whole: (width: Int, height: Int), left: Int,
    top: Int
  ) -> [NAMEPass] {
    let (isWide, isHigh) = (whole.width != form.width, whole.height != form.height)
    let cutsColumns = isWide || sizing.width != form.width
    let cutsRows = isHigh || sizing.height != form.height
    var passes: [NAMEPass] = []
    var form = form
    func add(_ axis: [Int32], _ table: SampleTable, _ weighing: Int32) {
      passes.append(
        NAMEPass(
          kernel: "resample", form,
          [
            .integers(axis + [Int32(table.most), form.hasAlpha ? weighing : 0]),
            .integers(zip(table.first, table.count).flatMap { [Int32($0), Int32($1)] }),
            .floats(table.weights),
          ]))
    }
    if cutsColumns {
      let table = SampleTable(
        from: form.width, to: whole.width, left..<left + sizing.width, sizing.method.sampling,
        antialias: sizing.antialias)
      form.width = sizing.width
      add([1, 0], table, cutsRows ? 1 : 3)
    }
    if cutsRows {
      let table = SampleTable(
        from: form.height, to: whole.height, top..<top + sizing.height, sizing.method.sampling,
        antialias: sizing.antialias)
      form.height = sizing.height
      add([0, 1], table, cutsColumns ? 2 : 3)
    }
    return passes
  }

  /// The size of a picture that touches two sides of another size, or all four.
  private static func size(
    of form: NAMEForm, times factor: (Double, Double) -> Double, to sizing: NAMEStep.Sizing
  ) -> (width: Int, height: Int) {
    let factor = factor(
      Double(sizing.width) / Double(form.width), Double(sizing.height) / Double(form.height))
    return (
      Int((Double(form.width) * factor).rounded()), Int((Double(form.height) * factor).rounded())
    )
  }

  private static func fitting(
    _ sizing: NAMEStep.Sizing, _ numbers: [Double], _ form: NAMEForm, _ after: NAMEForm
  ) -> [NAMEPass] {
    let size = size(of: form, times: min, to: sizing)
    var inside = sizing
    inside.width = min(sizing.width, max(1, size.width))
    inside.height = min(sizing.height, max(1, size.height))
    let (left, top) = ((sizing.width - inside.width) / 2, (sizing.height - inside.height) / 2)
    return resampling(inside, form, (inside.width, inside.height), left: 0, top: 0)
      + [margin(left: left, top: top, numbers, after)]
  }

  /// A picture with opaque pixels of one colour around it.
  private static func margin(
    left: Int, top: Int, _ numbers: [Double], _ after: NAMEForm
  ) -> NAMEPass {
    rearrangement([1, 0, -left, 0], [0, 1, -top, 0], after, color(numbers, alpha: 1))
  }

  private static func turn(_ quarters: Int, _ form: NAMEForm, _ after: NAMEForm) -> NAMEPass {
    let (right, bottom) = (form.width - 1, form.height - 1)
    switch quarters {
    case 1: return rearrangement([0, 1, 0, 0], [-1, 0, bottom, 0], after)
    case 2: return rearrangement([-1, 0, right, 0], [0, -1, bottom, 0], after)
    default: return rearrangement([0, -1, right, 0], [1, 0, 0, 0], after)
    }
  }

  private static func rearrangement(
    _ x: [Int], _ y: [Int], _ after: NAMEForm, _ background: [Float] = [0, 0, 0, 0]
  ) -> NAMEPass {
    NAMEPass(
      kernel: "rearrange", after, [.integers((x + y).map { Int32($0) }), .floats(background)])
  }

  #if filterPackage
  /// The picture as it is, in a texture of another format.
  static func copy(_ form: NAMEForm) -> NAMEPass {
    rearrangement([1, 0, 0, 0], [0, 1, 0, 0], form)
  }
  #endif

  #if feeding
  /// The picture's values as they are fed, from 0 to 255 unless something was done to them.
  static func feed(width: Int, height: Int) -> NAMEPass {
    NAMEPass(kernel: "feed", NAMEForm(width: width, height: height))
  }
  #endif
}

extension NAMEStep.Interpolation {
  fileprivate var sampling: SampleTable.Method {
    switch self {
    case .nearest: .nearest
    case .bilinear: .bilinear
    case .area: .area
    case .bicubic: .bicubic
    }
  }
}
