/// A graph of layers as a page draws it: several views of the same nodes, each laid out.
///
/// The first view has one node for each nested model; each of these has a view of its own. The last one has every
/// layer, if that is not what the first has.
public struct PageGraph: Sendable, Encodable {
  /// Something that has a place in the graph.
  public struct Node: Sendable, Encodable, Equatable {
    /// Unique.
    public let name: String
    /// What it computes.
    public let type: String
    /// The shape of what it gives, for people.
    public let shape: String
    /// Which of two models has it: `a` or `b`; `nil` if both do, or if there is one.
    public let side: String?

    /// A node.
    public init(name: String, type: String, shape: String, side: String? = nil) {
      self.name = name
      self.type = type
      self.shape = shape
      self.side = side
    }
  }

  /// A connection of two nodes, by their indices.
  public struct Edge: Sendable, Hashable {
    /// What gives.
    public let from: Int
    /// What takes.
    public let to: Int

    /// A connection.
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
    /// What it is called; the name of the nested model, or nothing.
    public let title: String
    /// The view that this one is a part of; `nil` for that of the whole.
    public let parent: Int?
    /// What is drawn.
    public internal(set) var items: [Item]
    /// The ends of each line: indices of items.
    public let edges: [[Int]]
    /// The corners of each line, x and y in turn.
    public let lines: [[Double]]
    /// How wide it is.
    public let width: Double
    /// How high it is.
    public let height: Double
  }

  /// Something that is drawn: a node, or a nested model.
  public struct Item: Sendable, Encodable {
    /// The node; `nil` for a nested model.
    public let node: Int?
    /// The view of the nested model; `nil` for a node.
    public internal(set) var view: Int?
    /// What it is called.
    public let name: String
    /// How many nodes are in it.
    public let count: Int
    /// Whether it stands for something outside of the view.
    public let isOutside: Bool
    /// Left edge, top edge, width, height.
    public let box: [Double]
  }
}
