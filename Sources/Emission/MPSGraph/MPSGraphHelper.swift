/// A runtime function that adds a layer to the graph.
///
/// A package contains those that its network calls.
enum MPSGraphHelper: String, RuntimePiece {
  /// Computation in float32 in a float16 network.
  case inFloats
  case kernel
  /// A check of a custom layer's result.
  case checked
  case parameter
  case bias
  case convolution
  case depthwiseConvolution
  case transposedConvolution
  case fullyConnected
  case poolingDescriptor
  case maxPooling
  case averagePooling
  case normalization
  case layerNormalization
  case standardized
  case rescaled
  case number
  case clamp
  case rectifier
  case trainedRectifier
  case elu
  case celu
  case softPlus
  case logSigmoid
  case softSign
  case hardSigmoid
  case silu
  case hardSilu
  case gelu
  case geluTanh
  case mish
  case softShrink
  case tanhShrink
  case squarePlus
  case sparsePlus
  case logSoftMax
  case softMax

  var needs: Set<MPSGraphHelper> {
    switch self {
    case .convolution, .depthwiseConvolution, .transposedConvolution, .fullyConnected:
      [.kernel, .bias]
    case .bias, .normalization, .layerNormalization: [.parameter]
    case .standardized, .trainedRectifier: [.parameter, .number]
    case .maxPooling, .averagePooling: [.poolingDescriptor]
    case .clamp, .rectifier, .elu, .celu, .softPlus, .softSign, .gelu, .geluTanh, .squarePlus:
      [.number]
    case .hardSigmoid, .softShrink, .sparsePlus: [.number, .clamp]
    case .hardSilu: [.hardSigmoid]
    case .logSigmoid, .mish: [.softPlus]
    case .softMax: [.logSoftMax]
    case .inFloats, .kernel, .checked, .parameter, .poolingDescriptor, .rescaled, .number, .silu,
      .tanhShrink, .logSoftMax:
      []
    }
  }
}
