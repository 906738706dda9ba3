import ModelIR
import Synchronization

/// A tensor that is read whole when its first value is needed, since its values are wanted in another order.
final class WholeTensor: Sendable {
  /// Where the values are.
  let source: any TensorSource
  private let known = Mutex<[Float]?>(nil)

  /// All values of `source`.
  init(_ source: any TensorSource) { self.source = source }

  /// The values in stored order.
  ///
  /// - Throws: as the source does.
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
