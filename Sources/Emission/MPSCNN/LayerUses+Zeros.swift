import ModelIR
import Operators

extension LayerUses {
  /// True if all layers that read `layer` treat the zeros around an image as their own padding.
  func readersImagineZeros(_ layer: String) -> Bool {
    !isOutput(layer)
      && readers(of: layer).allSatisfy {
        if let operation = $0.operation as? any WindowedOperator {
          return operation.takesZerosAsEdges
        }
        return $0.operation is any ZeroPaddingOperator && readersImagineZeros($0.name)
      }
  }
}
