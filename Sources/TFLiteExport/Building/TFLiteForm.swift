import ModelIR
import Operators

/// An operator that can be written as builtin operators of TensorFlow Lite.
protocol TFLiteForm: Operator {
  /// The builtin operators, for documentation.
  static var tfliteOperations: String { get }

  /// Adds the nodes of a layer.
  ///
  /// - Parameters:
  ///   - x: the inputs of the layer.
  ///   - layer: the parameters and output shapes of the layer.
  /// - Returns: the outputs of the operator, in order.
  /// - Throws: `badData` if TensorFlow Lite does not support its attributes.
  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue]
}

/// A layer, or a part of one, that is written.
struct TFLiteLayer {
  /// The parameters by role.
  let parameters: [ParameterRole: Tensor]
  /// The shapes of the outputs.
  let outputShapes: [Shape]

  /// The shape of the first output.
  var shape: Shape { outputShapes[0] }

  /// Returns a required parameter.
  func required(_ role: ParameterRole) throws(NetconvError) -> Tensor {
    guard let tensor = parameters[role] else { throw .missingForTFLite(role) }
    return tensor
  }
}

extension TFLiteLayer {
  /// Creates the record of a model's layer.
  init(_ layer: Layer) {
    self.init(
      parameters: Dictionary(layer.parameters.map { ($0.spec.role, $0) }) { first, _ in first },
      outputShapes: layer.outputs.map(\.shape))
  }

  /// Creates a part with one output.
  init(_ shape: Shape, _ parameters: [ParameterRole: Tensor] = [:]) {
    self.init(parameters: parameters, outputShapes: [shape])
  }
}

/// A value of the graph: an activation with its batch, a parameter or a constant.
struct TFLiteValue {
  /// The name in the graph.
  let name: String
  /// The sizes of all axes, including the batch.
  let sizes: [TFLiteSize]
  /// The element type.
  var type = TFLiteNumber.float32

  /// The number of axes of a sample.
  var rank: Int { sizes.count - 1 }

  /// The shape of a sample.
  var shape: Shape { Shape(sizes.dropFirst().map(\.known)) }

  /// True for a single sample regardless of the batch size.
  var isConstant: Bool { sizes.first == .fixed(1) }

  /// The sizes of a sample, all of which must be known.
  func known() throws(NetconvError) -> [Int] {
    guard let known = shape.known else { throw .openSizeForTFLite }
    return known
  }
}
