package import Memory

/// The most memory that the values of a model may take; more is taken for a mistake, or cannot be had.
///
/// A file of a few bytes can claim terabytes; the system would end the process without a word.
package enum MemoryBound {
  /// So much is there without asking.
  private static let unasked = 8 << 20

  /// In bytes.
  package static var bytes: Int { MachineMemory.limit.bytes }
  /// For messages, behind `more than`.
  package static var description: String { MachineMemory.limit.words }

  /// The limit that so many bytes more go past; `nil` if they can be had.
  package static func exceeded(by count: Int) -> MemoryLimit? {
    guard count > unasked else { return nil }
    guard count <= bytes else { return MachineMemory.limit }
    let left = MachineMemory.left
    return count > left.bytes ? left : nil
  }

  /// Checks that so many bytes more can be had for what a file holds.
  ///
  /// - Throws: `badData`.
  package static func check(file count: Int) throws(NetconvError) {
    if let limit = exceeded(by: count) { throw .fileTooLarge(count, limit) }
  }

  /// The number of values in `count` samples of `shape`.
  ///
  /// - Throws: `usage` if they take more than the bound.
  package static func values(
    _ shape: [Int], samples count: Int, byteCount: Int
  ) throws(NetconvError) -> Int {
    let (values, limit) = measured([count] + shape, byteCount: byteCount)
    if let limit { throw .tooLarge(shape, samples: count, limit) }
    return values
  }

  /// The number of values in an array of `shape`.
  ///
  /// - Throws: `usage` if they take more than the bound.
  package static func count(of shape: [Int], byteCount: Int) throws(NetconvError) -> Int {
    let (values, limit) = measured(shape, byteCount: byteCount)
    if let limit { throw .arrayTooLarge(shape, limit) }
    return values
  }

  /// How many values there are, and the limit that they go past, if any.
  private static func measured(_ shape: [Int], byteCount: Int) -> (Int, MemoryLimit?) {
    guard let values = try? product(shape), let bytes = try? product([values, byteCount]) else {
      return (0, MachineMemory.limit)
    }
    return (values, exceeded(by: bytes))
  }
}
