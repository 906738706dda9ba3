import ModelIR

/// An operator whose window slides over its input.
package protocol WindowedOperator: Operator {
  /// The sliding window.
  var window: Window2D { get set }

  /// What a window sees beyond the edge of its input.
  var surroundings: Surroundings { get }
}

/// What a window sees where it reaches over the edge of an image.
package enum Surroundings: Sendable {
  /// Zeros, which count as any other value.
  case zeros
  /// Values that are below every other one.
  case lowest
  /// Nothing: the window is smaller there.
  case nothing
}
