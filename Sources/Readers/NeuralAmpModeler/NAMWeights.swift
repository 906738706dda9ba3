import Documents
import ModelIR

/// The list of all weights of a `.nam` file, which is taken from front to back.
struct NAMWeights {
  private let values: [JSONValue]
  /// Where the list is in the file.
  private let place: String
  private var position = 0

  /// The weights at a place of a file.
  init(_ values: [JSONValue], at place: String) { (self.values, self.place) = (values, place) }

  /// The next weights, of `shape`.
  ///
  /// - Throws: `badData` if there are not as many, or one is no number.
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

  /// How many are left.
  var count: Int { values.count - position }

  /// Checks that no weights are left.
  func finish() throws(NetconvError) {
    guard position == values.count else {
      throw .tooManyWeights(place, values.count, expected: position)
    }
  }
}

/// Some of the weights of a file.
struct NAMArray {
  /// Slowest axis first.
  let shape: [Int]
  /// In C order.
  let values: [Float]
  /// Where they are in the file.
  let path: String

  /// The values as a parameter stores them.
  func stored(_ layout: Layout?) -> StoredTensor {
    StoredTensor(source: ArraySource(values), layout: layout, shape: nil, path: path)
  }

  /// One of two halves along the first axis, which has an even size.
  func half(_ index: Int) -> NAMArray {
    let count = values.count / 2
    return NAMArray(
      shape: [shape[0] / 2] + shape.dropFirst(),
      values: Array(values[index * count..<(index + 1) * count]),
      path: "\(path), half \(index)")
  }

  /// Some columns of a matrix.
  func columns(_ range: Range<Int>) -> NAMArray {
    var picked: [Float] = []
    for row in 0..<shape[0] {
      picked += values[row * shape[1] + range.lowerBound..<row * shape[1] + range.upperBound]
    }
    return NAMArray(
      shape: [shape[0], range.count], values: picked, path: "\(path), columns \(range)")
  }
}
