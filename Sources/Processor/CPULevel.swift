internal import CKernels
internal import Memory
import ModelIR

/// The kernels for one set of vector instructions.
package struct CPULevel: @unchecked Sendable {
  /// The name: `v4`, `v3`, `base` or `neon`.
  package let name: String
  /// The kernels as a `netconv_level`, a constant of the C module that is valid for the lifetime of
  /// the process.
  package let table: UnsafeRawPointer

  private init(_ level: UnsafePointer<netconv_level>) {
    table = UnsafeRawPointer(level)
    name = String(cString: level.pointee.name)
  }

  /// The levels that this CPU supports, best first.
  package static var available: [CPULevel] {
    var levels: [CPULevel] = []
    while let level = netconv_available_level(Int32(levels.count)) {
      levels.append(CPULevel(level))
    }
    return levels
  }

  /// Returns the best level, or the one in the environment variable `NETCONV_CPU`.
  ///
  /// - Throws: `usage` if this CPU does not support it.
  package static func chosen() throws(NetconvError) -> CPULevel {
    let requested = netconv_requested_level().map { String(cString: $0) } ?? ""
    return try named(requested.isEmpty ? nil : requested)
  }

  /// Returns the best level, or the one named `name`.
  ///
  /// - Throws: `usage` if this CPU does not support it.
  package static func named(_ name: String?) throws(NetconvError) -> CPULevel {
    let available = available
    guard let level = available.first(where: { $0.name == name ?? available.first?.name }) else {
      throw .unknownLevel(name ?? "", available: available.map(\.name))
    }
    return level
  }

  /// The number of cores that this process may use and has memory for.
  package static var coreCount: Int { MachineMemory.threads(Int(netconv_core_count())) }

  /// Runs floating-point operations in registers only, to measure the peak performance of a core.
  ///
  /// - Returns: The number of operations; the caller measures the time.
  package func runPeak(iterations: Int) -> Double {
    table.assumingMemoryBound(to: netconv_level.self).pointee.peak(iterations)
  }
}

extension NetconvError {
  static func unknownLevel(_ name: String, available: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "NETCONV_CPU is \(quoted(name)), expected one that this CPU has: "
        + available.joined(separator: ", "))
  }
}
