/// The largest outputs of a model for each of the first samples, as a page shows them.
struct LargestOutputs: Sendable {
  /// The number of outputs that are kept for each sample.
  static let count = 3
  /// The maximum number of samples for which outputs are kept.
  static let limit = 100_000

  private var classes: [Int32] = []
  private var values: [Float] = []
  private let width: Int

  /// Creates an empty collection for a model with `classCount` outputs per sample.
  init(classCount: Int) {
    width = min(Self.count, classCount)
  }

  /// A class and its output.
  struct Output: Sendable, Encodable, Equatable {
    let label: Int
    /// The output; `nil` if it is infinite or NaN.
    let value: Double?
  }

  /// Adds the outputs of the next samples, sample by sample.
  mutating func add(_ outputs: [Float], of classCount: Int) {
    for start in stride(from: 0, to: outputs.count, by: classCount) {
      guard classes.count < Self.limit * width else { return }
      let sample = outputs[start..<start + classCount]
      // NaNs come first, so that they are seen.
      let order = sample.indices.sorted { a, b in
        let (x, y) = (sample[a], sample[b])
        return x.isNaN != y.isNaN ? x.isNaN : x == y || x.isNaN ? a < b : x > y
      }
      for index in order.prefix(width) {
        classes.append(Int32(index - start))
        values.append(sample[index])
      }
    }
  }

  /// The outputs of a sample, in descending order; empty if they were not kept.
  subscript(sample: Int) -> [Output] {
    guard (sample + 1) * width <= classes.count else { return [] }
    return (sample * width..<(sample + 1) * width).map { place in
      Output(
        label: Int(classes[place]), value: values[place].isFinite ? Double(values[place]) : nil)
    }
  }
}
