import ModelIR
import Operators

/// The two biases of a recurrent layer exchanged or added up, or a forget gate's bias without its 1
/// or with it twice.
enum BiasMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    guard let recurrent = layer.operation as? any RecurrentOperator else { return [] }
    return forgetGate(of: layer, recurrent.cell, evidence) + pair(of: layer)
      + sum(of: layer, evidence)
  }

  // MARK: - The forget gate

  /// The initial 1 of the forget gate's bias (`unit_forget_bias`), which some frameworks store in
  /// the bias and others add at run time.
  private static func forgetGate(
    of layer: LayerCase, _ cell: RecurrentCellKind, _ evidence: Evidence
  ) -> [Repair] {
    guard let gate = cell.gates?.gates.firstIndex(of: GateOrder.forget) else { return [] }
    return [ParameterRole.bias, .recurrentBias].flatMap { role in
      [
        (Float(-1), "too large: it was added twice", "leave out the 1 that is added"),
        (1, "too small: its initial 1 is missing", "add 1 to it"),
      ].compactMap { change, finding, advice -> Repair? in
        guard let found = layer.parameters[role],
          let right = found.adding(
            change, toGate: gate, expected: evidence.expected?.parameters[role])
        else { return nil }
        return Repair(
          .biases, "\(role) of the forget gate is 1 \(finding)", advice: advice, role: role
        ) { layer in
          layer.parameters[role]?.values = right
        }
      }
    }
  }

  // MARK: - Two biases

  private static func pair(of layer: LayerCase) -> [Repair] {
    guard let bias = layer.parameters[.bias]?.values,
      let recurrent = layer.parameters[.recurrentBias]?.values, bias.shape == recurrent.shape
    else { return [] }
    let exchanged = Repair(
      .biases, "bias and recurrent_bias are swapped",
      advice: "swap bias and recurrent_bias"
    ) { layer in
      layer.parameters[.bias]?.values = recurrent
      layer.parameters[.recurrentBias]?.values = bias
    }
    let twice = Repair(
      .biases, "the bias is added twice: recurrent_bias is a copy of bias",
      advice: "write zeros as recurrent_bias", role: .recurrentBias
    ) { layer in
      layer.parameters[.recurrentBias]?.values = recurrent.map { _ in 0 }
    }
    return [exchanged] + (bias.values == recurrent.values ? [twice] : [])
  }

  /// The correction for summed biases, which requires the source because the summands are lost.
  private static func sum(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    guard let first = evidence.expected?.parameters[.bias],
      let second = evidence.expected?.parameters[.recurrentBias],
      let found = layer.parameters[.bias]?.values, found.count == first.values.count,
      second.values.count == found.count,
      layer.parameters[.recurrentBias]?.values.values.allSatisfy({ $0 == 0 }) ?? true,
      second.values.values.contains(where: { $0 != 0 }),
      found.values.indices.allSatisfy({
        isRounded(found.values[$0], of: first.values.values[$0], second.values.values[$0])
      })
    else { return [] }
    return [
      Repair(
        .biases, "bias is the sum of two biases, and none is added after the recurrent kernel",
        advice: "write bias and recurrent_bias separately: the reset gate is applied between them",
        role: .bias
      ) { layer in
        layer.parameters[.bias]?.values = first.values
        layer.parameters[.recurrentBias] = second
      }
    ]
  }

  /// True if a value is the sum up to a few rounding errors of float32.
  fileprivate static func isRounded(_ sum: Float, of a: Float, _ b: Float) -> Bool {
    abs(sum - (a + b)) <= 4 * Float.ulpOfOne * max(abs(a), abs(b), abs(sum))
  }
}

extension GateOrder {
  /// The forget gate of an LSTM.
  fileprivate static let forget: Character = "f"
}

extension LayerCase.Parameter {
  /// A bias with a number added to one gate's values; `nil` if a known bias contradicts the change
  /// beyond rounding.
  fileprivate func adding(
    _ change: Float, toGate gate: Int, expected: LayerCase.Parameter?
  ) -> NDArray<Float>? {
    guard let units = spec.sizes[.units], values.count >= (gate + 1) * units else { return nil }
    let places = gate * units..<(gate + 1) * units
    var changed = values
    for index in places { changed.values[index] += change }
    guard let right = expected?.values, right.shape == values.shape else { return changed }
    let isRight = values.values.indices.allSatisfy { index in
      places.contains(index)
        ? BiasMistake.isRounded(values.values[index], of: right.values[index], -change)
        : values.values[index] == right.values[index]
    }
    return isRight ? right : changed
  }
}
