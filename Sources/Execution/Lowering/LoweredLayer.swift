import ModelIR
import Operators

/// One step of the fast engine: a layer of the model, with those of its neighbours that it can do on the way.
struct LoweredLayer: Sendable {
  /// What is computed, with what the parameters are loaded for.
  let operation: any Operator
  /// The layer whose parameters the operation has.
  let layer: Layer
  /// Which of the layer's parameters has which role of the operation.
  let roles: [ParameterRole: ParameterRole]
  /// Names of values, in order.
  var inputs: [String]
  /// The name of the value that it computes.
  var output: String
  /// Names of the layer's outputs behind the first.
  var furtherOutputs: [String] = []
  /// What is done besides.
  var fusion = Fusion()
  /// Normalisations and scales that follow; folded into the parameters in this order.
  var scales: [ChannelScale] = []

  /// A step that does just what `layer` does.
  init(_ layer: Layer) {
    self.init(
      layer.operation, of: layer,
      roles: Dictionary(
        uniqueKeysWithValues: layer.parameters.map { ($0.spec.role, $0.spec.role) }),
      inputs: layer.inputs, output: layer.name)
    furtherOutputs = layer.outputs.dropFirst().map(\.name)
  }

  /// A step that does a part of what `layer` does.
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

  /// The shape of a value that is not the output of a layer of the model.
  func shape(for inputs: [[Int]]) throws(NetconvError) -> [Int] {
    let input = Shape(inputs[0])
    let padded = try fusion.padding?.outputShape(for: [input]) ?? input
    let shape = try operation.outputShape(for: [padded])
    guard let sizes = shape.known else { throw .unknownLayerSize(shape) }
    _ = try MemoryBound.values(sizes, samples: 1, byteCount: MemoryLayout<Float>.size)
    return sizes
  }

  /// The parameters by the operation's roles, in the layouts of their specs, with all scales folded in.
  ///
  /// - Throws: what the source of the values throws.
  func loadParameters(
    _ precision: Precision
  ) throws(NetconvError) -> [ParameterRole: NDArray<Float>] {
    let loaded = try layer.loadParameters(Set(roles.values), precision)
    var parameters: [ParameterRole: NDArray<Float>] = [:]
    for (role, own) in roles { parameters[role] = loaded[own] }
    for scale in scales { scale.fold(into: &parameters) }
    return parameters
  }
}
