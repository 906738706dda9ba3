import ModelIR
import Operators

/// Where the weights of a Keras layer are found; differs from file format to file format.
protocol KerasWeightSource {
  /// The weights that the file holds for a layer, by the last part of their name.
  ///
  /// - Parameters:
  ///   - path: the models that the layer lies in, outermost first, and the layer itself.
  ///   - expected: the weights that the layer must have, for formats that number them.
  /// - Throws: `badData` if the file's own index is damaged.
  func weights(
    of path: [String], expected: [KerasWeight]
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)]
}

extension Model {
  /// The model of an architecture with the weights of a file.
  ///
  /// - Throws: `badData` with every layer that cannot be mapped, or every weight that does not fit.
  init(
    _ architecture: KerasArchitecture, weights: some KerasWeightSource
  ) throws(NetconvError) {
    let mapped = try KerasMappedLayers(architecture)
    var definitions: [LayerDefinition] = []
    var problems: [NetconvError] = []
    for node in architecture.nodes {
      do throws(NetconvError) {
        definitions.append(
          LayerDefinition(
            name: node.name, operation: mapped.operation(of: node), inputs: node.inputs,
            parameters: try mapped.parameters(of: node, weights),
            parameterOwner: node.owner,
            origin: LayerOrigin(className: node.layer.className)))
      } catch {
        problems.append(error.inLayer(node.owner))
      }
    }
    if problems.count == 1 { throw problems[0] }
    guard problems.isEmpty else { throw .weightProblems(problems) }
    do {
      try self.init(
        name: architecture.name, inputs: architecture.inputs, layers: definitions,
        outputs: architecture.outputs)
    } catch {
      // Weights that do not fit are the other file's; a graph that cannot be is the architecture's.
      throw error.tensor == nil ? error.inFile(architecture.file) : error
    }
  }
}

/// The layers of an architecture, each with its operator.
private struct KerasMappedLayers {
  private struct Mapped {
    let operation: any Operator
    let weights: [KerasWeight]
  }

  private var layers: [String: Mapped] = [:]

  /// - Throws: `badData` listing every layer that cannot be mapped, with name, class and place.
  init(_ architecture: KerasArchitecture) throws(NetconvError) {
    var unsupported: [String] = []
    var seen: Set<String> = []
    for node in architecture.nodes where seen.insert(node.owner).inserted {
      var layer = node.layer
      layer.kerasVersion = architecture.kerasVersion
      let place =
        "\(quoted(node.owner)) (\(quoted(layer.className).dropFirst().dropLast())), \(node.place)"
      guard let mapping = KerasLayers.mapping(of: layer.className) else {
        unsupported.append(place)
        continue
      }
      do throws(NetconvError) {
        layers[node.owner] = Mapped(
          operation: try mapping.operation(of: layer), weights: try mapping.weights(of: layer))
      } catch {
        unsupported.append("\(place): \(error.message)")
      }
    }
    guard unsupported.isEmpty else {
      throw NetconvError.unsupportedLayers(unsupported).inFile(architecture.file)
    }
  }

  func operation(of node: KerasArchitecture.Node) -> any Operator {
    layers[node.owner]?.operation ?? Identity()
  }

  func parameters(
    of node: KerasArchitecture.Node, _ source: some KerasWeightSource
  ) throws(NetconvError) -> [ParameterRole: StoredTensor] {
    let expected = layers[node.owner]?.weights ?? []
    let found = try source.weights(of: node.path, expected: expected)
    let foundNames = found.map(\.name)
    var parameters: [ParameterRole: StoredTensor] = [:]
    for weight in expected {
      guard let stored = found.first(where: weight.isCalled)?.stored else {
        throw .missingWeight(weight.name, found: foundNames)
      }
      if let role = weight.role { parameters[role] = stored.asVector }
    }
    let expectedNames = expected.map(\.name)
    let extra = found.first { found in !expected.contains { $0.isCalled(found) } }
    if let extra = extra?.name {
      throw .extraWeight(extra, expected: expectedNames)
    }
    guard Set(foundNames).count == foundNames.count else {
      throw .repeatedWeight(foundNames)
    }
    return parameters
  }
}

extension KerasWeight {
  fileprivate func isCalled(_ found: (name: String, stored: StoredTensor)) -> Bool {
    found.name == name || otherNames.contains(found.name)
  }
}

extension StoredTensor {
  /// A single number, which Keras gives no axes, as a vector of one.
  fileprivate var asVector: StoredTensor {
    guard shape == [] else { return self }
    return StoredTensor(source: source, layout: layout, shape: [1], path: path)
  }
}
