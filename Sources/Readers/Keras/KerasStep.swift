import ModelIR

/// A layer of the model that results from a call, or a rearrangement between two calls.
struct KerasStep {
  /// The name of the layer in the model.
  let name: String
  /// The operator.
  let operation: any Operator
  /// The steps or inputs that it reads.
  let inputs: [String]
  /// The call; `nil` if the step only rearranges values.
  let node: KerasArchitecture.Node?
  /// The names of the second and further outputs.
  var furtherOutputs: [String] = []
  /// The layouts of stored parameters that differ from the operator's.
  var layouts: [ParameterRole: Layout] = [:]
}
