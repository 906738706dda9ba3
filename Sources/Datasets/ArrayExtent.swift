package import Memory
import ModelIR

/// The size of an array according to its header, known before anything is decompressed or
/// allocated.
package struct ArrayExtent {
  /// The size of the file in bytes: the header and the values.
  package let size: Int
  /// The memory for the file and the decoded values, in bytes.
  package let memory: Int

  /// - Parameters:
  ///   - header: The number of bytes before the values.
  ///   - count: The number of values.
  ///   - stored: The size of a value in the file, in bytes.
  ///   - decoded: The size of a decoded value, in bytes.
  /// - Throws: `badData` if the size overflows.
  init(header: Int, count: Int, stored: Int, decoded: Int) throws(NetconvError) {
    let values = try product([count, stored])
    let (size, overflow) = values.addingReportingOverflow(header)
    let (both, tooMany) = stored.addingReportingOverflow(decoded)
    guard !overflow, !tooMany else { throw .tooMuchMemory(MemoryBudget.limit) }
    self.size = size
    memory = try product([count, both])
  }
}

/// The memory for all arrays of one request, because a few bytes can claim to be gigabytes.
package struct MemoryBudget {
  /// The limit.
  package static let limit = MemoryLimit.least(of: [
    MemoryLimit(8 << 30, of: .fixed), MachineMemory.limit,
  ])

  private var remaining = limit.bytes

  /// Creates a full budget.
  package init() {}

  /// Reserves the memory of an array before it is decompressed.
  ///
  /// - Returns: The number of bytes to decompress; `nil` if the array's size is unknown.
  /// - Throws: `badData` if the budget is exceeded.
  mutating func take(_ extent: ArrayExtent?) throws(NetconvError) -> Int? {
    guard let extent else { return nil }
    try take(extent.memory)
    try MemoryBound.check(file: extent.memory)
    return extent.size
  }

  /// Reserves the memory of an array that is already read; a damaged array needs none.
  ///
  /// - Throws: `badData` if the budget is exceeded.
  mutating func take(_ extent: ArrayExtent?, of bytes: [UInt8]) throws(NetconvError) {
    if let extent, extent.size == bytes.count { try take(extent.memory) }
  }

  /// Reserves `bytes`.
  ///
  /// - Throws: `badData` if the budget is exceeded.
  package mutating func take(_ bytes: Int) throws(NetconvError) {
    guard bytes <= remaining else { throw .tooMuchMemory(Self.limit) }
    remaining -= bytes
  }
}

extension NetconvError {
  fileprivate static func tooMuchMemory(_ limit: MemoryLimit) -> NetconvError {
    NetconvError(
      .badData,
      "including this one, the arrays need more than \(limit.words); pass fewer values, or check the "
        + "file")
  }
}
