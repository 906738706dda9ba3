import ModelIR

extension Parameterized {
  /// Returns the network with every tensor in the layout of `target`.
  ///
  /// A tensor of a kind for which the target has no layout keeps the source's; ``tensorsWithoutLayout(for:)`` lists
  /// them. No values are read or moved.
  ///
  /// - Throws: `badData` if a layout of the target lacks an axis that a tensor has.
  public func arranged(for target: Target) throws(NetconvError) -> Self {
    return try mapTensors { tensor throws(NetconvError) in
      guard !target.keepsLayouts, let layout = target.layout(for: tensor) else { return tensor }
      return try tensor.rearranged(
        to: layout, reversed: target.reversedAxes(of: tensor.spec))
    }
  }

  /// Returns the tensors for which `target` has no layout.
  public func tensorsWithoutLayout(for target: Target) -> [Tensor] {
    tensors.filter { target.layout(for: $0) == nil }
  }
}
