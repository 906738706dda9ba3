internal import CKernels
import ModelIR
import Operators

/// An activation function applied to a buffer, for functions that the matrix product cannot apply when it stores.
struct ActivationPass: Sendable {
  let function: ActivationFunction
  /// The shape of one image.
  let shape: [Int]
  let level: CPULevel

  /// Applies the function to `images` images of `x`, and stores the result in `y`, which may be the same memory.
  func run(
    _ images: Int, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ team: ThreadTeam
  ) {
    let memory = Shared((x: x, y: y))
    team.share(images * shape.reduce(1, *), unit: unit, smallest: elementwiseShare) { share, _ in
      let (x, y) = memory.value
      run(count: share.count, x + share.lowerBound, y + share.lowerBound)
    }
  }

  /// The number of adjacent values that must stay together: those that depend on each other, or a cache line.
  private var unit: Int {
    switch function {
    case .softmax(let axis) where axis.axes.count == 1: shape[softmaxAxis(axis)...].reduce(1, *)
    case .softmax, .logSoftmax: shape.reduce(1, *)
    default: 16
    }
  }

  private func softmaxAxis(_ axis: AxisList) -> Int {
    axis.axes[0] < 0 ? axis.axes[0] + shape.count : axis.axes[0]
  }

  /// Computes `count` values, a multiple of the unit unless they are the last.
  private func run(count: Int, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>) {
    switch function {
    case .softmax(let axis) where axis.axes.count == 1:
      let index = softmaxAxis(axis)
      let (rows, columns) = (shape[index], shape[(index + 1)...].reduce(1, *))
      level.softmax(x, y, count: count / (rows * columns), rows: rows, columns: columns)
    case .softmax, .logSoftmax: alongAxis(x, y, count)
    default:
      if let kernel = function.kernel {
        level.activate(kernel, x, y, count: count)
      } else {
        for i in 0..<count { y[i] = Float(function(Double(x[i]))) }
      }
    }
  }

  /// Applies less common functions along axes, image by image, by their definition.
  private func alongAxis(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let size = shape.reduce(1, *)
    for first in stride(from: 0, to: count, by: size) {
      let image = UnsafeBufferPointer(start: x + first, count: size)
      do {
        let result = try function.applied(
          to: NDArray(shape: shape, values: image.map { Double($0) }))
        for (index, value) in result.values.enumerated() { y[first + index] = Float(value) }
      } catch {
        preconditionFailure("the axes of \(function) were checked with the shapes: \(error)")
      }
    }
  }
}
