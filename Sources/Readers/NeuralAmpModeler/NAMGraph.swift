import ModelIR
import Operators

/// A graph with a single input signal, built layer by layer.
struct NAMGraph {
  /// The name of the input.
  let input = "input"
  /// The number of input channels.
  let inputChannels: Int
  /// The prefix of the names of subsequent layers.
  var prefix = ""
  private var layers: [LayerDefinition] = []

  /// Creates a graph without layers.
  init(inputChannels: Int) { self.inputChannels = inputChannels }

  /// Adds a layer, and returns its name, which starts with the prefix.
  mutating func add(
    _ name: String, _ operation: any Operator, _ inputs: [String],
    _ parameters: [ParameterRole: StoredTensor] = [:]
  ) -> String {
    let name = prefix + name
    layers.append(
      LayerDefinition(name: name, operation: operation, inputs: inputs, parameters: parameters))
    return name
  }

  /// Removes the first `count` steps of `value`.
  mutating func crop(_ name: String, _ value: String, _ count: Int) -> String {
    count == 0 ? value : add(name, Cropping1D(before: count, after: 0), [value])
  }

  /// Returns a single vector from the input, for layers whose output does not depend on its values.
  mutating func pooledInput() -> String {
    let name = "initial"
    guard !layers.contains(where: { $0.name == name }) else { return name }
    let kept = prefix
    prefix = ""
    defer { prefix = kept }
    return add(name, GlobalMaxPooling1D(), [input])
  }

  /// Returns the model with the output `output`.
  func model(name: String, output: String) throws(NetconvError) -> Model {
    try Model(
      name: name, inputs: [ModelInput(name: input, shape: Shape([nil, inputChannels]))],
      layers: layers, outputs: [output])
  }
}
