/// Which part of a source is the model: of a graph of TensorFlow or ONNX, between nodes; of a PyTorch file, one of its networks; and
/// what its layers are called.
public struct GraphSelection: Sendable, Equatable {
  /// The nodes that are fed; by default those that the file names, or the placeholders.
  public var inputs: [String]
  /// The nodes, or the outputs of a signature, that are asked for; by default those that the file names, or those that
  /// nothing reads.
  public var outputs: [String]
  /// The network by its name, where a file of PyTorch holds several; `nil` for the only one.
  public var entry: String?
  /// New names for layers, by those that the source has.
  public var layerNames: [String: String]
  /// Whether quantised weights are left as the codes and scales that they are stored as.
  public var readsCodes: Bool

  /// A part of a source; what is not named is left to the file.
  public init(
    inputs: [String] = [], outputs: [String] = [], entry: String? = nil,
    layerNames: [String: String] = [:], readsCodes: Bool = false
  ) {
    self.inputs = inputs
    self.outputs = outputs
    self.entry = entry
    self.layerNames = layerNames
    self.readsCodes = readsCodes
  }

  /// Whether nodes of a graph are named.
  package var namesNodes: Bool { !inputs.isEmpty || !outputs.isEmpty }
}
