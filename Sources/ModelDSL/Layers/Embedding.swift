import ModelIR
import Operators

/// A vector for each of a number of things: words, characters, classes.
public struct Embedding: NetworkLayer {
  /// The name by which the vectors are asked for.
  public let name: String?
  /// `embedding`.
  public var kind: String { "embedding" }
  /// `Embedding`.
  public let operation: any Operator

  /// A table of vectors.
  ///
  /// - Parameters:
  ///   - count: how many things there are; their numbers begin with 0.
  ///   - channels: the length of a vector.
  ///   - name: the name by which the vectors are asked for.
  public init(count: Int, channels: Int, name: String) {
    operation = Operators.Embedding(count: count, outputChannels: channels)
    self.name = name
  }
}
