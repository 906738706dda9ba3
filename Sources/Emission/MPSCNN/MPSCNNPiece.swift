/// Functions of runtime code that only some networks call.
enum MPSCNNPiece: String, RuntimePiece {
  /// Makes the image of a part of a layer; the others make kernels.
  case parts
  case convolution
  case depthwiseConvolution
  case transposedConvolution
  case fullyConnected
  case rectifier
  case maxPooling
  case averagePooling
}
