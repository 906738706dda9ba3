import ModelIR
import Operators

/// Where the weights of a Keras layer are found; differs from file format to file format.
protocol KerasWeightSource {
  /// Whether Theano computed with the weights; it turns the kernels of convolutions.
  var isOfTheano: Bool { get }

  /// Whether the parts of low-rank adaptation stand beside the kernels that they are added to.
  var holdsLoRA: Bool { get }

  /// The weights that the file holds for a layer, by the last part of their name.
  ///
  /// - Parameters:
  ///   - place: whose they are.
  ///   - expected: the weights that the layer must have, for formats that number them.
  ///   - opaqueType: what values are of which the file says nothing but their size.
  /// - Throws: `badData` if the file's own index is damaged.
  func weights(
    of place: KerasWeightPlace, expected: [KerasWeight], opaqueType: ElementType?
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)]

  /// The names of all arrays that the file holds for a layer and for layers inside it.
  ///
  /// - Throws: `badData` if the file's own index is damaged.
  func arrays(below path: [String]) throws(NetconvError) -> [String]
}

/// Whose weights are asked for.
struct KerasWeightPlace: Sendable {
  /// The models that the layer lies in, outermost first, and the layer itself.
  let path: [String]
  /// The name of the layer in it, if it is a wrapper that only acts in training.
  let wrapped: String?
  /// The layers in it, down to the one with the weights.
  let parts: [KerasPart]
  /// Whether the weights are those of the layer's cell.
  let isRecurrent: Bool
}

/// The graph of an architecture, its layers mapped, without weights.
struct KerasGraph {
  /// Names and inputs.
  let architecture: KerasArchitecture
  /// The layers, each with its operator.
  let layers: KerasMappedLayers
  /// What the calls come to.
  let steps: [KerasStep]
  /// The names of the steps that the model gives.
  let outputs: [String]

  /// Maps every layer of `architecture` that is not replaced.
  ///
  /// - Throws: `badData` with every layer that cannot be mapped, `usage` if one cannot be replaced.
  init(
    _ architecture: KerasArchitecture, replacing replacements: LayerReplacements
  ) throws(NetconvError) {
    self.architecture = architecture
    layers = try KerasMappedLayers(architecture, replacing: replacements)
    let steps = try layers.steps(of: architecture)
    // An output that is an input has no layer that gives it.
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
  /// The layers with the weights of a file.
  ///
  /// - Throws: `badData` with every weight that is missing, or one too many.
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

  /// The model of `definitions`.
  ///
  /// - Throws: `badData` if the layers do not fit together, in the architecture's file, or their weights do not
  ///   fit them, in the tensor.
  func model(_ definitions: [LayerDefinition]) throws(NetconvError) -> Model {
    do {
      return try Model(
        name: architecture.name, inputs: architecture.inputs, layers: definitions,
        outputs: outputs)
    } catch {
      // Weights that do not fit are the other file's; a graph that cannot be is the architecture's.
      throw error.tensor == nil ? error.inFile(architecture.file) : error
    }
  }
}
