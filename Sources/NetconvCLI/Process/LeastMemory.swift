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
          .usage, "there is too little memory to begin with: \(left.rest) are left; allow more"))
    }
    MachineMemory.endWithoutMemory(
      "netconv: error: memory has run out; there were \(left.rest) at first, so allow more, or work on less\n",
      status: ExitStatus.usage.rawValue)
  }
}
