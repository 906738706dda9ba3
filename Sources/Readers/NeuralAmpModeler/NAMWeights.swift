import Documents
import ModelIR

/// The list of all weights of a `.nam` file, which is consumed from the front.
struct NAMWeights {
  private let values: [JSONValue]
  /// The path of the list in the file.
  private let place: String
  private var position = 0

  init(_ values: [JSONValue], at place: String) { (self.values, self.place) = (values, place) }

  /// Returns the next weights as an array of `shape`.
  ///
  /// - Throws: `badData` if too few are left, or one is not a number.
  mutating func take(_ shape: [Int]) throws(NetconvError) -> NAMArray {
    let count = try product(shape)
    guard count <= values.count - position else {
      throw .tooFewWeights(
        place, values.count - position, expected: count, total: values.count)
    }
    let range = position..<position + count
    var numbers: [Float] = []
    for index in range { numbers.append(try values[index].float(at: "\(place)[\(index)]")) }
    position = range.upperBound
    return NAMArray(
      shape: shape, values: numbers, path: "\(place)[\(range.lowerBound)..<\(range.upperBound)]")
  }

  /// The number of remaining weights.
  var count: Int { values.count - position }

  /// Checks that no weights remain.
  func finish() throws(NetconvError) {
    guard position == values.count else {
      throw .tooManyWeights(place, values.count, expected: position)
    }
  }
}

/// An array of consecutive weights.
struct NAMArray {
  /// The shape; the slowest axis is first.
  let shape: [Int]
  /// The values, in C order.
  let values: [Float]
  /// The path in the file.
  let path: String

  /// Returns the values as a stored parameter.
  func stored(_ layout: Layout?) -> StoredTensor {
    StoredTensor(source: ArraySource(values), layout: layout, shape: nil, path: path)
  }

  /// Returns half of the array along the first axis, whose size is even.
  func half(_ index: Int) -> NAMArray {
    let count = values.count / 2
    return NAMArray(
      shape: [shape[0] / 2] + shape.dropFirst(),
      values: Array(values[index * count..<(index + 1) * count]),
      path: "\(path), half \(index)")
  }

  /// Returns a range of columns of a matrix.
  func columns(_ range: Range<Int>) -> NAMArray {
    var picked: [Float] = []
    for row in 0..<shape[0] {
      picked += values[row * shape[1] + range.lowerBound..<row * shape[1] + range.upperBound]
    }
    return NAMArray(
      shape: [shape[0], range.count], values: picked, path: "\(path), columns \(range)")
  }
}

extension NetconvError {
  fileprivate static func tooFewWeights(
    _ place: String, _ found: Int, expected: Int, total: Int
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(place)) holds \(total) numbers, of which \(found) are left; expected \(expected) here"
    )
  }

  fileprivate static func tooManyWeights(
    _ place: String, _ found: Int, expected: Int
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(place)) holds \(found) numbers, but the network that 'config' describes has \(expected)"
    )
  }
}
