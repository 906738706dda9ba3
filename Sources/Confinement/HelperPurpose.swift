/// What a process of its own is for.
package struct HelperPurpose: Sendable {
  /// The argument that makes a program this process.
  let argument: String
  /// What it says first, so that no other program is taken for it.
  let greeting: String
  /// What is done in it, for messages: "HDF5 files are read".
  let deed: String
  /// What it is, for messages: "the process that reads HDF5 files".
  let name: String
  /// Bytes of memory that both share, behind the announcement.
  let roomSize: Int
  /// Bytes of an answer, at most.
  let largestAnswer: Int
  /// Bytes of address space that it may take.
  let addressSpace: UInt64
  /// Seconds of processor time that a step may take.
  let processorTime: UInt32

  package init(
    argument: String, greeting: String, deed: String, name: String, roomSize: Int = 0,
    largestAnswer: Int, addressSpace: UInt64, processorTime: UInt32
  ) {
    self.argument = argument
    self.greeting = greeting
    self.deed = deed
    self.name = name
    self.roomSize = roomSize
    self.largestAnswer = largestAnswer
    self.addressSpace = addressSpace
    self.processorTime = processorTime
  }

  /// Addresses that a program, its libraries, stacks and the allocator take besides what a process keeps in memory.
  private static let reserve = 1 << 30

  /// Bytes of address space that it may take where there is so much memory: no more than could be of use.
  package func addressSpace(memory: Int) -> UInt64 {
    let (sum, overflow) = UInt64(max(0, memory)).addingReportingOverflow(
      UInt64(Self.reserve + roomSize))
    return overflow ? addressSpace : min(addressSpace, sum)
  }
}

/// Which program becomes the process, and how it is waited for.
package struct HelperSettings: Sendable {
  let program: String
  let patience: Duration
  let isCancelled: @Sendable () -> Bool
  let onUnfiltered: @Sendable (String) -> Void

  /// - Parameters:
  ///   - program: the path of a program that calls ``HelperServer/run(_:)``.
  ///   - patience: how long a step may take.
  ///   - isCancelled: is asked many times a second while an answer is waited for; `true` ends the wait.
  ///   - onUnfiltered: is told, with the system's reason, that the process is not kept from system calls.
  package init(
    program: String, patience: Duration = .seconds(120),
    isCancelled: @escaping @Sendable () -> Bool = { false },
    onUnfiltered: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.program = program
    self.patience = patience
    self.isCancelled = isCancelled
    self.onUnfiltered = onUnfiltered
  }
}
