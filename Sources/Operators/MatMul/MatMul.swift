import ModelIR

/// The matrix product of two inputs, such as the scores of attention.
///
/// The last two axes of each input form a matrix; the axes before them are equal, or broadcast where one has size 1.
public struct MatMul: Operator {
  /// The operator's name in documents.
  public static let name = "MatMul"

  /// True if the first input's matrices are transposed.
  public let transposesFirst: Bool
  /// True if the second input's matrices are transposed.
  public let transposesSecond: Bool

  /// Creates a matrix product, with optional transposition of the inputs.
  public init(transposesFirst: Bool = false, transposesSecond: Bool = false) {
    self.transposesFirst = transposesFirst
    self.transposesSecond = transposesSecond
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case transposesFirst
    case transposesSecond
  }

  /// Decodes the attributes; by default nothing is transposed.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      transposesFirst: try attributes.value(.transposesFirst, default: false),
      transposesSecond: try attributes.value(.transposesSecond, default: false))
  }

  /// Two inputs.
  public var inputCount: ClosedRange<Int> { 2...2 }

  /// Values of two inputs are combined into sums.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Products pair values by their indices.
  public var orderDependence: OrderDependence { .full }

  /// Values are replaced by sums of products.
  public var valueEffect: ValueEffect { .computed }

  /// The number of columns of the first input's matrices.
  public func fanIn(of inputs: [[Int]]) -> Int {
    inputs[0].dropFirst(inputs[0].count - (transposesFirst ? 2 : 1)).first ?? 1
  }

  /// Returns the shape: (…, m, k) and (…, k, n) become (…, m, n).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let rank = inputs[0].rank
    guard rank > 1, inputs[1].rank == rank else { throw .differentShapes(inputs) }
    let first = matrix(inputs[0].dimensions, isTransposed: transposesFirst)
    let second = matrix(inputs[1].dimensions, isTransposed: transposesSecond)
    if let columns = first.columns, let rows = second.rows, columns != rows {
      throw .differentShapes(inputs)
    }
    return Shape(
      try broadcastSizes(of: inputs, rank: rank - 2) + [first.rows, second.columns])
  }

  /// y[…, i, j] = Σ x₀[…, i, k] · x₁[…, k, j].
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let shape = try outputShape(for: inputs.map { Shape($0.shape) })
    guard let output = shape.known else { throw .unknownSize(shape) }
    let places = MatrixPlaces(self, inputs.map(\.shape), output)
    var y = try NDArray<Double>(shape: output)
    for (index, starts) in places.starts.enumerated() {
      for i in 0..<places.rows {
        for j in 0..<places.columns {
          var sum = 0.0
          for k in 0..<places.depth {
            sum +=
              inputs[0].values[starts[0] + i * places.first.row + k * places.first.column]
              * inputs[1].values[starts[1] + k * places.second.row + j * places.second.column]
          }
          y.values[(index * places.rows + i) * places.columns + j] = sum
        }
      }
    }
    return y
  }

  fileprivate func matrix<Size>(_ sizes: [Size], isTransposed: Bool) -> (rows: Size, columns: Size)
  {
    let (first, second) = (sizes[sizes.count - 2], sizes[sizes.count - 1])
    return isTransposed ? (second, first) : (first, second)
  }
}

/// The offsets of the matrices of two inputs, and the strides of their rows and columns.
package struct MatrixPlaces: Sendable {
  /// The strides of a matrix, in values.
  package struct Strides: Sendable {
    /// The distance between rows.
    package let row: Int
    /// The distance between columns.
    package let column: Int
  }

  /// The offsets of the two matrices of each product.
  package let starts: [[Int]]
  /// The strides of the first input's matrices.
  package let first: Strides
  /// The strides of the second input's matrices.
  package let second: Strides
  /// The number of rows of a product.
  package let rows: Int
  /// The number of columns of a product.
  package let columns: Int
  /// The number of products per sum.
  package let depth: Int

  /// Creates the offsets for inputs of known shapes, which fit the operator.
  package init(_ operation: MatMul, _ inputs: [[Int]], _ output: [Int]) {
    let flags = [operation.transposesFirst, operation.transposesSecond]
    let strides = zip(inputs, flags).map { shape, isTransposed in
      let width = shape[shape.count - 1]
      return isTransposed ? Strides(row: 1, column: width) : Strides(row: width, column: 1)
    }
    (first, second) = (strides[0], strides[1])
    (rows, columns) = (output[output.count - 2], output[output.count - 1])
    depth = operation.matrix(inputs[0], isTransposed: operation.transposesFirst).columns
    let stack = Array(output.dropLast(2))
    let matrices = inputs.map { shape in
      BroadcastPlaces(of: Array(shape.dropLast(2)), in: stack)
    }
    let counts = inputs.map { $0.suffix(2).reduce(1, *) }
    starts = (0..<stack.reduce(1, *)).map { index in
      zip(matrices, counts).map { $0[index] * $1 }
    }
  }
}
