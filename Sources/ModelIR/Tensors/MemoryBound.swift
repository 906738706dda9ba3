package import Memory

/// The memory limit for the values of a model; larger claims are treated as errors.
///
/// A file of a few bytes can claim terabytes; the system would kill the process without a message.
package enum MemoryBound {
  /// The number of bytes that are assumed to be available.
  private static let unasked = 8 << 20

  /// The limit in bytes.
  package static var bytes: Int { MachineMemory.limit.bytes }
  /// The limit as text for messages, after `more than`.
  package static var description: String { MachineMemory.limit.words }

  /// Returns the limit that `count` more bytes would exceed; `nil` if they are available.
  package static func exceeded(by count: Int) -> MemoryLimit? {
    guard count > unasked else { return nil }
    guard count <= bytes else { return MachineMemory.limit }
    let left = MachineMemory.left
    return count > left.bytes ? left : nil
  }

  /// Checks that `count` more bytes are available for the contents of a file.
  ///
  /// - Throws: `badData`.
  package static func check(file count: Int) throws(NetconvError) {
    if let limit = exceeded(by: count) { throw .fileTooLarge(count, limit) }
  }

  /// Returns the number of values in `count` samples of `shape`.
  ///
  /// - Throws: `usage` if they exceed the limit.
  package static func values(
    _ shape: [Int], samples count: Int, byteCount: Int
  ) throws(NetconvError) -> Int {
    let (values, limit) = measured([count] + shape, byteCount: byteCount)
    if let limit { throw .tooLarge(shape, samples: count, limit) }
    return values
  }

  /// Returns the number of values in an array of `shape`.
  ///
  /// - Throws: `usage` if they exceed the limit.
  package static func count(of shape: [Int], byteCount: Int) throws(NetconvError) -> Int {
    let (values, limit) = measured(shape, byteCount: byteCount)
    if let limit { throw .arrayTooLarge(shape, limit) }
    return values
  }

  /// Returns the number of values, and the limit that they exceed, if any.
  private static func measured(_ shape: [Int], byteCount: Int) -> (Int, MemoryLimit?) {
    guard let values = try? product(shape), let bytes = try? product([values, byteCount]) else {
      return (0, MachineMemory.limit)
    }
    return (values, exceeded(by: bytes))
  }
}

extension NetconvError {
  fileprivate static func tooLarge(_ shape: [Int], samples count: Int, _ limit: MemoryLimit)
    -> NetconvError
  {
    NetconvError(
      .usage,
      "\(samples(count)) of shape \(Shape(shape)) need more than \(limit.words); run on smaller batches "
        + "or smaller inputs")
  }

  fileprivate static func arrayTooLarge(_ shape: [Int], _ limit: MemoryLimit) -> NetconvError {
    NetconvError(
      .usage,
      "an array of shape \(Shape(shape)) needs more than \(limit.words); run on smaller batches or smaller "
        + "inputs")
  }

  fileprivate static func fileTooLarge(_ bytes: Int, _ limit: MemoryLimit) -> NetconvError {
    NetconvError(
      .badData,
      "needs \(byteText(bytes)) of memory, more than \(limit.words); pass less, or use a machine with more"
    )
  }
}
