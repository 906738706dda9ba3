package import Memory
import ModelIR

/// What the parameters of some layers take in memory while an engine loads and keeps them.
///
/// A sparse file of a few kilobytes can claim terabytes; the system would end the process without a word.
package struct ParameterMemory: Sendable, Equatable {
  /// Bytes, at the worst moment.
  package let bytes: Int

  /// The memory for `layers`, of which each loads its own copy.
  ///
  /// - Parameters:
  ///   - layers: their parameters can be counted, in bytes too, as those of every model.
  ///   - byteCount: bytes of a value as the engine keeps it.
  package init(_ layers: [Layer], byteCount: Int) {
    let counts = layers.flatMap(\.parameters).map(\.count)
    // The largest tensor is there twice more while it is read and rearranged.
    let transient = (counts.max() ?? 0).multipliedReportingOverflow(
      by: 2 * MemoryLayout<Float>.size)
    var total = transient.overflow ? Int.max : transient.partialValue
    for count in counts {
      let kept = count.multipliedReportingOverflow(by: byteCount)
      let (sum, overflow) = total.addingReportingOverflow(kept.overflow ? .max : kept.partialValue)
      total = overflow ? .max : sum
    }
    bytes = total
  }

  /// What this process may still take.
  package static var available: MemoryLimit { MachineMemory.left }

  /// Checks that there is so much memory.
  ///
  /// - Throws: `usage`.
  package func check(available: MemoryLimit = ParameterMemory.available) throws(NetconvError) {
    guard bytes <= available.bytes else {
      throw .parametersTooLarge(bytes, available: available)
    }
  }
}
