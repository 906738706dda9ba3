internal import Memory
import ModelIR

/// The minimum memory of the process, and the error if memory runs out.
enum LeastMemory {
  /// Ends the process if no memory is available, and installs an error message for failed
  /// allocations.
  static func require() {
    let left = MachineMemory.left
    guard left.bytes > 0 else {
      Process.end(
        NetconvError(
          .usage, "too little memory to start: \(left.rest) are left; allow more"))
    }
    MachineMemory.endWithoutMemory(
      "netconv: error: out of memory; \(left.rest) were available at first: allow more, or use less data\n",
      status: ExitStatus.usage.rawValue)
  }
}
