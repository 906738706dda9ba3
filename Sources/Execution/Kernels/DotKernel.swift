import ModelIR
import Operators

/// The kernel for dot products between all vectors of two inputs; sums are in Double, so that long ones stay accurate.
struct DotKernel: FastKernel {
  static var listsPlaces: Bool { true }

  private let operation: Dot

  init(_ operation: Dot, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    let slices = try operation.slices(of: inputs)
    return DotStep(
      first: slices[0], second: slices[1], counts: inputs.map { $0.reduce(1, *) },
      smallestNorm: operation.smallestNorm)
  }

  private struct DotStep: KernelStep {
    let first: AxisSlices
    let second: AxisSlices
    /// The number of values per image of each input.
    let counts: [Int]
    let smallestNorm: Double?

    func run(_ operands: Operands) {
      let vectors = first.starts.count
      let work = second.starts.count * second.offsets.count
      operands.team.share(
        operands.images * vectors, smallest: 1 + elementwiseShare / max(1, work)
      ) { share, _ in
        for index in share {
          let (image, vector) = index.quotientAndRemainder(dividingBy: vectors)
          multiply(
            operands.inputs[0] + image * counts[0] + first.starts[vector],
            operands.inputs[1] + image * counts[1],
            operands.output + index * second.starts.count)
        }
      }
    }

    /// Multiplies one vector of the first input by all of the second.
    private func multiply(
      _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>
    ) {
      let own = factor(a, first.offsets)
      for (index, other) in second.starts.enumerated() {
        var sum = 0.0
        for (i, j) in zip(first.offsets, second.offsets) {
          sum += Double(a[i]) * Double(b[other + j])
        }
        y[index] = Float(sum * own * factor(b + other, second.offsets))
      }
    }

    /// Returns the factor that normalises a vector to length 1; 1 without normalisation.
    private func factor(_ x: UnsafePointer<Float>, _ offsets: [Int]) -> Double {
      guard let smallestNorm else { return 1 }
      let norm = offsets.reduce(0) { $0 + Double(x[$1]) * Double(x[$1]) }.squareRoot()
      return 1 / (norm < smallestNorm ? smallestNorm : norm)
    }
  }
}
