import ModelIR
import ProtocolBuffers

extension WireMessage {
  /// The sizes of a TensorShapeProto, all of which must be known.
  ///
  /// Source: tensorflow/core/framework/tensor_shape.proto.
  /// - Throws: `badData` if the message is none, a size is not known, or the values could not be counted.
  func tensorShape() throws(NetconvError) -> [Int] {
    guard let shape = try GraphShape(self).countable() else { throw .unknownVariableShape }
    return shape
  }
}
