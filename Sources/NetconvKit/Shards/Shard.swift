import Datasets
import ModelIR

/// One of several equal parts of a list, such as the samples of a verification: `2/8`.
public struct Shard: Sendable, Equatable, Codable {
  /// The number of the shard, from 1.
  public let index: Int
  /// The number of shards.
  public let count: Int

  /// The maximum number of shards.
  public static let limit = 1_000_000

  /// Creates a shard; `nil` if its number or the count is out of range.
  public init?(_ index: Int, of count: Int) {
    guard (1...Self.limit).contains(count), (1...count).contains(index) else { return nil }
    (self.index, self.count) = (index, count)
  }

  /// Parses a text such as `2/8`; `nil` if it is invalid.
  public init?(text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { number in
      number.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        ? Int(number) : nil
    }
    guard numbers.count == 2, let index = numbers[0], let count = numbers[1] else { return nil }
    self.init(index, of: count)
  }

  /// Returns the indices of the shard in a list of `length`; shards are contiguous, and their sizes differ by at most
  /// one.
  public func range(of length: Int) -> Range<Int> {
    let (each, rest) = length.quotientAndRemainder(dividingBy: count)
    let start = { (index: Int) in each * index + min(rest, index) }
    return start(index - 1)..<start(index)
  }
}

extension VerifyRequest {
  /// Returns the number of samples that all shards together run.
  func count(of samples: LabeledImages) -> Int { min(limit ?? samples.count, samples.count) }

  /// Returns the indices of the samples to run.
  func range(of samples: LabeledImages) -> Range<Int> {
    let count = count(of: samples)
    return shard?.range(of: count) ?? 0..<count
  }
}
