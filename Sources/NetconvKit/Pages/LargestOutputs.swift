/// The largest outputs of a model for each of the first samples: what a page shows of single ones.
struct LargestOutputs: Sendable {
  /// Outputs that are kept of a sample.
  static let count = 3
  /// Samples of which they are kept.
  static let limit = 100_000

  private var classes: [Int32] = []
  private var values: [Float] = []
  private let width: Int

  /// None yet, of a model with `classCount` outputs for each sample.
  init(classCount: Int) {
    width = min(Self.count, classCount)
  }

  /// A class, and the output that stands for it.
  struct Output: Sendable, Encodable, Equatable {
    let label: Int
    /// `nil` if it is infinite or not a number.
    let value: Double?
  }

  /// Takes in the outputs of the next samples, sample by sample.
  mutating func add(_ outputs: [Float], of classCount: Int) {
    for start in stride(from: 0, to: outputs.count, by: classCount) {
      guard classes.count < Self.limit * width else { return }
      let sample = outputs[start..<start + classCount]
      // What is no number is neither large nor small; it comes first, so that it is seen.
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

  /// Those of a sample, the largest first; none if they were not kept.
  subscript(sample: Int) -> [Output] {
    guard (sample + 1) * width <= classes.count else { return [] }
    return (sample * width..<(sample + 1) * width).map { place in
      Output(
        label: Int(classes[place]), value: values[place].isFinite ? Double(values[place]) : nil)
    }
  }
}
