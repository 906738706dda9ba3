extension Layout {
  /// The order in which axes come in a canonical layout; what is not listed follows in its own order.
  private static let canonicalOrder: [Axis] = [
    .outputChannels, .depth, .height, .width, .inputChannels, .multiplier, .channels,
  ]

  /// The same axes in an order that does not depend on the layout: O, D, H, W, I, M, C, then the others as they
  /// come here.
  ///
  /// Groups are taken apart, and a dimension that is only a 1 is left out: `HWIO`, `OHWI` and `(HWI)O` all give
  /// `OHWI`. Gates come in the order of the operator's definition.
  package var canonical: Layout {
    let known = Self.canonicalOrder.filter(axes.contains)
    let others = axes.filter { !Self.canonicalOrder.contains($0) }
    // A layout of nothing but 1s has no axis to put in order.
    let dimensions = (known + others).map { Dimension([$0]) }
    return (try? Layout(dimensions, gates: gates?.canonical)) ?? self
  }
}

extension GateOrder {
  /// The same gates as the definition of their operator has them, of gates of no operator in alphabetical order.
  fileprivate var canonical: GateOrder {
    let defined = RecurrentCellKind.allCases.compactMap(\.gates)
    return defined.first { hasSameGates(as: $0) } ?? GateOrder(String(gates.sorted())) ?? self
  }
}

extension Tensor {
  /// The same parameter in the canonical layout of its axes, none of them reversed.
  ///
  /// - Throws: nothing that a valid tensor could cause.
  package func canonical() throws(NetconvError) -> Tensor {
    try rearranged(to: spec.layout.canonical)
  }
}
