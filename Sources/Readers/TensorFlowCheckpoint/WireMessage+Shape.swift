import ModelIR
import ProtocolBuffers

extension WireMessage {
  /// Reads the sizes of a TensorShapeProto, all of which must be known.
  ///
  /// Source: tensorflow/core/framework/tensor_shape.proto.
  /// - Throws: `badData` if the message is invalid, a size is unknown, or the number of values overflows.
  func tensorShape() throws(NetconvError) -> [Int] {
    guard let shape = try GraphShape(self).countable() else { throw .unknownVariableShape }
    return shape
  }
}

extension NetconvError {
  fileprivate static var unknownVariableShape: NetconvError {
    NetconvError(
      .badData, "its shape is not known; a variable in a checkpoint has a size for each axis")
  }
}
