internal import Memory
import ModelIR

/// The memory without which nothing can be done, and what is said where it runs out.
enum LeastMemory {
  /// Ends the process if there is none left for work; and from now on with a message wherever memory cannot be had.
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
