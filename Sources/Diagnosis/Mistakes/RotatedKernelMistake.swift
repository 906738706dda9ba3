import ModelIR

/// A kernel turned by 180 degrees, as Theano and Caffe's deconvolution have it, or mirrored along one axis.
enum RotatedKernelMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    layer.kernels.flatMap { role, parameter in
      let spatial = [Axis.height, .width].filter { parameter.spec.sizes[$0] ?? 1 > 1 }
      let turns: [(axes: Set<Axis>, finding: String)] = [
        (Set(spatial), "is rotated by 180°"),
        ([.height], "is upside down"),
        ([.width], "is mirrored, left for right"),
      ]
      return turns.filter { $0.axes.isSubset(of: spatial) && !$0.axes.isEmpty }.map {
        axes, finding in
        Repair(
          .rotatedKernel, "\(role) \(finding)",
          advice: "reverse the order of "
            + ["rows": Axis.height, "columns": .width].filter { axes.contains($0.value) }.keys
            .sorted(by: >).joined(separator: " and of "), role: role
        ) { layer in
          layer.parameters[role]?.reverse(axes)
        }
      }
    }
  }
}

extension LayerCase.Parameter {
  /// Brings the values along `axes` into opposite order.
  mutating func reverse(_ axes: Set<Axis>) {
    guard
      let turn = try? Rearrangement(
        from: spec.layout, to: spec.layout, sizes: spec.sizes, reversing: axes)
    else { return }
    values.values = turn.applied(to: values.values)
  }
}
