import Documents
import Files
import ModelIR

/// The tensors of an output of netconv, as stored in a file of another framework.
public protocol ForeignCopies: Sendable {
  /// The format's name in the manifest.
  var format: String { get }

  /// Locates each tensor.
  ///
  /// - Throws: `badData` if a file differs from what netconv wrote; `cannotOpen`.
  func copies() throws(NetconvError) -> [ForeignCopy]
}

/// A tensor, whose bytes may be split across files.
public struct ForeignCopy: Sendable {
  /// The tensor's record in the manifest.
  public let record: TensorRecord
  /// The byte ranges, in order.
  public let parts: [(file: RandomAccessFile, range: Range<Int>)]
}
