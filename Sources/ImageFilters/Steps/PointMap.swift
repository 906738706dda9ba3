internal import CKernels
import ModelIR
import Processor

/// Adjacent pointwise steps combined: each colour becomes a linear combination of the colours of
/// its pixel.
///
/// Steps are combined in float64 and rounded once. Intermediate values are not clamped.
struct PointMap: Equatable {
  /// The number of colours before and after the map.
  let inputs: Int
  private(set) var outputs: Int
  /// The coefficients [output][input], if colours are mixed.
  private var matrix: [[Double]]?
  /// The factor of each colour, if colours are not mixed.
  private var scale: [Double]
  /// The summand of each output.
  private var shift: [Double]

  /// The luma coefficients of ITU-R BT.601-7, section 2.5.1: red, green and blue.
  static let luma = [0.299, 0.587, 0.114]

  /// Creates the identity.
  init(colors: Int) {
    inputs = colors
    outputs = colors
    scale = Array(repeating: 1, count: colors)
    shift = Array(repeating: 0, count: colors)
  }

  /// True if the map can include a step.
  static func takes(_ step: PixelStep) -> Bool {
    switch step {
    case .scale, .offset, .mean, .deviation, .invert, .channels, .saturation, .gray, .color: true
    case .opaque, .encoding, .boxBlur, .blur, .transpose, .axes, .crop, .pad, .turn, .resize, .fit,
      .fill,
      .region:
      false
    }
  }

  /// Appends a step to the map.
  ///
  /// - Parameter form: The form of the pictures before the step, for which it was checked.
  mutating func append(_ step: PixelStep, to form: PictureForm) {
    switch step {
    case .scale(let numbers): each(numbers) { ($0, 0) }
    case .offset(let numbers): each(numbers) { (1, $0) }
    case .mean(let numbers): each(numbers) { (1, -$0) }
    case .deviation(let numbers): each(numbers) { (1 / $0, 0) }
    case .invert(let largest): each([largest]) { (-1, $0) }
    case .channels(let wanted):
      if wanted != form.order, outputs == 3 { mix([[0, 0, 1], [0, 1, 0], [1, 0, 0]]) }
    case .saturation(let factor):
      guard outputs == 3, factor != 1 else { return }
      let luma = Self.luma(form.order)
      mix(
        (0..<3).map { row in
          (0..<3).map { (1 - factor) * luma[$0] + (row == $0 ? factor : 0) }
        })
    case .color: if outputs == 1 { mix([[1], [1], [1]]) }
    case .gray: if outputs == 3 { mix([Self.luma(form.order)]) }
    default: preconditionFailure("\(step) is not done pixel by pixel")
    }
  }

  private static func luma(_ order: PixelStep.ChannelOrder) -> [Double] {
    order == .rgb ? luma : luma.reversed()
  }

  /// Scales each colour and adds an offset.
  private mutating func each(_ numbers: [Double], _ change: (Double) -> (Double, Double)) {
    for output in 0..<outputs {
      let (factor, summand) = change(numbers[numbers.count == 1 ? 0 : output])
      if matrix == nil {
        scale[output] *= factor
      } else {
        for input in 0..<inputs { matrix?[output][input] *= factor }
      }
      shift[output] = shift[output] * factor + summand
    }
  }

  /// Replaces the colours by linear combinations of the current ones.
  private mutating func mix(_ rows: [[Double]]) {
    let before =
      matrix ?? scale.indices.map { row in scale.indices.map { $0 == row ? scale[row] : 0 } }
    matrix = rows.map { row in
      (0..<inputs).map { input in
        zip(row, before).reduce(0) { $0 + $1.0 * $1.1[input] }
      }
    }
    shift = rows.map { row in zip(row, shift).reduce(0) { $0 + $1.0 * $1.1 } }
    outputs = rows.count
  }

  /// True if the map changes nothing.
  var isIdentity: Bool {
    if let matrix {
      return outputs == inputs && shift.allSatisfy { $0 == 0 }
        && matrix.indices.allSatisfy { row in
          matrix[row].indices.allSatisfy { matrix[row][$0] == (row == $0 ? 1 : 0) }
        }
    }
    return scale.allSatisfy { $0 == 1 } && shift.allSatisfy { $0 == 0 }
  }

  /// Applies the map to all pixels of a picture.
  ///
  /// - Parameter hasAlpha: True if the colours are followed by alpha, which is preserved.
  func apply(
    to values: [Float], pixels: Int, hasAlpha: Bool, _ workers: Workers
  ) -> [Float] {
    if isIdentity { return values }
    let more = hasAlpha ? 1 : 0
    return workers.values(pixels * (outputs + more), from: values) { x, y in
      guard let matrix else {
        let scale = scale.map { Float($0) } + (hasAlpha ? [1] : [])
        let shift = shift.map { Float($0) } + (hasAlpha ? [0] : [])
        scale.withUnsafeBufferPointer { scale in
          shift.withUnsafeBufferPointer { shift in
            let job = netconv_scaling(
              x: x, y: y, channels: inputs + more, scale: scale.baseAddress,
              shift: shift.baseAddress)
            let shared = Shared(job)
            workers.share(pixels, cost: inputs + more) { share in
              withUnsafePointer(to: shared.value) {
                workers.kernels.scale($0, share.lowerBound, share.upperBound)
              }
            }
          }
        }
        return
      }
      let weights = matrix.flatMap { $0.map { Float($0) } }
      weights.withUnsafeBufferPointer { weights in
        shift.map { Float($0) }.withUnsafeBufferPointer { bias in
          let job = netconv_mixture(
            x: x, y: y, inputs: inputs, input_values: inputs + more, outputs: outputs,
            output_values: outputs + more, matrix: weights.baseAddress, bias: bias.baseAddress)
          let shared = Shared(job)
          workers.share(pixels, cost: inputs + more) { share in
            withUnsafePointer(to: shared.value) {
              workers.kernels.mix($0, share.lowerBound, share.upperBound)
            }
          }
        }
      }
    }
  }
}
