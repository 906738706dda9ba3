import ModelIR
import Operators

/// An operator that can be written as nodes of ONNX.
protocol ONNXForm: Operator {
  /// The operations that it becomes, for documentation.
  static var onnxOperations: String { get }

  /// Adds the nodes of a layer.
  ///
  /// - Parameters:
  ///   - x: what the layer reads.
  ///   - layer: its parameters, and what it gives.
  /// - Returns: the outputs of the operator, in their order.
  /// - Throws: `badData` if its attributes have no form.
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
  /// Whether what reads a flatten wants the channels in front.
  var flattensChannelsFirst = false

  /// The shape of the first output.
  var shape: Shape { outputShapes[0] }

  /// A parameter that has to be there.
  func required(_ role: ParameterRole) throws(NetconvError) -> Tensor {
    guard let tensor = parameters[role] else { throw .missingForONNX(role) }
    return tensor
  }
}

extension ONNXLayer {
  /// A layer of a model.
  init(_ layer: Layer, flattensChannelsFirst: Bool) {
    parameters = Dictionary(layer.parameters.map { ($0.spec.role, $0) }) { first, _ in first }
    outputShapes = layer.outputs.map(\.shape)
    self.flattensChannelsFirst = flattensChannelsFirst
  }

  /// A part that gives one value.
  init(_ shape: Shape, _ parameters: [ParameterRole: Tensor] = [:]) {
    self.parameters = parameters
    outputShapes = [shape]
  }
}
