import ModelIR
import Operators

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An activation function over a buffer, for what the matrix product cannot do as it stores.
struct ActivationPass: Sendable {
  let function: ActivationFunction
  /// Of one image.
  let shape: [Int]

  /// Fewer values are sooner done than shared.
  private static let smallestShare = 4096

  /// Computes `images` images of `x` into `y`; the two may be the same memory.
  func run(
    _ images: Int, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ team: Team
  ) {
    let memory = Shared((x: x, y: y))
    team.share(images * shape.reduce(1, *), unit: unit, smallest: Self.smallestShare) { share, _ in
      let (x, y) = memory.value
      run(count: share.count, x + share.lowerBound, y + share.lowerBound)
    }
  }

  /// Neighbouring values that depend on each other.
  private var unit: Int {
    switch function {
    case .softmax(let axis) where axis.axes.count == 1: shape[softmaxAxis(axis)...].reduce(1, *)
    case .softmax, .logSoftmax: shape.reduce(1, *)
    default: 1
    }
  }

  private func softmaxAxis(_ axis: AxisList) -> Int {
    axis.axes[0] < 0 ? axis.axes[0] + shape.count : axis.axes[0]
  }

  /// Computes `count` values, a multiple of the unit.
  private func run(count: Int, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>) {
    switch function {
    case .linear: if x != UnsafePointer(y) { y.update(from: x, count: count) }
    case .relu(let maxValue, let negativeSlope, let threshold):
      relu(x, y, count, Float(maxValue ?? .infinity), Float(negativeSlope), Float(threshold))
    case .leakyReLU(let slope):
      let slope = Float(slope)
      for i in 0..<count { y[i] = x[i] < 0 ? slope * x[i] : x[i] }
    case .elu(let alpha):
      let alpha = Float(alpha)
      for i in 0..<count { y[i] = x[i] < 0 ? alpha * expm1f(x[i]) : x[i] }
    case .sigmoid: for i in 0..<count { y[i] = 1 / (1 + expf(-x[i])) }
    case .tanh: for i in 0..<count { y[i] = tanhf(x[i]) }
    case .silu: for i in 0..<count { y[i] = x[i] / (1 + expf(-x[i])) }
    case .hardSigmoid(let slope):
      let slope = Float(slope)
      for i in 0..<count { y[i] = clamp(slope * x[i] + 0.5, 0, 1) }
    case .hardSilu:
      for i in 0..<count { y[i] = x[i] < -3 ? 0 : x[i] * clamp(x[i] / 6 + 0.5, 0, 1) }
    case .gelu(approximate: false):
      for i in 0..<count { y[i] = x[i] * 0.5 * erfcf(x[i] * Float(-0.5.squareRoot())) }
    case .hardTanh: for i in 0..<count { y[i] = clamp(x[i], -1, 1) }
    case .exponential: for i in 0..<count { y[i] = expf(x[i]) }
    case .softmax(let axis) where axis.axes.count == 1:
      softmax(x, y, count, softmaxAxis(axis))
    case .softmax, .logSoftmax: alongAxis(x, y, count)
    default: for i in 0..<count { y[i] = Float(function(Double(x[i]))) }
    }
  }

  private func clamp(_ x: Float, _ lowest: Float, _ highest: Float) -> Float {
    x < lowest ? lowest : x > highest ? highest : x
  }

  /// Rarer functions along axes, image by image as they are defined.
  private func alongAxis(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let size = shape.reduce(1, *)
    for first in stride(from: 0, to: count, by: size) {
      let image = UnsafeBufferPointer(start: x + first, count: size)
      let result = try? Activation(function).evaluate(
        [NDArray(shape: shape, values: image.map { Double($0) })], [:])
      for (index, value) in (result?.values ?? []).enumerated() { y[first + index] = Float(value) }
    }
  }

  private func relu(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ count: Int,
    _ highest: Float, _ slope: Float, _ threshold: Float
  ) {
    for i in 0..<count {
      let capped = x[i] > highest ? highest : x[i]
      // 0 · -∞ would be NaN.
      let below = slope == 0 ? 0 : slope * (x[i] - threshold)
      y[i] = x[i] < threshold ? below : capped
    }
  }

  private func softmax(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ count: Int, _ axis: Int
  ) {
    let size = shape[axis]
    let step = shape[(axis + 1)...].reduce(1, *)
    for outer in stride(from: 0, to: count, by: size * step) {
      for first in outer..<outer + step {
        var largest = x[first]
        for i in 1..<max(1, size) { largest = max(largest, x[first + i * step]) }
        var sum: Float = 0
        for i in 0..<size {
          let power = expf(x[first + i * step] - largest)
          y[first + i * step] = power
          sum += power
        }
        for i in 0..<size { y[first + i * step] /= sum }
      }
    }
  }
}

extension ActivationFunction {
  /// The bounds that are all there is to the function, or `nil` if it does more.
  var bounds: ClosedRange<Float>? {
    switch self {
    case .linear: -Float.infinity...Float.infinity
    case .relu(let highest, 0, 0) where highest ?? 0 >= 0: 0...Float(highest ?? .infinity)
    default: nil
    }
  }
}
