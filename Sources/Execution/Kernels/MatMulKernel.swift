import ModelIR
import Operators

/// The kernel for matrix products of two inputs.
struct MatMulKernel: FastKernel {
  static var listsPlaces: Bool { true }

  private let operation: MatMul

  init(_ operation: MatMul, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    ProductStep(
      places: MatrixPlaces(operation, inputs, output), counts: inputs.map { $0.reduce(1, *) })
  }

  private struct ProductStep: KernelStep {
    let places: MatrixPlaces
    /// The number of values per image of each input.
    let counts: [Int]

    func run(_ operands: Operands) {
      let rows = places.starts.count * places.rows
      let work = places.columns * places.depth
      operands.team.share(
        operands.images * rows, smallest: 1 + elementwiseShare / max(1, work)
      ) { share, _ in
        for index in share {
          let (image, place) = index.quotientAndRemainder(dividingBy: rows)
          let (matrix, row) = place.quotientAndRemainder(dividingBy: places.rows)
          let starts = places.starts[matrix]
          multiply(
            operands.inputs[0] + image * counts[0] + starts[0] + row * places.first.row,
            operands.inputs[1] + image * counts[1] + starts[1],
            operands.output + index * places.columns)
        }
      }
    }

    /// Multiplies one row of the first matrix by all columns of the second.
    private func multiply(
      _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>
    ) {
      let (columns, depth) = (places.columns, places.depth)
      let (step, row, column) = (places.first.column, places.second.row, places.second.column)
      guard column == 1 else {
        // Each column is contiguous, as a row of a transposed matrix.
        for j in 0..<columns {
          let other = b + j * column
          var sums = SIMD8<Float>()
          var k = 0
          while k + 8 <= depth {
            for lane in 0..<8 { sums[lane] += a[(k + lane) * step] * other[(k + lane) * row] }
            k += 8
          }
          var sum = sums.sum()
          while k < depth {
            sum += a[k * step] * other[k * row]
            k += 1
          }
          y[j] = sum
        }
        return
      }
      y.update(repeating: 0, count: columns)
      for k in 0..<depth {
        let (factor, other) = (a[k * step], b + k * row)
        for j in 0..<columns { y[j] += factor * other[j] }
      }
    }
  }
}
