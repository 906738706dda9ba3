import ModelIR

/// A call of a layer as it becomes a layer of the model, or a change of order between two calls.
struct KerasStep {
  /// The layer's name in the model.
  let name: String
  /// What it computes.
  let operation: any Operator
  /// The steps or inputs that it reads.
  let inputs: [String]
  /// The call; `nil` if the step only changes the order of values.
  let node: KerasArchitecture.Node?
  /// Names of the outputs behind the first.
  var furtherOutputs: [String] = []
  /// How stored parameters lie, where it is not in the order in which the operator reads them.
  var layouts: [ParameterRole: Layout] = [:]
}
