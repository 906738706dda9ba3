import Documents
import ModelIR

/// An array that a configuration contains, such as a table of positions.
struct KerasConstant: Sendable {
  /// The shape, without a batch of 1.
  let shape: [Int]
  /// The values, rounded to float32.
  let values: [Float]

  /// Reads nested lists of numbers.
  ///
  /// - Throws: `badData` if the lists are not those of an array.
  init(_ value: JSONValue) throws(NetconvError) {
    var (shape, values) = ([Int](), [Float]())
    try Self.collect(value, depth: 0, &shape, &values)
    guard try product(shape) == values.count else { throw .unsupportedConstant(value) }
    // A leading axis of size 1 is the batch; single numbers and vectors have other uses.
    while shape.count > 2, shape[0] == 1 { shape.removeFirst() }
    if shape.dropLast().allSatisfy({ $0 == 1 }) { shape = Array(shape.suffix(1)) }
    self.shape = shape
    self.values = values
  }

  /// The array as a tensor.
  var stored: StoredTensor {
    StoredTensor(source: ArraySource(values), layout: nil, shape: shape, path: "inbound_nodes")
  }

  private static func collect(
    _ value: JSONValue, depth: Int, _ shape: inout [Int], _ values: inout [Float]
  ) throws(NetconvError) {
    guard let elements = value.array else {
      guard let number = value.double ?? value.truth.map({ $0 ? 1 : 0 }), depth == shape.count
      else {
        throw .unsupportedConstant(value)
      }
      return values.append(Float(number))
    }
    guard depth < deepest else { throw .unsupportedConstant(value) }
    if depth == shape.count, values.isEmpty { shape.append(elements.count) }
    guard depth < shape.count, elements.count == shape[depth], !elements.isEmpty else {
      throw .unsupportedConstant(value)
    }
    for element in elements { try collect(element, depth: depth + 1, &shape, &values) }
  }

  private static let deepest = 5
}
