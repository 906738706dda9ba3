import Foundation
import ModelIR
import Operators
import Testing

/// Extreme numbers as values of each attribute.
///
/// A trap would end the tests.
@Suite struct HostileAttributeTests {
  private static let numbers = [
    0, -1, 2, 1 << 20, 1 << 31, 1 << 62, .max, .min, .min + 1,
  ]

  /// The largest that a model can have.
  private static let largestSize = Int(Int32.max)

  private static let shapes: [Shape] = (1...4).flatMap { (rank: Int) -> [Shape] in
    let huge = [Int](repeating: 1 << 20, count: rank - 1)
    let unknown = [Int?](repeating: nil, count: rank)
    let small: [Int] = Array([5, 7, 4, 6].suffix(rank))
    return [
      Shape(huge + [0]), Shape(unknown.dropLast() + [6]), Shape(unknown), Shape(small),
      Shape([Int](repeating: largestSize, count: rank)),
    ]
  }

  /// Documents like `value`, each with one number changed.
  private static func variants(of value: Any) -> [Any] {
    switch value {
    case let object as [String: Any]:
      object.sorted { $0.key < $1.key }.flatMap { key, value -> [Any] in
        variants(of: value).map { changed in object.merging([key: changed]) { $1 } }
      }
    case let array as [Any]:
      [[Any]()]
        + array.indices.flatMap { index in
          variants(of: array[index]).map { changed in
            var copy = array
            copy[index] = changed
            return copy
          }
        }
    // Also a Bool, which then is refused.
    case is NSNumber: numbers
    default: []
    }
  }

  private static func encoded(_ sample: some Operator) throws -> Any {
    try JSONSerialization.jsonObject(with: JSONEncoder().encode(sample))
  }

  private static func decoded<Sample: Operator>(_ document: Any, as sample: Sample) throws -> Sample
  {
    try JSONDecoder().decode(
      Sample.self, from: JSONSerialization.data(withJSONObject: document))
  }

  @Test(arguments: OperatorRegistryTests.samples.indices)
  func `no attribute makes an operator trap`(index: Int) throws {
    let sample = OperatorRegistryTests.samples[index]
    let document = try Self.encoded(sample)
    for variant in [document] + Self.variants(of: document) {
      // What is refused here needs no shape.
      guard let operation = try? Self.decoded(variant, as: sample) as any Operator else { continue }
      let count = operation.inputCount.lowerBound
      for shape in Self.shapes {
        let inputs = [Shape](repeating: shape, count: count)
        if let specs = try? operation.parameters(for: inputs) {
          for spec in specs { _ = try? spec.count() }
        }
        _ = try? operation.checkedOutputShape(for: inputs)
      }
    }
  }
}
