import ModelIR
import Operators

extension LayerUses {
  /// Whether all readers of a layer begin in the zeros around an image as if they were there.
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
