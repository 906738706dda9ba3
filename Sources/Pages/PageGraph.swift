/// A graph of layers for a page: several views of the same nodes, each with its layout.
///
/// The first view has one node for each nested model, which has a view of its own. The last view
/// shows all layers, unless the first already does.
public struct PageGraph: Sendable, Encodable {
  /// A node of the graph.
  public struct Node: Sendable, Encodable, Equatable {
    /// The unique name.
    public let name: String
    /// The name of the operator.
    public let type: String
    /// The shape of the output, as text.
    public let shape: String
    /// The model with the node, `a` or `b`; `nil` for both, or for a single model.
    public let side: String?

    /// Creates a node.
    public init(name: String, type: String, shape: String, side: String? = nil) {
      self.name = name
      self.type = type
      self.shape = shape
      self.side = side
    }
  }

  /// A connection of two nodes by their indices.
  public struct Edge: Sendable, Hashable {
    /// The index of the source.
    public let from: Int
    /// The index of the destination.
    public let to: Int

    /// Creates a connection.
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// All nodes.
  public let nodes: [Node]
  /// The drawings.
  public let views: [View]

  /// A drawing.
  public struct View: Sendable, Encodable {
    /// The name of the nested model; empty for the whole model.
    public let title: String
    /// The index of the enclosing view; `nil` for the whole model.
    public let parent: Int?
    /// The items of the drawing.
    public internal(set) var items: [Item]
    /// The ends of each line, as indices of items.
    public let edges: [[Int]]
    /// The points of each line, x and y alternating.
    public let lines: [[Double]]
    /// The width.
    public let width: Double
    /// The height.
    public let height: Double
  }

  /// An item of a drawing: a node or a nested model.
  public struct Item: Sendable, Encodable {
    /// The index of the node; `nil` for a nested model.
    public let node: Int?
    /// The index of the nested model's view; `nil` for a node.
    public internal(set) var view: Int?
    /// The displayed name.
    public let name: String
    /// The number of nodes in the item.
    public let count: Int
    /// True if the item is outside the view's part of the graph.
    public let isOutside: Bool
    /// The left edge, top edge, width and height.
    public let box: [Double]
  }
}
