/// The part of a source to use as the model, and new names for its layers.
///
/// It is a subgraph of a TensorFlow or ONNX graph, or one network of a PyTorch file.
public struct GraphSelection: Sendable, Equatable {
  /// The input nodes; by default those that the file declares, or else the placeholders.
  public var inputs: [String]
  /// The output nodes, or outputs of a signature; by default those that the file declares, or else the nodes that no
  /// other node reads.
  public var outputs: [String]
  /// The name of the network in a PyTorch file that contains several; `nil` if there is only one.
  public var entry: String?
  /// New layer names, keyed by the names in the source.
  public var layerNames: [String: String]
  /// Substitutions in the names of layers, or of tensors that have names of their own, in order.
  public var substitutions: [NameSubstitution]
  /// True if quantised weights are left as stored: codes and scales.
  public var readsCodes: Bool

  /// Creates a selection; the file determines whatever is left out.
  public init(
    inputs: [String] = [], outputs: [String] = [], entry: String? = nil,
    layerNames: [String: String] = [:], substitutions: [NameSubstitution] = [],
    readsCodes: Bool = false
  ) {
    self.inputs = inputs
    self.outputs = outputs
    self.entry = entry
    self.layerNames = layerNames
    self.substitutions = substitutions
    self.readsCodes = readsCodes
  }

  /// True if the selection names graph nodes.
  package var namesNodes: Bool { !inputs.isEmpty || !outputs.isEmpty }
}
