import ModelIR

/// Resampling of one axis, as weighted sums of the input's values.
///
/// Source: onnx/docs/Operators.md, `Resize`; onnx/reference/ops/op_resize.py for the edges.
struct ONNXSampling {
  /// The interpolation mode.
  enum Mode {
    /// One of the two nearest values, chosen by `nearest_mode`.
    case nearest(String)
    case linear
    /// Cubic interpolation of four values, with this coefficient.
    case cubic(Double)
  }

  let mode: Mode
  /// `coordinate_transformation_mode`.
  let coordinates: String
  /// True if downsampling uses a wider window of values.
  let antialiases: Bool
  /// True if positions outside of the input have weight 0; otherwise the edge values are repeated.
  let excludesOutside: Bool

  /// The sizes and the scale of one axis.
  struct Axis {
    /// The input size.
    let length: Int
    /// The output size.
    let size: Int
    /// The output size divided by the input size, before rounding.
    let scale: Double
    /// The region of the input that is resampled, from 0 to 1.
    var region = 0.0...1.0
  }

  /// A row of weights for each output index, and the output indices that lie outside of the input.
  ///
  /// - Throws: `badData` if a mode is unknown.
  func weights(_ axis: Axis) throws(NetconvError) -> (rows: [[Double]], outside: [Bool]) {
    var (rows, outside): ([[Double]], [Bool]) = ([], [])
    for index in 0..<axis.size {
      let place = try place(of: index, axis)
      let isOutside =
        coordinates == "tf_crop_and_resize" && (place < 0 || place > Double(axis.length - 1))
      outside.append(isOutside)
      rows.append(
        isOutside
          ? [Double](repeating: 0, count: axis.length) : try row(at: place, axis))
    }
    return (rows, outside)
  }

  /// The input coordinate of an output index.
  private func place(of index: Int, _ axis: Axis) throws(NetconvError) -> Double {
    let (x, length) = (Double(index), Double(axis.length))
    let size = axis.scale * length
    switch coordinates {
    case "align_corners": return size == 1 ? 0 : x * (length - 1) / (size - 1)
    case "asymmetric": return x / axis.scale
    case "half_pixel": return (x + 0.5) / axis.scale - 0.5
    case "half_pixel_symmetric":
      let offset = length / 2 * (1 - Double(axis.size) / size)
      return offset + (x + 0.5) / axis.scale - 0.5
    case "pytorch_half_pixel": return size == 1 ? -0.5 : (x + 0.5) / axis.scale - 0.5
    case "tf_crop_and_resize":
      let (start, end) = (axis.region.lowerBound, axis.region.upperBound)
      return start * (length - 1)
        + (size == 1
          ? (end - start) * (length - 1) / 2 : x * (end - start) * (length - 1) / (size - 1))
    default:
      throw .unknownSetting(
        "coordinate_transformation_mode", coordinates,
        known: [
          "align_corners", "asymmetric", "half_pixel", "half_pixel_symmetric",
          "pytorch_half_pixel", "tf_crop_and_resize",
        ])
    }
  }

  private func row(at place: Double, _ axis: Axis) throws(NetconvError) -> [Double] {
    let scale = antialiases ? min(axis.scale, 1) : 1
    let reach: Double =
      switch mode {
      case .nearest, .linear: 1
      case .cubic: 2
      }
    let before = Int((reach / scale).rounded(.up)) - 1
    guard before < 1 << 16, place.isFinite else { throw .wrongSlice }
    // A coordinate on a value has it as its right neighbour: the distance from the left one is above 0.
    let floor = place.rounded(.up) - 1
    let ratio = place - floor
    var weights: [(index: Int, weight: Double)] = []
    for offset in -before...before + 1 {
      let weight = try weight(offset, ratio, scale)
      weights.append((Int(floor) + offset, weight))
    }
    if excludesOutside { weights.removeAll { !(0..<axis.length).contains($0.index) } }
    let sum = antialiases || excludesOutside ? weights.reduce(0) { $0 + $1.weight } : 1
    var row = [Double](repeating: 0, count: axis.length)
    for (index, weight) in weights {
      row[min(max(index, 0), axis.length - 1)] += weight / sum
    }
    return row
  }

  /// The weight of the value at `offset` from the left neighbour of a coordinate.
  private func weight(
    _ offset: Int, _ ratio: Double, _ scale: Double
  ) throws(NetconvError) -> Double {
    let distance = abs(Double(offset) - ratio) * scale
    switch mode {
    case .nearest(let rounding):
      let takesRight: Bool
      switch rounding {
      case "ceil": takesRight = true
      case "floor": takesRight = ratio == 1
      case "round_prefer_ceil": takesRight = ratio >= 0.5
      case "round_prefer_floor": takesRight = ratio > 0.5
      default:
        throw .unknownSetting(
          "nearest_mode", rounding,
          known: ["ceil", "floor", "round_prefer_ceil", "round_prefer_floor"])
      }
      return offset == (takesRight ? 1 : 0) ? 1 : 0
    case .linear: return max(0, 1 - distance)
    case .cubic(let a):
      if distance <= 1 { return ((a + 2) * distance - (a + 3)) * distance * distance + 1 }
      return distance < 2 ? ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a : 0
    }
  }
}
