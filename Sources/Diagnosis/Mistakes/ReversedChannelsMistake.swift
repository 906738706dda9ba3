import ModelIR

/// Channels in the order blue, green, red instead of red, green, blue, or the reverse.
enum ReversedChannelsMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    // The inputs of a recurrent kernel are units, and those of an embedding are token ids.
    let kernels = layer.kernels.filter { role, parameter in
      [2, 3, 4].contains(parameter.spec.sizes[.inputChannels] ?? 1) && role != .recurrent
        && parameter.spec.kind != .embedding
    }
    let isImage = layer.inputs.contains { $0.rank != 3 }
    let inKernel = kernels.map { role, parameter in
      Repair(
        .reversedChannels,
        parameter.spec.sizes[.inputChannels] == 3 && isImage
          ? "\(role) reads the channels in reverse order: BGR for RGB"
          : "\(role) reads the input channels in reverse order",
        advice: "feed the channels in reverse order, or reverse axis I of \(role)", role: role
      ) { layer in
        layer.parameters[role]?.reverse([.inputChannels])
      }
    }
    return inKernel + inInput(of: layer)
  }

  /// The correction of a layer without a kernel.
  private static func inInput(of layer: LayerCase) -> [Repair] {
    guard let first = layer.modelInputs.min(), layer.kernels.isEmpty,
      let channels = layer.inputs[first].shape.last, channels == 3
    else { return [] }
    return [
      Repair(
        .reversedChannels, "the input has its channels in reverse order: BGR for RGB",
        advice: "feed the channels in reverse order"
      ) { layer in
        let values = layer.inputs[first].values
        layer.inputs[first].values = values.indices.map { index in
          values[index - index % channels + (channels - 1 - index % channels)]
        }
      }
    ]
  }
}
