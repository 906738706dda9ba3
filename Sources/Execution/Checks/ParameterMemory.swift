package import Memory
import ModelIR

/// The memory that an engine needs to load and keep the parameters of some layers.
///
/// A sparse file of a few kilobytes can claim terabytes; the system would kill the process without a message.
package struct ParameterMemory: Sendable, Equatable {
  /// The peak in bytes.
  package let bytes: Int

  /// Computes the memory for `layers`, each of which loads its own copy.
  ///
  /// - Parameters:
  ///   - layers: layers whose parameters have a total size that does not overflow, as in every model.
  ///   - byteCount: the size of a value in the engine, in bytes.
  package init(_ layers: [Layer], byteCount: Int) {
    let counts = layers.flatMap(\.parameters).map(\.count)
    // Two more copies of the largest tensor exist while it is read and rearranged.
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

  /// The memory that this process can still allocate.
  package static var available: MemoryLimit { MachineMemory.left }

  /// Checks that there is enough memory.
  ///
  /// - Throws: `usage`.
  package func check(available: MemoryLimit = ParameterMemory.available) throws(NetconvError) {
    guard bytes <= available.bytes else {
      throw .parametersTooLarge(bytes, available: available)
    }
  }
}

extension NetconvError {
  fileprivate static func parametersTooLarge(_ bytes: Int, available: MemoryLimit) -> NetconvError {
    NetconvError(
      .usage,
      "loading the parameters needs \(byteText(bytes)) of memory, and there are "
        + "\(available.rest); run the model on a machine with more")
  }
}
