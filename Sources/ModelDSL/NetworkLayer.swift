import ModelIR

/// A layer that is not connected yet: a value that can be used for several nodes.
///
/// Nothing is checked before a model is built. A layer that is used several times under one name has the same
/// parameters each time.
public protocol NetworkLayer: Sendable {
  /// The name for looking up the parameters; `nil` to let the model choose one.
  var name: String? { get }
  /// The prefix of default names: `pool` for `pool_1`, `pool_2`, ….
  var kind: String { get }
  /// The operator that the layer applies.
  var operation: any Operator { get }
  /// Optional parameters of the operator that the layer omits.
  var omittedParameters: Set<ParameterRole> { get }
  /// True if an input of several axes is flattened first.
  var flattensInput: Bool { get }
  /// Inputs after the nodes that the layer is connected to: masks and states.
  var furtherInputs: [any NodeSource] { get }
  /// The number of channels assumed for an input of unknown depth; `nil` to leave it unknown.
  var assumedChannels: Int? { get }

  /// Performs checks that the operator cannot perform.
  ///
  /// - Throws: `badData` if the inputs do not fit.
  func check(_ inputs: [Shape]) throws(NetconvError)
}

extension NetworkLayer {
  /// No parameters.
  public var omittedParameters: Set<ParameterRole> { [] }
  /// False.
  public var flattensInput: Bool { false }
  /// No inputs.
  public var furtherInputs: [any NodeSource] { [] }
  /// No assumption.
  public var assumedChannels: Int? { nil }

  /// Does nothing.
  public func check(_ inputs: [Shape]) throws(NetconvError) {}

  /// Applies the layer to several nodes.
  ///
  /// - Parameters:
  ///   - nodes: the nodes, as many as the operator expects, without ``furtherInputs``, which follow them.
  ///   - use: the name of this use of the layer, if it is not the first; its parameters are looked up by the name of
  ///     the layer.
  public func applied(to nodes: [any NodeSource], as use: String? = nil) -> Node {
    Node(vertex: Vertex(self, (nodes + furtherInputs).map(\.node.vertex), as: use))
  }
}

precedencegroup ConnectionPrecedence {
  associativity: left
  higherThan: AdditionPrecedence
}

infix operator --> : ConnectionPrecedence

/// Applies `layer` to `source`.
public func --> (source: some NodeSource, layer: some NetworkLayer) -> Node {
  layer.applied(to: [source])
}
