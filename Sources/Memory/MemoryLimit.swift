/// A memory limit and its source.
package struct MemoryLimit: Sendable, Equatable {
  /// The source of a limit.
  package enum Source: Sendable, Equatable {
    /// A fixed limit; a larger requirement is assumed to be an error.
    case fixed
    /// The physical memory.
    case machine
    /// The limit of the control group, as for containers.
    case container
    /// The limit of the process's address space (`ulimit -v`).
    case addresses
  }

  /// The available memory in bytes.
  package let bytes: Int
  /// The total memory in bytes, which exceeds ``bytes`` if some is in use.
  package let total: Int
  /// The source of the limit.
  package let source: Source

  /// Creates a limit of which `taken` bytes are in use.
  package init(_ total: Int, of source: Source, taken: Int = 0) {
    bytes = max(0, total - max(0, taken))
    self.total = total
    self.source = source
  }

  /// Returns the limit with the least available memory; the first one if several are equal.
  ///
  /// - Parameter limits: The limits; `nil` for those that do not exist.
  /// - Precondition: At least one limit exists.
  package static func least(of limits: [MemoryLimit?]) -> MemoryLimit {
    let limits = limits.compactMap(\.self)
    return limits.dropFirst().reduce(limits[0]) { $1.bytes < $0.bytes ? $1 : $0 }
  }
}

// MARK: - Words

extension MemoryLimit {
  /// The limit in the phrase `more than …`: `16 GiB of memory`, `512 MiB of memory, and the container may use no
  /// more`.
  package var words: String {
    let amount = byteText(bytes) + " of memory"
    if bytes < total, let whole { return "\(amount), the rest of the \(whole)" }
    switch source {
    case .fixed: return amount
    case .machine: return amount + ", and the machine has no more"
    case .container: return amount + ", and the container may use no more"
    case .addresses: return amount + ", and this process may use no more (ulimit -v)"
    }
  }

  /// The available memory in the phrase `there are …`: `4.9 GiB`, `310 MiB of the 512 MiB that the container may
  /// use`.
  package var rest: String {
    guard source == .container || source == .addresses, let whole else { return byteText(bytes) }
    return "\(byteText(bytes)) of the \(whole)"
  }

  private var whole: String? {
    switch source {
    case .fixed: nil
    case .machine: "\(byteText(total)) that the machine has"
    case .container: "\(byteText(total)) that the container may use"
    case .addresses: "\(byteText(total)) that this process may use (ulimit -v)"
    }
  }
}

/// Formats a size: `4768 bytes`, `1.5 MiB`, `16 GiB`.
package func byteText(_ count: Int) -> String {
  let units = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)]
  guard let (unit, bits) = units.first(where: { count >> $0.1 > 0 }) else {
    return count == 1 ? "1 byte" : "\(count) bytes"
  }
  let tenths = Int((Double(count) / Double(1 << bits) * 10).rounded())
  return tenths % 10 == 0 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
}
