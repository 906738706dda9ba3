import ModelIR
import Operators

/// An embedding: a vector for each token id.
public struct Embedding: NetworkLayer {
  /// The name for looking up the vectors.
  public let name: String?
  /// The prefix of default names, `embedding`.
  public var kind: String { "embedding" }
  /// The operator, `Embedding`.
  public let operation: any Operator

  /// Creates a table of vectors.
  ///
  /// - Parameters:
  ///   - count: the size of the vocabulary; token ids start at 0.
  ///   - channels: the length of a vector.
  ///   - name: the name for looking up the vectors.
  public init(count: Int, channels: Int, name: String) {
    operation = Operators.Embedding(count: count, outputChannels: channels)
    self.name = name
  }
}
