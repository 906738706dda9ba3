internal import CKernels
internal import Memory
import ModelIR

/// The kernels built for one set of vector instructions.
package struct CPULevel: @unchecked Sendable {
  /// `v4`, `v3`, `base` or `neon`.
  package let name: String
  /// The kernels, a `netconv_level`: a constant of the C module, which lives as long as the process.
  package let table: UnsafeRawPointer

  private init(_ level: UnsafePointer<netconv_level>) {
    table = UnsafeRawPointer(level)
    name = String(cString: level.pointee.name)
  }

  /// The levels that this CPU can run, best first.
  package static var available: [CPULevel] {
    var levels: [CPULevel] = []
    while let level = netconv_available_level(Int32(levels.count)) {
      levels.append(CPULevel(level))
    }
    return levels
  }

  /// The best level, or the one that the environment variable `NETCONV_CPU` names.
  ///
  /// - Throws: `usage` if it names one that this CPU lacks.
  package static func chosen() throws(NetconvError) -> CPULevel {
    let requested = netconv_requested_level().map { String(cString: $0) } ?? ""
    return try named(requested.isEmpty ? nil : requested)
  }

  /// The best level, or the one called `name`.
  ///
  /// - Throws: `usage` if this CPU lacks it.
  package static func named(_ name: String?) throws(NetconvError) -> CPULevel {
    let available = available
    guard let level = available.first(where: { $0.name == name ?? available.first?.name }) else {
      throw .unknownLevel(name ?? "", available: available.map(\.name))
    }
    return level
  }

  /// Cores that this process may use, and has memory for threads on.
  package static var coreCount: Int { MachineMemory.threads(Int(netconv_core_count())) }

  /// Floating-point operations of one core in registers only, the most that a kernel can do.
  ///
  /// - Returns: how many were done; the time is for the caller to take.
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
