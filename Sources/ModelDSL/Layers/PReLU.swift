import ModelIR
import Operators

/// A rectifier with learned slopes below 0.
public struct PReLU: NetworkLayer {
  /// The name for looking up the slopes.
  public let name: String?
  /// The prefix of default names, `prelu`.
  public var kind: String { "prelu" }
  /// The operator, `PReLU`.
  public let operation: any Operator

  /// Creates a rectifier.
  ///
  /// - Parameters:
  ///   - sharedAxes: the axes along which all values share a slope, not counting the batch.
  ///   - name: the name for looking up the slopes.
  public init(sharedAxes: [Int] = [], name: String) {
    operation = Operators.PReLU(sharedAxes: sharedAxes)
    self.name = name
  }
}
