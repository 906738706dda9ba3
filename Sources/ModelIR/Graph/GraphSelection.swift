/// Which part of a graph is the model.
public struct GraphSelection: Sendable, Equatable {
  /// The nodes that are fed; by default those that the file names, or the placeholders.
  public var inputs: [String]
  /// The nodes, or the outputs of a signature, that are asked for; by default those that the file names, or those that
  /// nothing reads.
  public var outputs: [String]

  /// The nodes of a graph; none leaves the choice to the file.
  public init(inputs: [String] = [], outputs: [String] = []) {
    self.inputs = inputs
    self.outputs = outputs
  }

  /// Whether the choice is left to the file.
  public var isEmpty: Bool { inputs.isEmpty && outputs.isEmpty }
}
