import ModelIR

/// A kernel rotated by 180 degrees, as in Theano and in Caffe's deconvolution, or mirrored along
/// one axis; over sequences, with reversed taps.
enum RotatedKernelMistake: Mistake {
  private struct Turn: Sendable {
    let axes: Set<Axis>
    let finding: @Sendable (ParameterRole) -> String
    let advice: String
  }

  private static let overImages = [
    Turn(
      axes: [.height, .width], finding: { "\($0) is rotated by 180°" },
      advice: "reverse the order of rows and of columns"),
    Turn(
      axes: [.height], finding: { "\($0) is upside down" }, advice: "reverse the order of rows"),
    Turn(
      axes: [.width], finding: { "\($0) is mirrored, left for right" },
      advice: "reverse the order of columns"),
  ]

  private static func overSequences(_ places: String) -> [Turn] {
    [
      Turn(
        axes: [.width], finding: { "the \(places) of \($0) are in reversed order" },
        advice: "reverse the order of the \(places)")
    ]
  }

  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    layer.kernels.flatMap { role, parameter in
      let spatial = [Axis.height, .width].filter { parameter.spec.sizes[$0] ?? 1 > 1 }
      // A fully-connected kernel after a flatten has weights for the steps themselves.
      let places = parameter.spec.kind == .fullyConnected ? "steps" : "taps"
      let turns =
        parameter.spec.layout.axes.contains(.height) ? overImages : overSequences(places)
      return turns.filter { $0.axes.isSubset(of: spatial) }.map { turn in
        Repair(.rotatedKernel, turn.finding(role), advice: turn.advice, role: role) { layer in
          layer.parameters[role]?.reverse(turn.axes)
        }
      }
    }
  }
}

extension LayerCase.Parameter {
  /// Reverses the values along `axes`.
  mutating func reverse(_ axes: Set<Axis>) {
    guard
      let turn = try? Rearrangement(
        from: spec.layout, to: spec.layout, sizes: spec.sizes, reversing: axes)
    else { return }
    values.values = turn.applied(to: values.values)
  }
}
