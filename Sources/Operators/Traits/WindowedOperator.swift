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

  /// Whether one end of an axis is padded more than the other where steps are longer than one: as TensorFlow does, and
  /// frameworks do not that take paddings as numbers.
  package func padsUnequally(_ input: Shape) -> Bool {
    guard let lengths = input.known?.dropLast(), lengths.count == window.axes.count else {
      return false
    }
    return zip(window.axes, lengths).contains { $0.padsUnequally($1) }
  }

  /// Whether zeros around the input are to the windows what is there without them.
  package var takesZerosAsEdges: Bool { surroundings == .zeros || window.padding == .valid }
}

extension Operator {
  /// The same operator, with padding that adds nothing to inputs of these shapes left out.
  package func settled(for inputs: [Shape]) -> any Operator {
    (self as? any WindowedOperator)?.withoutEmptyPadding(for: inputs) ?? self
  }
}

extension WindowedOperator {
  fileprivate func withoutEmptyPadding(for inputs: [Shape]) -> any Operator {
    guard window.padding == .same else { return self }
    var inner = self
    inner.window.padding = .valid
    // As many windows as stay inside: none reaches over an edge.
    guard let own = try? outputShape(for: inputs), own.known != nil,
      own == (try? inner.outputShape(for: inputs))
    else { return self }
    return inner
  }
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
