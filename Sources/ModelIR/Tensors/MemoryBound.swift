/// The most memory that the values of a model may take; more is taken for a mistake.
///
/// A file of a few bytes can claim terabytes; the system would end the process without a word.
package enum MemoryBound {
  /// In bytes.
  package static let bytes = 16 << 30
  /// For messages.
  package static let description = "16 GiB"

  /// The number of values in `count` samples of `shape`.
  ///
  /// - Throws: `usage` if they take more than the bound.
  package static func values(
    _ shape: [Int], samples count: Int, byteCount: Int
  ) throws(NetconvError) -> Int {
    guard let values = Self.count(of: [count] + shape, byteCount: byteCount) else {
      throw .tooLarge(shape, samples: count)
    }
    return values
  }

  /// The number of values in an array of `shape`; `nil` if they take more than the bound.
  package static func count(of shape: [Int], byteCount: Int) -> Int? {
    guard let values = try? product(shape), values <= bytes / byteCount else { return nil }
    return values
  }
}
