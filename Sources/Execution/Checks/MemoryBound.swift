import ModelIR

/// The most memory that running a model may take; more is taken for a mistake.
enum MemoryBound {
  /// In bytes.
  static let bytes = 16 << 30
  /// For messages.
  static let description = "16 GiB"

  /// The number of values in `count` samples of `shape`.
  ///
  /// - Throws: `usage` if they take more than the bound.
  static func values(
    _ shape: [Int], samples count: Int, byteCount: Int
  ) throws(NetconvError) -> Int {
    guard let values = try? product([count] + shape), values <= bytes / byteCount else {
      throw .tooLarge(shape, samples: count)
    }
    return values
  }
}
