/// Runtime functions that only some networks call.
enum MPSCNNPiece: String, RuntimePiece {
  /// Creation of the image of a layer's part; the cases below create kernels.
  case parts
  /// Layers that write some channels of another layer's image.
  case slices
  case convolution
  case depthwiseConvolution
  case transposedConvolution
  case fullyConnected
  case rectifier
  case maxPooling
  case averagePooling
  /// The cases below provide the numbers of a normalisation.
  case trainedNormalization
  case statistics
  case factors
  case constants
  /// Numbers that are parameters.
  case parameterNumbers

  var needs: Set<MPSCNNPiece> {
    switch self {
    case .trainedNormalization, .statistics, .factors: [.parameterNumbers]
    default: []
    }
  }
}
