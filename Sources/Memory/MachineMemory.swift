internal import CSystemCalls
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The memory that this process may use.
package enum MachineMemory {
  /// The fixed limit in bytes; a larger requirement is assumed to be an error.
  package static let fixed = MemoryLimit(16 << 30, of: .fixed)

  /// The physical memory; `nil` if unknown.
  private static let physical = bytes(netconv_physical_memory())
  /// The limit of the control groups; `nil` if there is none.
  private static let container = containerLimit()
  /// The limit of the address space; `nil` if there is none.
  private static let addresses = bytes(netconv_address_limit())

  /// The least of the fixed limit, the physical memory, and the limits of the container and the address space.
  package static let limit = MemoryLimit.least(of: [
    fixed, physical.map { MemoryLimit($0, of: .machine) },
    container.map { MemoryLimit($0, of: .container) },
    addresses.map { MemoryLimit($0, of: .addresses) },
  ])

  /// True if system files are no longer readable.
  private static let isConfined = Atomic(false)

  /// Freezes the limit, since a process that must not open files cannot determine it again.
  package static func confine() {
    _ = limit
    isConfined.store(true, ordering: .relaxed)
  }

  /// The memory that is still available to this process.
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

  /// The address space reserved for stacks, libraries and allocator arenas.
  private static let addressReserve = 96 << 20
  /// The address space of a thread: a stack and an allocator arena.
  private static let threadAddresses = 80 << 20

  /// Returns the number of threads, reduced to fit in the address space, at least one.
  ///
  /// Creating a thread blocks if there is no address space for it.
  package static func threads(_ count: Int) -> Int {
    guard addresses != nil else { return count }
    return max(1, min(count, 1 + left.bytes / 2 / threadAddresses))
  }

  /// The number of online cores.
  package static var coreCount: Int { Int(netconv_online_cores()) }

  /// Ends the process with `message` and `status` when an allocation fails, instead of trapping.
  package static func endWithoutMemory(_ message: String, status: Int32) {
    // Under a small limit, a growing array may need a large part of it.
    let probe = max(64 << 20, (addresses ?? 0) / 2)
    // The message is used until the process ends, so it is never freed.
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

  /// Returns the contents of a system file, whose size is not known in advance.
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
