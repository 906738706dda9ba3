package import Memory
import ModelIR

/// What the beginning of an array's file says about all of it, before anything is inflated or allocated.
package struct ArrayExtent {
  /// Bytes of the file: the header and the values.
  package let size: Int
  /// Bytes of memory that the file and the values read from it take.
  package let memory: Int

  /// - Parameters:
  ///   - header: bytes before the values.
  ///   - count: the number of values.
  ///   - stored: bytes of a value in the file.
  ///   - decoded: bytes of a value once it is read.
  /// - Throws: `badData` if that is more than can be counted.
  init(header: Int, count: Int, stored: Int, decoded: Int) throws(NetconvError) {
    let values = try product([count, stored])
    let (size, overflow) = values.addingReportingOverflow(header)
    let (both, tooMany) = stored.addingReportingOverflow(decoded)
    guard !overflow, !tooMany else { throw .tooMuchMemory(MemoryBudget.limit) }
    self.size = size
    memory = try product([count, both])
  }
}

/// The memory that all arrays of one request may take together; a few bytes can claim to be gigabytes.
package struct MemoryBudget {
  /// All that they may take.
  package static let limit = MemoryLimit.least(of: [
    MemoryLimit(8 << 30, of: .fixed), MachineMemory.limit,
  ])

  private var remaining = limit.bytes

  /// The whole budget.
  package init() {}

  /// Sets aside what an array takes that is about to be inflated.
  ///
  /// - Returns: the bytes to inflate; `nil` for an array of which too little is known.
  /// - Throws: `badData` if there are not so many left.
  mutating func take(_ extent: ArrayExtent?) throws(NetconvError) -> Int? {
    guard let extent else { return nil }
    try take(extent.memory)
    try MemoryBound.check(file: extent.memory)
    return extent.size
  }

  /// Sets aside what an array takes whose file is there already; one that is damaged takes nothing.
  ///
  /// - Throws: `badData` if there are not so many left.
  mutating func take(_ extent: ArrayExtent?, of bytes: [UInt8]) throws(NetconvError) {
    if let extent, extent.size == bytes.count { try take(extent.memory) }
  }

  /// Sets `bytes` aside.
  ///
  /// - Throws: `badData` if there are not so many left.
  package mutating func take(_ bytes: Int) throws(NetconvError) {
    guard bytes <= remaining else { throw .tooMuchMemory(Self.limit) }
    remaining -= bytes
  }
}
