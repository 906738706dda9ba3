import ModelIR
import Operators

/// An operator that can be written as ONNX nodes.
protocol ONNXForm: Operator {
  /// The ONNX operations, for documentation.
  static var onnxOperations: String { get }

  /// Adds the nodes of a layer.
  ///
  /// - Parameters:
  ///   - x: the inputs of the layer.
  ///   - layer: the parameters and output shapes of the layer.
  /// - Returns: the outputs of the operator, in order.
  /// - Throws: `badData` if ONNX does not support its attributes.
  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue]
}

/// A layer, or a part of one, that is written.
struct ONNXLayer {
  /// The parameters by role.
  let parameters: [ParameterRole: Tensor]
  /// The shapes of the outputs.
  let outputShapes: [Shape]
  /// True if the readers of a flatten require the channels first.
  var flattensChannelsFirst = false

  /// The shape of the first output.
  var shape: Shape { outputShapes[0] }

  /// Returns a required parameter.
  func required(_ role: ParameterRole) throws(NetconvError) -> Tensor {
    guard let tensor = parameters[role] else { throw .missingForONNX(role) }
    return tensor
  }
}

extension ONNXLayer {
  /// Creates the record of a model's layer.
  init(_ layer: Layer, flattensChannelsFirst: Bool) {
    parameters = Dictionary(layer.parameters.map { ($0.spec.role, $0) }) { first, _ in first }
    outputShapes = layer.outputs.map(\.shape)
    self.flattensChannelsFirst = flattensChannelsFirst
  }

  /// Creates a part with one output.
  init(_ shape: Shape, _ parameters: [ParameterRole: Tensor] = [:]) {
    self.parameters = parameters
    outputShapes = [shape]
  }
}
