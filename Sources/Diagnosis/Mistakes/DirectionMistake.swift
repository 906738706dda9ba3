import ModelIR
import Operators

/// A reversed input or output sequence, or the weights of the opposite direction.
enum DirectionMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    guard let recurrence = layer.recurrence else { return reversedInputs(of: layer) }
    let reversed = Repair(
      .direction,
      "the sequence is read from its \(recurrence.goesBackwards ? "last step on, expected from its first" : "first step on, expected from its last")",
      advice: "set goesBackwards to \(!recurrence.goesBackwards)"
    ) { layer in
      layer.recurrence?.goesBackwards.toggle()
    }
    return [reversed] + exchanged(layer, evidence) + reversedOutputs(recurrence)
      + reversedInputs(of: layer)
  }

  /// The parameters of a layer in the opposite direction.
  private static func exchanged(_ layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    let roles = layer.recurrentRoles.all
    return evidence.opposites.map { other in
      Repair(
        .direction,
        "\(roles.text) \(roles.count == 1 ? "is that" : "are those") of \(quoted(other.name)), which "
          + "runs the other way",
        advice: "swap the parameters of the two directions"
      ) { layer in
        layer.parameters = other.parameters
      }
    }
  }

  /// A reversed order of outputs: a backward layer returns the last step first, but PyTorch and
  /// ONNX return it last.
  private static func reversedOutputs(_ recurrence: Recurrence) -> [Repair] {
    guard recurrence.returns == .sequence else { return [] }
    let order =
      recurrence.goesBackwards ? "the order in which they are computed" : "the order of the steps"
    let output = Repair(
      .direction, "the outputs are in \(order), expected the reverse",
      advice: "reverse the steps after the layer"
    ) { layer in
      layer.reversesOutput.toggle()
    }
    let both = Repair(
      .direction,
      "the sequence is read from the wrong end, and the outputs are in reverse order",
      advice:
        "set goesBackwards to \(!recurrence.goesBackwards), and reverse the steps after the layer"
    ) { layer in
      layer.recurrence?.goesBackwards.toggle()
      layer.reversesOutput.toggle()
    }
    return [output, both]
  }

  /// Reversed sequences from the model's inputs or from layers without parameters.
  private static func reversedInputs(of layer: LayerCase) -> [Repair] {
    layer.inputs.indices.filter { index in
      let shape = layer.inputs[index].shape
      return shape.count == 3 && shape[1] > 1
        && (layer.modelInputs.contains(index) || layer.parameters.isEmpty)
    }.map { index in
      let name =
        layer.inputs.count == 1 ? "the input" : "input \(index + 1) of \(layer.inputs.count)"
      return Repair(
        .direction, "the steps of \(name) are in reversed order",
        advice: "reverse the steps of \(name)"
      ) { layer in
        layer.inputs[index] = layer.inputs[index].withStepsReversed
      }
    }
  }
}

extension NDArray<Float> {
  /// A batch of sequences in reverse order of steps.
  var withStepsReversed: NDArray {
    guard rank == 3 else { return self }
    let (steps, channels) = (shape[1], shape[2])
    var reversed = self
    for index in values.indices {
      let (c, step) = (index % channels, index / channels % steps)
      let sample = index / channels / steps
      reversed.values[(sample * steps + steps - 1 - step) * channels + c] = values[index]
    }
    return reversed
  }
}
