import Documents
import ModelIR
import Operators

extension Model {
  /// Creates the model of a document.
  ///
  /// - Parameters:
  ///   - document: `model.json`, or the model of a manifest.
  ///   - isAlone: True if all weights are in the file that the user named, so that messages need not repeat its name.
  ///   - source: Returns the values of a parameter.
  /// - Throws: `badData` with every unknown operator, or with the error in the graph.
  package init(
    _ document: ModelDocument, isAlone: Bool = false,
    source: (ParameterDocument) throws(NetconvError) -> any TensorSource
  ) throws(NetconvError) {
    let layers = try Self.definitions(of: document) { layer throws(NetconvError) in
      try Self.parameters(of: layer, isAlone: isAlone, source)
    }
    try Self.checkSharing(document)
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

  /// Returns the layers of a document.
  ///
  /// - Throws: `badData` with every unknown operator, or the error of `parameters`.
  static func definitions(
    of document: ModelDocument,
    parameters: (LayerDocument) throws(NetconvError) -> [ParameterRole: StoredTensor]
  ) throws(NetconvError) -> [LayerDefinition] {
    var unknown: [String] = []
    var layers: [LayerDefinition] = []
    for (index, layer) in document.layers.enumerated() {
      switch layer.operation {
      case .unknown(let name):
        unknown.append(
          "layers[\(index)] \(quoted(layer.name)): \(quoted(name))"
            + didYouMean(name, among: OperatorRegistry.all.map { $0.name }))
      case .known(let operation):
        do throws(NetconvError) {
          guard layer.outputs?.first ?? layer.name == layer.name else {
            throw .firstOutput(layer.outputs ?? [])
          }
          layers.append(
            LayerDefinition(
              name: layer.name, operation: operation, inputs: layer.inputs,
              furtherOutputs: layer.outputs.map { Array($0.dropFirst()) },
              parameters: try parameters(layer),
              parameterOwner: layer.sharesParametersOf,
              origin: layer.className.map { LayerOrigin(className: $0) }))
        } catch {
          throw error.inLayer(layer.name)
        }
      }
    }
    guard unknown.isEmpty else { throw .unknownOperators(unknown) }
    return layers
  }

  /// Checks that layers with shared parameters name the same values, since only one copy is read.
  private static func checkSharing(_ document: ModelDocument) throws(NetconvError) {
    var known: [[String]: ParameterDocument] = [:]
    for layer in document.layers where layer.sharesParametersOf == nil {
      for parameter in layer.parameters { known[[layer.name, parameter.role]] = parameter }
    }
    for layer in document.layers {
      guard let owner = layer.sharesParametersOf else { continue }
      for parameter in layer.parameters {
        let expected = known[[owner, parameter.role], default: parameter]
        guard parameter == expected else {
          throw NetconvError.differentSharedParameter(
            parameter.path, owner: owner, expected: expected.path
          ).inTensor(parameter.role).inLayer(layer.name)
        }
        known[[owner, parameter.role]] = parameter
      }
    }
  }

  private static func parameters(
    of layer: LayerDocument, isAlone: Bool,
    _ source: (ParameterDocument) throws(NetconvError) -> any TensorSource
  ) throws(NetconvError) -> [ParameterRole: StoredTensor] {
    var parameters: [ParameterRole: StoredTensor] = [:]
    for parameter in layer.parameters {
      do throws(NetconvError) {
        guard let layout = Layout(parameter.layout) else {
          throw .unknownLayout(parameter.layout)
        }
        let stored = StoredTensor(
          source: try source(parameter), layout: layout,
          reversed: try parameter.reversedAxes(layout), shape: parameter.shape,
          path: isAlone ? parameter.tensor ?? parameter.path : parameter.path)
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

extension ParameterDocument {
  /// The axes along which the values are stored in reverse order.
  ///
  /// - Throws: `badData` if `layout` lacks one of them.
  func reversedAxes(_ layout: Layout) throws(NetconvError) -> Set<Axis> {
    var axes: Set<Axis> = []
    for name in reversed ?? [] {
      guard let axis = layout.axes.first(where: { $0.description == name }) else {
        throw .unknownReversedAxis(name, layout: layout)
      }
      axes.insert(axis)
    }
    return axes
  }
}

extension NetconvError {
  fileprivate static func unknownOperators(_ list: [String]) -> NetconvError {
    NetconvError(
      .badData, list.count == 1 ? "1 unknown operator" : "\(list.count) unknown operators",
      details: list)
  }

  fileprivate static func wrongOutputShape(_ stated: Shape, expected: Shape) -> NetconvError {
    NetconvError(
      .badData, "outputShape is \(stated), but the layer returns \(expected); correct or remove it")
  }

  fileprivate static func firstOutput(_ outputs: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "the outputs begin with \(outputs.first.map { quoted($0) } ?? "none"), expected the name of the layer"
    )
  }

  fileprivate static func repeatedRole(_ role: String) -> NetconvError {
    NetconvError(.badData, "the role \(quoted(role)) occurs twice")
  }

  fileprivate static func differentSharedParameter(
    _ file: String, owner: String, expected: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "names the file \(quoted(file)), but sharesParametersOf says that it is that of "
        + "\(quoted(owner)), \(quoted(expected)); name the same file, or remove sharesParametersOf"
    )
  }
}
