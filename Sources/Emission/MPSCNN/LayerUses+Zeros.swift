import ModelIR
import Operators

extension LayerUses {
  /// Whether all readers of a layer begin in the zeros around an image as if they were there.
  func readersImagineZeros(_ layer: String) -> Bool {
    !isOutput(layer)
      && readers(of: layer).allSatisfy {
        switch $0.operation {
        case is Convolution2D, is DepthwiseConvolution2D, is SeparableConvolution2D: true
        case let pooling as MaxPooling2D: pooling.padding == .valid
        case let pooling as AveragePooling2D: pooling.padding == .valid
        case is ZeroPadding2D: readersImagineZeros($0.name)
        default: false
        }
      }
  }
}
