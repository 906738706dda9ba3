import ModelIR
import Operators

/// A step that computes a layer of the model, with the neighbouring layers fused into it.
package struct LoweredLayer: Sendable {
  /// The operation, for which the parameters are loaded.
  package let operation: any Operator
  /// The layer that has the parameters of the operation.
  package let layer: Layer
  /// The layer's parameter roles by the operation's roles.
  package let roles: [ParameterRole: ParameterRole]
  /// The names of the input values, in order.
  package var inputs: [String]
  /// The name of the computed value.
  package var output: String
  /// The names of the layer's outputs after the first.
  package var furtherOutputs: [String] = []
  /// The fused operations.
  package var fusion = Fusion()
  /// The following normalisations and scales, folded into the parameters in this order.
  package var scales: [ChannelScale] = []

  /// Creates a step for the whole of `layer`.
  init(_ layer: Layer) {
    self.init(
      layer.operation, of: layer,
      roles: Dictionary(
        uniqueKeysWithValues: layer.parameters.map { ($0.spec.role, $0.spec.role) }),
      inputs: layer.inputs, output: layer.name)
    furtherOutputs = layer.outputs.dropFirst().map(\.name)
  }

  /// Creates a step for a part of `layer`.
  init(
    _ operation: any Operator, of layer: Layer, roles: [ParameterRole: ParameterRole],
    inputs: [String], output: String
  ) {
    self.operation = operation
    self.layer = layer
    self.roles = roles
    self.inputs = inputs
    self.output = output
  }

  /// Returns the shape of a value that is not an output of a layer in the model.
  package func shape(for inputs: [[Int]]) throws(NetconvError) -> [Int] {
    let input = Shape(inputs[0])
    let padded = try fusion.padding?.outputShape(for: [input]) ?? input
    let shape = try operation.outputShape(for: [padded])
    guard let sizes = shape.known else { throw .unknownLayerSize(shape) }
    _ = try MemoryBound.values(sizes, samples: 1, byteCount: MemoryLayout<Float>.size)
    return sizes
  }

  /// Returns the parameters by the operation's roles, in the layouts of their specs, with all scales folded in.
  ///
  /// - Throws: any error of the source of the values.
  package func loadParameters(
    _ precision: Precision
  ) throws(NetconvError) -> [ParameterRole: NDArray<Float>] {
    let loaded = try layer.loadParameters(Set(roles.values), precision)
    var parameters: [ParameterRole: NDArray<Float>] = [:]
    for (role, own) in roles { parameters[role] = loaded[own] }
    for scale in scales { scale.fold(into: &parameters) }
    return parameters
  }
}
