import ModelIR
import ProtocolBuffers

extension WireMessage {
  private enum ShapeField {
    static let dimension = 2
    static let unknownRank = 3
    static let size = 1
  }

  /// The sizes of a TensorShapeProto, all of which must be known.
  ///
  /// Source: tensorflow/core/framework/tensor_shape.proto.
  /// - Throws: `badData` if the message is none, a size is not known, or the values could not be counted.
  func tensorShape() throws(NetconvError) -> [Int] {
    var shape: [Int] = []
    try forEachField { (field) throws(NetconvError) in
      switch field.number {
      case ShapeField.dimension:
        guard shape.count < TensorSlice.rankLimit else {
          throw .tooManySliceAxes(TensorSlice.rankLimit)
        }
        var size = 0
        try field.inner("TensorShapeProto.Dim").forEachField { (field) throws(NetconvError) in
          if field.number == ShapeField.size { size = try field.integer() }
        }
        shape.append(size)
      case ShapeField.unknownRank:
        guard try !field.boolean() else { throw .unknownVariableShape }
      default: break
      }
    }
    guard shape.allSatisfy({ $0 >= 0 }) else { throw .unknownVariableShape }
    // A size of 0 hides what the others come to; places in the tensor are counted with them.
    guard try product(shape.map { max(1, $0) }) <= Int.max >> 4 else {
      throw .tooLargeVariable(shape)
    }
    return shape
  }
}
