import ModelIR

/// A layer before it is connected: a value that may be used for several nodes.
///
/// Nothing is checked before a model is built. A layer that is used several times under one name has the
/// same parameters each time.
public protocol NetworkLayer: Sendable {
  /// The name by which its parameters are asked for; `nil` where the model may choose one.
  var name: String? { get }
  /// What layers without a name are called: `pool` gives `pool_1`, `pool_2`, ….
  var kind: String { get }
  /// What it computes.
  var operation: any Operator { get }
  /// Optional parameters of the operator that it does without.
  var omittedParameters: Set<ParameterRole> { get }
  /// Whether an input of several axes is flattened first.
  var flattensInput: Bool { get }
  /// What it reads behind the nodes that it is connected to: masks and states.
  var furtherInputs: [any NodeSource] { get }
  /// How many channels an input of unknown depth is taken to have; `nil` if its depth stays unknown.
  var assumedChannels: Int? { get }

  /// Checks what the operator cannot know.
  ///
  /// - Throws: `badData` if the inputs do not fit.
  func check(_ inputs: [Shape]) throws(NetconvError)
}

extension NetworkLayer {
  /// None.
  public var omittedParameters: Set<ParameterRole> { [] }
  /// No.
  public var flattensInput: Bool { false }
  /// Nothing.
  public var furtherInputs: [any NodeSource] { [] }
  /// None.
  public var assumedChannels: Int? { nil }

  /// Everything fits.
  public func check(_ inputs: [Shape]) throws(NetconvError) {}

  /// The node that this layer makes of several others.
  ///
  /// - Parameters:
  ///   - nodes: as many as the operator takes, but for ``furtherInputs``, which follow them.
  ///   - use: what this use of the layer is called, where it is not the first; its parameters are asked for by
  ///     the name of the layer.
  public func applied(to nodes: [any NodeSource], as use: String? = nil) -> Node {
    Node(vertex: Vertex(self, (nodes + furtherInputs).map(\.node.vertex), as: use))
  }
}

precedencegroup ConnectionPrecedence {
  associativity: left
  higherThan: AdditionPrecedence
}

infix operator --> : ConnectionPrecedence

/// The node that `layer` makes of `source`.
public func --> (source: some NodeSource, layer: some NetworkLayer) -> Node {
  layer.applied(to: [source])
}
