extension Layout {
  /// The order of axes in a canonical layout; other axes follow in their own order.
  private static let canonicalOrder: [Axis] = [
    .outputChannels, .depth, .height, .width, .inputChannels, .multiplier, .channels,
  ]

  /// The same axes in an order independent of this layout: O, D, H, W, I, M, C, then the others in their order here.
  ///
  /// Groups are split and dimensions of literal 1 are dropped: `HWIO`, `OHWI` and `(HWI)O` all become `OHWI`. Gates
  /// have the order of the operator's definition.
  package var canonical: Layout {
    let known = Self.canonicalOrder.filter(axes.contains)
    let others = axes.filter { !Self.canonicalOrder.contains($0) }
    // A layout of literal 1s only has no axes to sort.
    let dimensions = (known + others).map { Dimension([$0]) }
    return (try? Layout(dimensions, gates: gates?.canonical)) ?? self
  }
}

extension GateOrder {
  /// The same gates in the order of the operator's definition; alphabetical if no operator has them.
  fileprivate var canonical: GateOrder {
    let defined = RecurrentCellKind.allCases.compactMap(\.gates)
    return defined.first { hasSameGates(as: $0) } ?? GateOrder(String(gates.sorted())) ?? self
  }
}

extension Tensor {
  /// Returns the same parameter in the canonical layout of its axes, none of them reversed.
  ///
  /// - Throws: no errors for a valid tensor.
  package func canonical() throws(NetconvError) -> Tensor {
    try rearranged(to: spec.layout.canonical)
  }
}
