/// Functions of runtime code that only some networks call.
enum MPSCNNPiece: String, RuntimePiece {
  /// Makes the image of a part of a layer; the others make kernels.
  case parts
  /// Layers write some channels of another layer's image.
  case slices
  case convolution
  case depthwiseConvolution
  case transposedConvolution
  case fullyConnected
  case rectifier
  case maxPooling
  case averagePooling
  /// The others give a normalisation its numbers.
  case trainedNormalization
  case statistics
  case factors
  case constants
  /// Reads numbers that are parameters.
  case parameterNumbers

  var needs: Set<MPSCNNPiece> {
    switch self {
    case .trainedNormalization, .statistics, .factors: [.parameterNumbers]
    default: []
    }
  }
}
