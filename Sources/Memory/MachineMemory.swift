internal import CSystemCalls
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What memory this process may use: the one place that knows.
package enum MachineMemory {
  /// More than this is taken for a mistake, in bytes.
  package static let fixed = MemoryLimit(16 << 30, of: .fixed)

  /// What the machine has; `nil` if the system does not tell.
  private static let physical = bytes(netconv_physical_memory())
  /// What control groups allow; `nil` for no limit.
  private static let container = containerLimit()
  /// What the limit on addresses allows; `nil` for none.
  private static let addresses = bytes(netconv_address_limit())

  /// The least of the fixed limit, the machine's memory, the container's and the limit on addresses.
  package static let limit = MemoryLimit.least(of: [
    fixed, physical.map { MemoryLimit($0, of: .machine) },
    container.map { MemoryLimit($0, of: .container) },
    addresses.map { MemoryLimit($0, of: .addresses) },
  ])

  /// Whether files of the system cannot be read any more.
  private static let isConfined = Atomic(false)

  /// Keeps to what is known now: a process that may not open files cannot ask again.
  package static func confine() {
    _ = limit
    isConfined.store(true, ordering: .relaxed)
  }

  /// What this process may still take.
  package static var left: MemoryLimit {
    if isConfined.load(ordering: .relaxed) { return limit }
    var used: (addresses: Int64, resident: Int64) = (0, 0)
    netconv_memory_used(&used.addresses, &used.resident)
    let resident = Int(used.resident)
    return MemoryLimit.least(of: [
      fixed, physical.map { MemoryLimit($0, of: .machine, taken: resident) },
      container.map { MemoryLimit($0, of: .container, taken: resident) },
      addresses.map {
        MemoryLimit($0, of: .addresses, taken: Int(used.addresses) + addressReserve)
      },
    ])
  }

  /// Addresses that stacks, libraries and the allocator's own areas take besides.
  private static let addressReserve = 96 << 20
  /// Addresses that a thread takes: a stack, and an area of the allocator's.
  private static let threadAddresses = 80 << 20

  /// So many threads, or as many of them as there are addresses for, at least one.
  ///
  /// The system waits for addresses where a thread can get none.
  package static func threads(_ count: Int) -> Int {
    guard addresses != nil else { return count }
    return max(1, min(count, 1 + left.bytes / 2 / threadAddresses))
  }

  /// Cores that are online.
  package static var coreCount: Int { Int(netconv_online_cores()) }

  /// Has the process end with `message` and `status` where memory runs out all the same, in place of a trap.
  package static func endWithoutMemory(_ message: String, status: Int32) {
    // Under a small limit one array that grows may want a good part of it.
    let probe = max(64 << 20, (addresses ?? 0) / 2)
    // The words are used until the process ends.
    netconv_end_without_memory(strdup(message), status, Int64(probe))
  }

  private static func bytes(_ count: Int64) -> Int? { count > 0 ? Int(count) : nil }

  private static func containerLimit() -> Int? {
    #if os(Linux)
      guard let groups = text(of: "/proc/self/cgroup"),
        let mounts = text(of: "/proc/self/mountinfo")
      else { return nil }
      return ControlGroups.limitFiles(groups: groups, mounts: mounts)
        .compactMap { text(of: $0).flatMap(ControlGroups.limit) }.min()
    #else
      return nil
    #endif
  }

  /// What a file of the system says, which has no size.
  private static func text(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 12)
    while bytes.count < 1 << 20 {
      let count = read(descriptor, &piece, piece.count)
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
