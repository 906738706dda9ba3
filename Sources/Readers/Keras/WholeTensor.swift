import ModelIR
import Synchronization

/// A tensor that is read completely on first access, because its values are needed in a different order.
final class WholeTensor: Sendable {
  /// The source of the values.
  let source: any TensorSource
  private let known = Mutex<[Float]?>(nil)

  init(_ source: any TensorSource) { self.source = source }

  /// Returns the values in stored order.
  ///
  /// - Throws: The errors of the source.
  func values() throws(NetconvError) -> [Float] {
    if let known = known.withLock({ $0 }) { return known }
    var values = [Float](repeating: 0, count: source.count)
    var failure: NetconvError?
    values.withUnsafeMutableBufferPointer { buffer in
      do throws(NetconvError) {
        try source.read(0..<buffer.count, into: buffer)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    known.withLock { $0 = values }
    return values
  }
}
