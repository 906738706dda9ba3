import Documents
import Files
import ModelIR

/// The tensors that netconv wrote once more, in the form of another framework.
public protocol ForeignCopies: Sendable {
  /// The container, as the manifest calls it.
  var format: String { get }

  /// Where each tensor is.
  ///
  /// - Throws: `badData` if the graph or what lies in it is not what netconv wrote; `cannotOpen`.
  func copies() throws(NetconvError) -> [ForeignCopy]
}

/// A tensor, whose bytes may begin in one file and end in the next.
public struct ForeignCopy: Sendable {
  /// What the manifest says about it.
  public let record: TensorRecord
  /// Its bytes, in order.
  public let parts: [(file: RandomAccessFile, range: Range<Int>)]
}
