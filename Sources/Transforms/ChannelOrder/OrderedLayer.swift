import ModelIR

/// A layer of a graph whose source has channels first somewhere, before ``ChannelsLast``.
public struct OrderedLayer: Sendable {
  /// How a layer takes the axes of what it reads.
  public enum Axes: Sendable {
    /// The first axis of an image has its channels. The definition's operator is the one for channels last.
    case channelsFirst
    /// As the definition's operator counts them.
    ///
    /// - Parameter moved: the operator that does the same to an array whose first axis has become the last, by the
    ///   number of axes; `nil` if the layer has to see its input as the source has it.
    case counted(moved: @Sendable (Int) -> (any Operator)?)
  }

  /// The layer as its source has it.
  ///
  /// Layers with the same `parameterOwner` share their parameters.
  public let definition: LayerDefinition
  /// How it takes axes.
  public let axes: Axes

  /// A layer of a graph.
  public init(_ definition: LayerDefinition, _ axes: Axes) {
    self.definition = definition
    self.axes = axes
  }
}

/// A layer of a graph that has channels last throughout.
public struct ReorderedLayer: Sendable {
  /// The layer; its name and its inputs' names may be new.
  public internal(set) var definition: LayerDefinition
  /// The layer of the source that it is; `nil` for a change of order between two.
  public let source: String?
  /// How parameters lie that are stored in the order of the source, where the operator reads them in another.
  public let layouts: [ParameterRole: Layout]
}
