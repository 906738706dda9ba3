import ModelIR
import Operators

/// A source of the weights of Keras layers; one for each file format.
protocol KerasWeightSource {
  /// True if the weights are for Theano, which rotates convolution kernels.
  var isOfTheano: Bool { get }

  /// True if LoRA weights are stored separately from the kernels that they adapt.
  var holdsLoRA: Bool { get }

  /// Returns the stored weights of a layer with the last component of their names.
  ///
  /// - Parameters:
  ///   - place: The layer that owns the weights.
  ///   - expected: The weights that the layer must have, for formats that number them.
  ///   - opaqueType: The element type of values for which the file only states a size.
  /// - Throws: `badData` if the index of the file is damaged.
  func weights(
    of place: KerasWeightPlace, expected: [KerasWeight], opaqueType: ElementType?
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)]

  /// Returns the names of all stored arrays of a layer and its nested layers.
  ///
  /// - Throws: `badData` if the index of the file is damaged.
  func arrays(below path: [String]) throws(NetconvError) -> [String]
}

/// The location of a layer's weights.
struct KerasWeightPlace: Sendable {
  /// The names of the enclosing models, outermost first, and of the layer itself.
  let path: [String]
  /// The name of the wrapped layer, if this layer is a wrapper with an effect in training only.
  let wrapped: String?
  /// The nested layers, down to the owner of the weights.
  let parts: [KerasPart]
  /// True if the weights belong to the layer's cell.
  let isRecurrent: Bool
}

/// The graph of an architecture with mapped layers, but without weights.
struct KerasGraph {
  let architecture: KerasArchitecture
  /// The layers with their operators.
  let layers: KerasMappedLayers
  /// The steps for the calls.
  let steps: [KerasStep]
  /// The names of the output steps.
  let outputs: [String]

  /// Maps every layer of `architecture` that is not replaced.
  ///
  /// - Throws: `badData` with every layer that cannot be mapped; `usage` if a replacement is invalid.
  init(
    _ architecture: KerasArchitecture, replacing replacements: LayerReplacements
  ) throws(NetconvError) {
    self.architecture = architecture
    layers = try KerasMappedLayers(architecture, replacing: replacements)
    let steps = try layers.steps(of: architecture)
    // An output that is also an input has no layer of its own.
    var names = UniqueNames(
      separator: ":", from: 1,
      besides: Set(
        architecture.inputs.map(\.name) + steps.flatMap { [$0.name] + $0.furtherOutputs }))
    var passed: [String: String] = [:]
    for input in architecture.inputs.map(\.name) where architecture.outputs.contains(input) {
      passed[input] = names.next(input + "/output")
    }
    self.steps =
      steps
      + passed.sorted { $0.key < $1.key }.map { input, name in
        KerasStep(name: name, operation: Identity(), inputs: [input], node: nil)
      }
    outputs = architecture.outputs.map { passed[$0] ?? $0 }
  }
}

extension KerasGraph {
  /// Returns the layers with the weights of a file.
  ///
  /// - Throws: `badData` with every weight that is missing or superfluous.
  func definitions(
    _ weights: any KerasWeightSource
  ) throws(NetconvError) -> [LayerDefinition] {
    var definitions: [LayerDefinition] = []
    var problems: [NetconvError] = []
    for step in steps {
      do throws(NetconvError) {
        let weights = try layers.weights(of: step, weights)
        definitions.append(
          LayerDefinition(
            name: step.name, operation: step.operation, inputs: step.inputs,
            furtherOutputs: step.furtherOutputs, parameters: weights.parameters,
            parameterOwner: step.node?.owner,
            origin: step.node.flatMap { node in
              node.operation == nil
                ? LayerOrigin(
                  className: node.layer.statedClass, trainingOnlyCount: weights.trainingOnlyCount)
                : nil
            }))
      } catch {
        problems.append(error.inLayer(step.node?.owner ?? step.name))
      }
    }
    if problems.count == 1 { throw problems[0] }
    guard problems.isEmpty else { throw .weightProblems(problems) }
    return definitions
  }

  /// Creates the model of `definitions`.
  ///
  /// - Throws: `badData`, which names the architecture's file if the layers do not fit together, or the tensor if a
  ///   weight does not fit its layer.
  func model(_ definitions: [LayerDefinition]) throws(NetconvError) -> Model {
    do {
      return try Model(
        name: architecture.name, inputs: architecture.inputs, layers: definitions,
        outputs: outputs)
    } catch {
      // An error about a weight belongs to the weights file; any other error to the architecture's file.
      throw error.tensor == nil ? error.inFile(architecture.file) : error
    }
  }
}

extension NetconvError {
  fileprivate static func weightProblems(_ problems: [NetconvError]) -> NetconvError {
    NetconvError(
      .badData, text: "the weights of \(problems.count) layers do not fit",
      list: problems.map(\.headline))
  }
}
