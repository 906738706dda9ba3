import ModelIR
import Operators

/// A rectifier whose slope below 0 is learned.
public struct PReLU: NetworkLayer {
  /// The name by which the slopes are asked for.
  public let name: String?
  /// `prelu`.
  public var kind: String { "prelu" }
  /// `PReLU`.
  public let operation: any Operator

  /// A rectifier.
  ///
  /// - Parameters:
  ///   - sharedAxes: axes along which all values have one slope, counted without the batch.
  ///   - name: the name by which the slopes are asked for.
  public init(sharedAxes: [Int] = [], name: String) {
    operation = Operators.PReLU(sharedAxes: sharedAxes)
    self.name = name
  }
}
