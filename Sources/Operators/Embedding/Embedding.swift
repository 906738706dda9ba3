import ModelIR

/// A vector for each of a number of things: words, characters, classes.
///
/// What stands for a thing is its number, as a float32, which is exact to 2²⁴; a fraction is cut off.
public struct Embedding: Operator {
  /// The name in documents.
  public static let name = "Embedding"

  /// How many things there are.
  public let count: Int
  /// The length of a vector.
  public let outputChannels: Int

  /// Vectors of `outputChannels` for `count` things.
  public init(count: Int, outputChannels: Int) {
    self.count = count
    self.outputChannels = outputChannels
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case count
    case outputChannels
  }

  /// Reads the attributes.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      count: try attributes.decode(Int.self, forKey: .count),
      outputChannels: try attributes.decode(Int.self, forKey: .outputChannels))
  }

  /// It is a table of vectors.
  public static var needsParameters: Bool { true }

  /// Each number becomes a vector.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Each thing has a vector, wherever it stands.
  public var orderDependence: OrderDependence { .full }

  /// They are replaced.
  public var valueEffect: ValueEffect { .computed }

  /// One: nothing is summed.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// (…) to (…, outputChannels).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try checkSizes(("outputChannels", outputChannels))
    guard (1...Self.largestCount).contains(count) else {
      throw .attributeOutOfRange("count", count, 1...Self.largestCount)
    }
    return Shape(inputs[0].dimensions + [outputChannels])
  }

  /// Numbers up to here are exact as float32.
  private static let largestCount = 1 << 24

  /// The vectors, `IO`.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    [
      ParameterSpec(
        .kernel, .embedding, .io,
        [.inputChannels: count, .outputChannels: outputChannels])
    ]
  }

  /// y[…, o] = k[x[…], o].
  ///
  /// - Throws: `badData` naming a number that no vector has.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    guard let kernel = parameters[.kernel] else { throw .unknownSize(Shape(x.shape)) }
    var y = try NDArray<Double>(shape: x.shape + [outputChannels])
    for (index, value) in x.values.enumerated() {
      let row = try row(of: value) * outputChannels
      y.values.replaceSubrange(
        index * outputChannels..<(index + 1) * outputChannels,
        with: kernel.values[row..<row + outputChannels])
    }
    return y
  }

  /// The row of the table for a number.
  ///
  /// - Throws: `badData` if there is none.
  package func row(of value: Double) throws(NetconvError) -> Int {
    // -0.5 is cut off to 0, as everywhere.
    guard value > -1, value < Double(count) else { throw .noEmbedding(value, count: count) }
    return Int(value)
  }
}
