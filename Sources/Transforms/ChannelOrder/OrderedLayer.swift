import ModelIR

/// A layer of a graph whose source is partly channels first; input of ``ChannelsLast``.
public struct OrderedLayer: Sendable {
  /// The way a layer interprets the axes of its inputs.
  public enum Axes: Sendable {
    /// The first axis of an image contains its channels; the operator of the definition is the channels-last version.
    case channelsFirst
    /// The axes are those that the definition's operator counts.
    ///
    /// - Parameter moved: returns the equivalent operator for an array whose first axis has become the last, by the
    ///   number of axes; `nil` if the layer requires its input as in the source.
    case counted(moved: @Sendable (Int) -> (any Operator)?)
  }

  /// The layer as in the source.
  ///
  /// Layers with the same `parameterOwner` share their parameters.
  public let definition: LayerDefinition
  /// The interpretation of axes.
  public let axes: Axes

  /// Creates a layer of a graph.
  public init(_ definition: LayerDefinition, _ axes: Axes) {
    self.definition = definition
    self.axes = axes
  }
}

/// A layer of a graph that is channels last throughout.
public struct ReorderedLayer: Sendable {
  /// The layer; its name and the names of its inputs may be new.
  public internal(set) var definition: LayerDefinition
  /// The corresponding layer of the source; `nil` for an inserted conversion.
  public let source: String?
  /// The layouts of parameters that are stored in the order of the source but read in another order.
  public let layouts: [ParameterRole: Layout]
}
