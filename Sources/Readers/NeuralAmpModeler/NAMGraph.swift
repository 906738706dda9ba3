import ModelIR
import Operators

/// A graph over one signal that grows layer by layer.
struct NAMGraph {
  /// The name of the input.
  let input = "input"
  /// The channels of the input.
  let inputChannels: Int
  /// What the names of layers begin with that are added next.
  var prefix = ""
  private var layers: [LayerDefinition] = []

  /// No layers yet.
  init(inputChannels: Int) { self.inputChannels = inputChannels }

  /// Adds a layer, and gives its name, which begins with the prefix.
  mutating func add(
    _ name: String, _ operation: any Operator, _ inputs: [String],
    _ parameters: [ParameterRole: StoredTensor] = [:]
  ) -> String {
    let name = prefix + name
    layers.append(
      LayerDefinition(name: name, operation: operation, inputs: inputs, parameters: parameters))
    return name
  }

  /// `value` without its first `count` steps.
  mutating func crop(_ name: String, _ value: String, _ count: Int) -> String {
    count == 0 ? value : add(name, Cropping1D(before: count, after: 0), [value])
  }

  /// One vector of the whole input, for layers whose output does not depend on it.
  mutating func pooledInput() -> String {
    let name = "initial"
    guard !layers.contains(where: { $0.name == name }) else { return name }
    let kept = prefix
    prefix = ""
    defer { prefix = kept }
    return add(name, GlobalMaxPooling1D(), [input])
  }

  /// The model that gives `output`.
  func model(name: String, output: String) throws(NetconvError) -> Model {
    try Model(
      name: name, inputs: [ModelInput(name: input, shape: Shape([nil, inputChannels]))],
      layers: layers, outputs: [output])
  }
}
