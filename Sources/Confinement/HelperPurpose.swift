/// The purpose and the limits of a helper process.
package struct HelperPurpose: Sendable {
  /// The argument that turns a program into this process.
  let argument: String
  /// The first message of the process, which identifies it.
  let greeting: String
  /// The work of the process, for messages: "HDF5 files are read".
  let deed: String
  /// The name of the process, for messages: "the process that reads HDF5 files".
  let name: String
  /// The size of the shared buffer for values, in bytes.
  let roomSize: Int
  /// The maximum size of a reply, in bytes.
  let largestAnswer: Int
  /// The limit of its address space, in bytes.
  let addressSpace: UInt64
  /// The limit of processor time per step, in seconds.
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

  /// The address space of the program, its libraries, stacks and allocator, in addition to allocated memory.
  private static let reserve = 1 << 30

  /// Returns the limit of address space for a machine with this much memory; no more than the process can use.
  package func addressSpace(memory: Int) -> UInt64 {
    let (sum, overflow) = UInt64(max(0, memory)).addingReportingOverflow(
      UInt64(Self.reserve + roomSize))
    return overflow ? addressSpace : min(addressSpace, sum)
  }
}

/// The program of a helper process, and the settings for waiting.
package struct HelperSettings: Sendable {
  let program: String
  let patience: Duration
  let isCancelled: @Sendable () -> Bool
  let onUnfiltered: @Sendable (String) -> Void

  /// - Parameters:
  ///   - program: The path of a program that calls ``HelperServer/run(_:)``.
  ///   - patience: The time limit of a step.
  ///   - isCancelled: Called many times per second while waiting for a reply; `true` ends the wait.
  ///   - onUnfiltered: Called with the system's reason if the filter for system calls is unavailable.
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
