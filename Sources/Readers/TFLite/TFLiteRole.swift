import ModelIR

/// The role and layout of a constant for the operator that reads it.
///
/// Source: tensorflow/lite/kernels: `conv.cc`, `depthwise_conv.cc`, `fully_connected.cc`, `transpose_conv.cc`,
/// `unidirectional_sequence_lstm.cc`.
struct TFLiteRole {
  let role: ParameterRole
  private var kind = ParameterKind.unknown
  /// The number of input channels of a depthwise convolution.
  private var channels: Int?

  /// Creates a role without a known layout.
  init(_ role: ParameterRole) { self.role = role }

  /// Creates the role of the constant at the input `place` of an operator.
  init(
    _ node: TFLiteOperator, _ place: Int, _ subgraph: TFLiteSubgraph, _ constant: Int
  ) {
    let bias = node.name == "TRANSPOSE_CONV" ? 3 : 2
    switch (node.name, place) {
    case ("CONV_2D", 1):
      self.init(.kernel)
      kind = .convolution
    case ("DEPTHWISE_CONV_2D", 1):
      self.init(.kernel)
      kind = .depthwise
      channels = (node.inputs.first ?? nil).flatMap { subgraph.tensors[$0].shape.last }
    case ("TRANSPOSE_CONV", 1):
      self.init(.kernel)
      kind = .transposedConvolution
    case ("FULLY_CONNECTED", 1):
      self.init(.kernel)
      kind = .fullyConnected
    case ("CONV_2D", bias), ("DEPTHWISE_CONV_2D", bias), ("FULLY_CONNECTED", bias),
      ("TRANSPOSE_CONV", bias):
      self.init(.bias)
    case ("PRELU", 1): self.init(.alpha)
    case ("EMBEDDING_LOOKUP", 1), ("GATHER", 0): self.init(.kernel)
    case ("UNIDIRECTIONAL_SEQUENCE_LSTM", _) where Self.recurrent.indices.contains(place):
      self.init(ParameterRole(rawValue: Self.recurrent[place]))
    default: self.init(.value)
    }
  }

  /// The names of an LSTM's inputs.
  private static let recurrent =
    ["input"]
    + ["input", "recurrent"].flatMap { from in
      ["input", "forget", "cell", "output"].map { "\(from)_to_\($0)_weights" }
    }
    + ["input", "forget", "output"].map { "cell_to_\($0)_weights" }
    + ["input_gate_bias", "forget_gate_bias", "cell_gate_bias", "output_gate_bias"]
    + ["projection_weights", "projection_bias", "output_state", "cell_state"]
    + ["input", "forget", "cell", "output"].map { "\($0)_layer_norm_coefficients" }

  /// The operator's layout, the stored layout and the axis sizes of a kernel; `nil` if the shape does not fit.
  private func axes(
    _ shape: [Int]
  ) -> (own: Layout, stored: Layout, sizes: [Axis: Int])? {
    switch (kind, shape.count) {
    case (.convolution, 4):
      (
        .hwio, .ohwi,
        [
          .outputChannels: shape[0], .height: shape[1], .width: shape[2],
          .inputChannels: shape[3],
        ]
      )
    case (.transposedConvolution, 4):
      (
        .hwoi, .ohwi,
        [
          .outputChannels: shape[0], .height: shape[1], .width: shape[2],
          .inputChannels: shape[3],
        ]
      )
    case (.fullyConnected, 2):
      (.io, .oi, [.outputChannels: shape[0], .inputChannels: shape[1]])
    case (.depthwise, 4):
      if let channels, channels > 0, shape[0] == 1, shape[3].isMultiple(of: channels) {
        (
          .hwim, .depthwiseIHWO,
          [
            .height: shape[1], .width: shape[2], .inputChannels: channels,
            .multiplier: shape[3] / channels,
          ]
        )
      } else {
        nil
      }
    default: nil
    }
  }

  /// Returns the constant as a parameter of a layer.
  ///
  /// - Throws: `badData` if it has more axes than layouts support.
  func tensor(
    _ layer: String, _ role: ParameterRole, _ stored: StoredTensor, _ shape: [Int]
  ) throws(NetconvError) -> Tensor {
    guard let axes = axes(shape) else {
      return try Tensor(layer: layer, spec: ParameterSpec(role, shape: shape), stored: stored)
    }
    var stored = stored
    stored.layout = axes.stored
    return try Tensor(
      layer: layer, spec: ParameterSpec(role, kind, axes.own, axes.sizes), stored: stored)
  }
}
