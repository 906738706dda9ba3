import ModelIR
import Synchronization

/// A value in a network: the output of a layer.
///
/// A node has no size yet; sizes are inferred when a model is built.
public struct Node: Sendable {
  let vertex: Vertex

  /// The name of its layer in the last model that was built from it.
  ///
  /// Outputs of a run have these names. Before the first model is built, a layer without a name has the name of its
  /// kind.
  public var name: String { vertex.name }
}

/// A type that can be connected to a layer: a node, an input, a concatenation, a sum.
public protocol NodeSource: Sendable {
  /// The node.
  var node: Node { get }
}

extension Node: NodeSource {
  /// The node itself.
  public var node: Node { self }
}

extension Input: NodeSource {
  /// The node of the input's values.
  public var node: Node { Node(vertex: vertex) }
}

/// A vertex of the graph that nodes refer to.
final class Vertex: Sendable {
  enum Content: Sendable {
    case input(Entrance)
    case layer(any NetworkLayer, [Vertex])
  }

  let content: Content
  /// The name, if one was given.
  let givenName: String?
  /// The inputs that the vertex depends on, with its index among the connections of each.
  let places: [(entrance: Entrance, place: ConnectionPlace)]
  private let builtName: Mutex<String>

  /// Creates the vertex of an input.
  init(_ entrance: Entrance) {
    content = .input(entrance)
    givenName = entrance.name
    places = [(entrance, ConnectionPlace(input: ObjectIdentifier(entrance), index: nil))]
    builtName = Mutex(entrance.name ?? "input")
  }

  /// Creates the vertex of a layer, and records it in every input that it depends on.
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

  /// The index among the connections of the first input that the vertex depends on.
  var place: ConnectionPlace? { places.first?.place }

  /// The vertices that the layer reads.
  var inputs: [Vertex] {
    if case .layer(_, let inputs) = content { inputs } else { [] }
  }

  var name: String {
    get { builtName.withLock { $0 } }
    set { builtName.withLock { $0 = newValue } }
  }
}
