import ModelIR

extension Parameterized {
  /// The same with every tensor in the layout that `target` wants.
  ///
  /// A tensor of a kind that the target has no layout for keeps the source's;
  /// ``tensorsWithoutLayout(for:)`` lists them. Nothing is read or moved.
  ///
  /// - Throws: `badData` if a layout of the target lacks an axis that a tensor has.
  public func arranged(for target: Target) throws(NetconvError) -> Self {
    return try mapTensors { tensor throws(NetconvError) in
      guard !target.keepsLayouts, let layout = target.layout(for: tensor) else { return tensor }
      return try tensor.rearranged(
        to: layout, reversed: target.reversedAxes(of: tensor.spec))
    }
  }

  /// The tensors that `target` has no layout for.
  public func tensorsWithoutLayout(for target: Target) -> [Tensor] {
    tensors.filter { target.layout(for: $0) == nil }
  }
}
