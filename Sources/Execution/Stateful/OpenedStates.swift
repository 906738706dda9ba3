import ModelIR
import Operators

/// A model whose stateful layers have their states as inputs and outputs.
struct OpenedStates {
  /// A state that is carried from one sequence to another.
  struct Carried {
    /// The name of the input for the state.
    let input: String
    /// The name of the layer output with the final state.
    let output: String
    /// The shape without the batch axis.
    let shape: [Int]
    /// The batch size of the stateful layer.
    let batch: Int
  }

  /// The model without stateful layers.
  let model: Model
  /// All states.
  let states: [Carried]

  /// Converts the states of a model to inputs and outputs.
  ///
  /// - Returns: `nil` if no layer is stateful.
  /// - Throws: `badData` if the size of a state is unknown.
  init?(_ model: Model) throws(NetconvError) {
    guard model.layers.contains(where: \.isStateful) else { return nil }
    var inputs = model.inputs
    var definitions: [LayerDefinition] = []
    var states: [Carried] = []
    for (layer, definition) in zip(model.layers, model.definitions) {
      guard var operation = layer.operation as? any SteppingOperator,
        let batch = operation.recurrence.statefulBatch
      else {
        definitions.append(definition)
        continue
      }
      let shape = try Self.stateShape(of: operation, in: layer)
      // No file contains such names.
      let names = (1...type(of: operation).stateCount).map { "\(layer.name)\0\($0)" }
      var opened = definition
      opened.inputs += names
      if !operation.recurrence.givesStates { opened.furtherOutputs = names.map { $0 + "\0left" } }
      operation.recurrence.statefulBatch = nil
      operation.recurrence.takesState = true
      operation.recurrence.givesStates = true
      opened.operation = operation
      definitions.append(opened)
      for (name, output) in zip(names, opened.outputs.dropFirst()) {
        inputs.append(ModelInput(name: name, shape: Shape(shape)))
        states.append(Carried(input: name, output: output, shape: shape, batch: batch))
      }
    }
    self.states = states
    self.model = try Model(
      name: model.name, inputs: inputs, layers: definitions, outputs: model.outputs)
  }

  private static func stateShape(
    of operation: any SteppingOperator, in layer: Layer
  ) throws(NetconvError) -> [Int] {
    let shape = try operation.computing(output: 1).outputShape(for: layer.inputShapes)
    guard let known = shape.known else { throw NetconvError.openState(shape).inLayer(layer.name) }
    return known
  }
}

extension Layer {
  /// True if the layer continues from the state of an earlier sequence, so that its output depends on earlier samples.
  package var isStateful: Bool {
    (operation as? any SteppingOperator)?.recurrence.statefulBatch != nil
  }
}

extension Model {
  /// Returns the model with an initial state of zeros for each sequence.
  package func withFreshStates() throws(NetconvError) -> Model {
    guard layers.contains(where: \.isStateful) else { return self }
    return try mapLayers { layer throws(NetconvError) in
      guard var operation = layer.operation as? any SteppingOperator else {
        return (layer.operation, layer.parameters)
      }
      operation.recurrence.statefulBatch = nil
      return (operation, layer.parameters)
    }
  }

  /// Checks that an engine without states between runs can run the model.
  ///
  /// - Throws: `usage` naming the first stateful layer.
  func requireFreshStates() throws(NetconvError) {
    guard let layer = layers.first(where: \.isStateful) else { return }
    throw NetconvError.statefulLayer.inLayer(layer.name)
  }
}

extension NetconvError {
  fileprivate static let statefulLayer = NetconvError(
    .usage,
    "the layer continues another sequence, whose state this engine does not keep; "
      + "EngineKind.engine(for:) makes one that does")

  fileprivate static func openState(_ shape: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "the layer is stateful, and its state has the shape \(shape), which must be fully known")
  }
}
