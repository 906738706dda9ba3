import Documents
import ModelIR

extension Model {
  /// The model that a document describes.
  ///
  /// - Parameters:
  ///   - document: `model.json`, or the model of a manifest.
  ///   - source: where the values of a parameter are.
  /// - Throws: `badData` with every unknown operator, or whatever is wrong with the graph.
  init(
    _ document: ModelDocument,
    source: (ParameterDocument) throws(NetconvError) -> any TensorSource
  ) throws(NetconvError) {
    var unknown: [String] = []
    var layers: [LayerDefinition] = []
    for (index, layer) in document.layers.enumerated() {
      switch layer.operation {
      case .unknown(let name):
        unknown.append("layers[\(index)] \(quoted(layer.name)): \(quoted(name))")
      case .known(let operation):
        do {
          layers.append(
            LayerDefinition(
              name: layer.name, operation: operation, inputs: layer.inputs,
              parameters: try Self.parameters(of: layer, source),
              parameterOwner: layer.sharesParametersOf,
              origin: layer.className.map(LayerOrigin.init)))
        } catch {
          throw error.inLayer(layer.name)
        }
      }
    }
    guard unknown.isEmpty else { throw .unknownOperators(unknown) }
    try self.init(
      name: document.name, inputs: document.inputs.map(\.input), layers: layers,
      outputs: document.outputs)
    for layer in document.layers {
      guard let stated = layer.outputShape, let found = self.layer(named: layer.name) else {
        continue
      }
      guard Shape(stated).isCompatible(with: found.outputShape) else {
        throw NetconvError.wrongOutputShape(Shape(stated), expected: found.outputShape)
          .inLayer(layer.name)
      }
    }
  }

  private static func parameters(
    of layer: LayerDocument,
    _ source: (ParameterDocument) throws(NetconvError) -> any TensorSource
  ) throws(NetconvError) -> [ParameterRole: StoredTensor] {
    var parameters: [ParameterRole: StoredTensor] = [:]
    for parameter in layer.parameters {
      do throws(NetconvError) {
        guard let layout = Layout(parameter.layout) else {
          throw .unknownLayout(parameter.layout)
        }
        let stored = StoredTensor(
          source: try source(parameter), layout: layout, shape: parameter.shape,
          path: parameter.file)
        let role = ParameterRole(rawValue: parameter.role)
        guard parameters.updateValue(stored, forKey: role) == nil else {
          throw .repeatedRole(parameter.role)
        }
      } catch {
        throw error.inTensor(parameter.role)
      }
    }
    return parameters
  }
}
