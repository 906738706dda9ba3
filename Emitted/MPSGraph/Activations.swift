/// What each layer gave, for tests: hand it to `NAME.predict`, then read.
public final class NAMEActivations {
  var values: [(layer: String, values: [Float])] = []

  /// Without values; a run gives them.
  public init() {}

  /// The layers that have a tensor of their own; others are a part of the next of these.
  public var layers: [String] { values.map(\.layer) }

  /// What a layer gave: with the last axis fastest.
  public func values(of layer: String) -> [Float]? {
    values.last { $0.layer == layer }?.values
  }
}
