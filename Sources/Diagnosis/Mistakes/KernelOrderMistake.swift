import ModelIR

/// A kernel whose axes are not in the order of its layout.
enum KernelOrderMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    layer.kernels.flatMap { role, parameter in
      var tried: Set<[Int]> = []
      return parameter.declared.flatMap { declared in
        orders(of: parameter, declared: declared).compactMap { order -> Repair? in
          // Another layout with the same effect, or with none, adds nothing.
          guard let move = Rereading(of: parameter, declared, as: order), !move.isIdentity,
            tried.insert(move.signature).inserted
          else { return nil }
          return repair(role, parameter, declared: declared.layout, actual: order) { values in
            move.applied(to: values)
          }
        }
      }
    }
  }

  /// All orders of the axes, common ones first.
  private static func orders(
    of parameter: LayerCase.Parameter, declared: LayerCase.DeclaredLayout
  ) -> [Layout] {
    let axes = declared.layout.axes
    let isGrouped = declared.layout.hasGroup
    let usual = usualLayouts.filter { Set($0.axes) == Set(axes) && $0.hasGroup == isGrouped }
    let free = axes.map { SizedAxis($0, size: parameter.spec.sizes[$0] ?? 1) }
      .filter { $0.size > 1 }
    guard free.count <= 5 else { return usual.map { $0.with(gates: declared.layout.gates) } }
    // Orders without reversed axes come first.
    let unreversed = Arrangements(free.map { [$0] }, nil, known: .target)
      .prefix { $0.reversed.isEmpty }
    let others = unreversed.map { arrangement in
      var next = arrangement.source.axes.makeIterator()
      let all = axes.map { axis in
        free.contains { $0.axis == axis } ? next.next() ?? axis : axis
      }
      return (isGrouped ? grouped(all) : Layout(apart: all)) ?? .io
    }
    return (usual + others).map { $0.with(gates: declared.layout.gates) }
  }

  private static let usualLayouts = [
    "OIHW", "HWIO", "OHWI", "HWOI", "IOHW", "IHWO", "OI", "IO", "(IHW)O", "O(IHW)", "(HWI)O",
    "O(HWI)", "(WHI)O", "(IW)O", "O(IW)", "(WI)O", "O(WI)", "HWIM", "HWMI", "IMHW", "MIHW",
    "(IM)HW", "WIO", "OIW", "OWI", "WOI", "IOW", "IWO", "WIM", "WMI", "IMW", "MIW", "I(GN)",
    "(GN)I",
    "I(NG)", "(NG)I", "IN", "NI",
  ].compactMap { Layout($0) }

  /// The layout whose axes on one side of O, or of a recurrent layer's inputs, form one dimension.
  private static func grouped(_ axes: [Axis]) -> Layout? {
    let side = axes.contains(.outputChannels) ? Axis.outputChannels : .inputChannels
    let hidden = Layout.Dimension(axes.filter { $0 != side })
    let dimensions =
      if axes.first == side {
        [Layout.Dimension([side]), hidden]
      } else if axes.last == side {
        [hidden, Layout.Dimension([side])]
      } else {
        axes.map { Layout.Dimension([$0]) }
      }
    return try? Layout(dimensions)
  }

  private static func repair(
    _ role: ParameterRole, _ parameter: LayerCase.Parameter, declared: Layout, actual: Layout,
    change: @escaping @Sendable (NDArray<Float>) -> NDArray<Float>
  ) -> Repair {
    let (kind, reason) = explanation(parameter.spec, declared: declared, actual: actual)
    return Repair(
      kind, "\(role) is \(actual) read as \(declared)" + (reason.map { ": \($0)" } ?? ""),
      advice:
        "declare the layout \(actual) in the source, or write them as \(declared)",
      role: role
    ) { layer in
      if let values = layer.parameters[role]?.values {
        layer.parameters[role]?.values = change(values)
      }
    }
  }

  private static func explanation(
    _ spec: ParameterSpec, declared: Layout, actual: Layout
  ) -> (Repair.Kind, String?) {
    let free = { (layout: Layout) in layout.axes.filter { spec.sizes[$0] ?? 1 > 1 } }
    let (was, be) = (free(actual), free(declared))
    if let side = matrixSide(of: spec.kind) {
      return sides(was, side) == sides(be, side)?.reversed()
        ? (
          .transposedKernel,
          spec.kind == .embedding ? "the table is transposed" : "the matrix is transposed"
        )
        : (.kernelOrder, nil)
    }
    let hidden = { (axes: [Axis]) in axes.filter { $0 != .outputChannels } }
    if spec.kind == .fullyConnected {
      guard hidden(was) != hidden(be) else {
        return (.transposedKernel, "the matrix is transposed")
      }
      let sides = (was.first == .outputChannels, be.first == .outputChannels)
      let edges = was.first == .outputChannels || was.last == .outputChannels
      guard edges else { return (.kernelOrder, nil) }
      let names = hidden(actual.axes).map { $0 == .inputChannels ? "C" : $0.description }
      let text = "the flatten was in \(names.joined(separator: ", ")) order"
      return (.flattenOrder, sides.0 == sides.1 ? text : text + ", and the matrix is transposed")
    }
    let exchanged = was.map { $0 == .height ? Axis.width : $0 == .width ? .height : $0 }
    return (.kernelOrder, exchanged == be ? "height and width are swapped" : nil)
  }

  /// The axis on one side of a kernel that every framework stores as a matrix.
  private static func matrixSide(of kind: ParameterKind) -> Axis? {
    switch kind {
    case .embedding, .recurrent: .inputChannels
    default: nil
    }
  }

  /// The axes on the two sides of a matrix; `nil` if they are not contiguous.
  private static func sides(_ axes: [Axis], _ side: Axis) -> [[Axis]]? {
    let others = axes.filter { $0 != side }
    if axes.first == side { return [[side], others] }
    return axes.last == side ? [others, [side]] : nil
  }
}

extension Layout {
  /// True if a flatten has merged some of the axes.
  fileprivate var hasGroup: Bool { dimensions.contains { $0.axes.count > 1 } }
}
