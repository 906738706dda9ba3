import ModelIR

/// An operator whose window slides over its input.
package protocol WindowedOperator<Space>: Operator {
  /// The axes along which it slides.
  associatedtype Space: SpatialAxes

  /// The sliding window.
  var window: Window<Space> { get set }

  /// What a window sees beyond the edge of its input.
  var surroundings: Surroundings { get }
}

extension WindowedOperator {
  /// Whether windows reach over the edges, and see zeros there.
  package var imaginesZeros: Bool { surroundings == .zeros && window.padding != .valid }

  /// Whether zeros around the input are to the windows what is there without them.
  package var takesZerosAsEdges: Bool { surroundings == .zeros || window.padding == .valid }
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
