import Datasets
import ModelIR

/// One of several equal parts of a list, such as the samples of a verification: `2/8`.
public struct Shard: Sendable, Equatable, Codable {
  /// Which part, counted from 1.
  public let index: Int
  /// How many parts there are.
  public let count: Int

  /// The most parts that a list may have.
  public static let limit = 1_000_000

  /// A part; `nil` unless it is one of those that there are.
  public init?(_ index: Int, of count: Int) {
    guard (1...Self.limit).contains(count), (1...count).contains(index) else { return nil }
    (self.index, self.count) = (index, count)
  }

  /// The part that a text such as `2/8` describes; `nil` if it describes none.
  public init?(text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { number in
      number.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        ? Int(number) : nil
    }
    guard numbers.count == 2, let index = numbers[0], let count = numbers[1] else { return nil }
    self.init(index, of: count)
  }

  /// Its places in a list of `length`: parts differ by one at most, and lie behind each other.
  public func range(of length: Int) -> Range<Int> {
    let (each, rest) = length.quotientAndRemainder(dividingBy: count)
    let start = { (index: Int) in each * index + min(rest, index) }
    return start(index - 1)..<start(index)
  }
}

extension VerifyRequest {
  /// How many of the samples are wanted, by all shards together.
  func count(of samples: LabeledImages) -> Int { min(limit ?? samples.count, samples.count) }

  /// Which of the samples are run.
  func range(of samples: LabeledImages) -> Range<Int> {
    let count = count(of: samples)
    return shard?.range(of: count) ?? 0..<count
  }
}
