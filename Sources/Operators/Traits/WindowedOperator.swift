import ModelIR

/// An operator with a window that slides over its input.
package protocol WindowedOperator<Space>: Operator {
  /// The axes that the window slides along.
  associatedtype Space: SpatialAxes

  /// The sliding window.
  var window: Window<Space> { get set }

  /// The values that a window sees beyond the edges of its input.
  var surroundings: Surroundings { get }
}

extension WindowedOperator {
  /// True if windows extend beyond the edges and see zeros there.
  package var imaginesZeros: Bool { surroundings == .zeros && window.padding != .valid }

  /// Returns true if the padding of both ends of an axis differs for strides above 1.
  ///
  /// TensorFlow pads like this; frameworks with symmetric padding amounts do not.
  package func padsUnequally(_ input: Shape) -> Bool {
    guard let lengths = input.known?.dropLast(), lengths.count == window.axes.count else {
      return false
    }
    return zip(window.axes, lengths).contains { $0.padsUnequally($1) }
  }

  /// True if zero padding around the input is equivalent to the window's own edges.
  package var takesZerosAsEdges: Bool { surroundings == .zeros || window.padding == .valid }
}

extension Operator {
  /// Returns the operator without `same` padding if it adds nothing to inputs of these shapes.
  package func settled(for inputs: [Shape]) -> any Operator {
    (self as? any WindowedOperator)?.withoutEmptyPadding(for: inputs) ?? self
  }
}

extension WindowedOperator {
  fileprivate func withoutEmptyPadding(for inputs: [Shape]) -> any Operator {
    guard window.padding == .same else { return self }
    var inner = self
    inner.window.padding = .valid
    // The number of windows is the same without padding, so none extends beyond an edge.
    guard let own = try? outputShape(for: inputs), own.known != nil,
      own == (try? inner.outputShape(for: inputs))
    else { return self }
    return inner
  }
}

/// The values that a window sees beyond the edges of an image.
package enum Surroundings: Sendable {
  /// Zeros, which count like any other value.
  case zeros
  /// Values below all others.
  case lowest
  /// No values: the window is smaller there.
  case nothing
}
