import ModelIR
import Synchronization

/// A value that flows through a network: what a layer makes of its inputs.
///
/// A node has no size yet; sizes are found when a model is built.
public struct Node: Sendable {
  let vertex: Vertex

  /// The name of its layer: what the model that was built from it last calls it.
  ///
  /// Outputs of a run have these names. Before the first model is built, a layer without a name has that
  /// of its kind.
  public var name: String { vertex.name }
}

/// Something that can be connected to a layer: a node, an input, a concatenation, a sum.
public protocol NodeSource: Sendable {
  /// The value.
  var node: Node { get }
}

extension Node: NodeSource {
  /// Itself.
  public var node: Node { self }
}

extension Input: NodeSource {
  /// The data as it enters.
  public var node: Node { Node(vertex: vertex) }
}

/// A place in the graph that nodes refer to.
final class Vertex: Sendable {
  enum Content: Sendable {
    case input(Entrance)
    case layer(any NetworkLayer, [Vertex])
  }

  let content: Content
  /// What the node is called, if anybody has said so.
  let givenName: String?
  /// Every input that it depends on, and where it stands among the connections of each.
  let places: [(entrance: Entrance, place: ConnectionPlace)]
  private let builtName: Mutex<String>

  /// The vertex of an input.
  init(_ entrance: Entrance) {
    content = .input(entrance)
    givenName = entrance.name
    places = [(entrance, ConnectionPlace(input: ObjectIdentifier(entrance), index: nil))]
    builtName = Mutex(entrance.name ?? "input")
  }

  /// The vertex of a layer, noted by every input that it depends on.
  init(_ layer: any NetworkLayer, _ inputs: [Vertex], as use: String? = nil) {
    givenName = use ?? layer.name
    content = .layer(layer, inputs)
    let connection = Connection(
      kind: layer.kind, operation: layer.operation, flattensInput: layer.flattensInput,
      name: givenName, reads: inputs.map(\.place))
    var seen: Set<ObjectIdentifier> = []
    var places: [(Entrance, ConnectionPlace)] = []
    for (entrance, place) in inputs.flatMap(\.places) where seen.insert(place.input).inserted {
      places.append(
        (entrance, ConnectionPlace(input: place.input, index: entrance.note(connection))))
    }
    self.places = places
    builtName = Mutex(givenName ?? layer.kind)
  }

  /// Where it stands among the connections of the first input that it depends on.
  var place: ConnectionPlace? { places.first?.place }

  /// What it reads.
  var inputs: [Vertex] {
    if case .layer(_, let inputs) = content { inputs } else { [] }
  }

  var name: String {
    get { builtName.withLock { $0 } }
    set { builtName.withLock { $0 = newValue } }
  }
}
