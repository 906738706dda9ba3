import ModelIR

/// An embedding: a vector for each token id.
///
/// Token ids are float32, which is exact up to 2²⁴; fractions are truncated.
public struct Embedding: Operator {
  /// The operator's name in documents.
  public static let name = "Embedding"

  /// The size of the vocabulary.
  public let count: Int
  /// The length of a vector.
  public let outputChannels: Int

  /// Creates an embedding with `count` vectors of length `outputChannels`.
  public init(count: Int, outputChannels: Int) {
    self.count = count
    self.outputChannels = outputChannels
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case count
    case outputChannels
  }

  /// Decodes the attributes.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      count: try attributes.decode(Int.self, forKey: .count),
      outputChannels: try attributes.decode(Int.self, forKey: .outputChannels))
  }

  /// True: an embedding is a table of vectors.
  public static var needsParameters: Bool { true }

  /// Each token id is replaced by a vector.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The values of a vector are contiguous.
  public var orderDependence: OrderDependence { .full }

  /// Values are replaced.
  public var valueEffect: ValueEffect { .computed }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns the shape: (…) becomes (…, outputChannels).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try checkSizes(("outputChannels", outputChannels))
    guard (1...Self.largestCount).contains(count) else {
      throw .attributeOutOfRange("count", count, 1...Self.largestCount)
    }
    return Shape(inputs[0].dimensions + [outputChannels])
  }

  /// The largest vocabulary whose token ids are exact as float32.
  private static let largestCount = 1 << 24

  /// Returns the table of vectors, `IO`.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    [
      ParameterSpec(
        .kernel, .embedding, .io,
        [.inputChannels: count, .outputChannels: outputChannels])
    ]
  }

  /// y[…, o] = k[x[…], o].
  ///
  /// - Throws: `badData` naming a token id that is out of range.
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

  /// Returns the row of the table for a token id.
  ///
  /// - Throws: `badData` if the id is out of range.
  package func row(of value: Double) throws(NetconvError) -> Int {
    // -0.5 is truncated to 0, as everywhere.
    guard value > -1, value < Double(count) else { throw .noEmbedding(value, count: count) }
    return Int(value)
  }
}

extension NetconvError {
  fileprivate static func noEmbedding(_ value: Double, count: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the input has the value \(numeral(value)), but there are vectors for 0 to \(count - 1)")
  }
}
