import ModelIR
import Synchronization

/// An input of a model.
///
/// An input records the nodes connected to it, so that a node that no output depends on is detected when the model is
/// built.
public struct Input: Sendable {
  let vertex: Vertex

  /// Creates an image input; omitted sizes are unknown until the model runs.
  ///
  /// - Parameters:
  ///   - width: the number of columns.
  ///   - height: the number of rows.
  ///   - channels: the number of values per pixel.
  ///   - name: the name; by default `input`, or `input_1`, `input_2`, … if there are several.
  ///   - scale: the factor that callers should multiply pixels by.
  ///   - offset: the offset that callers should add to scaled pixels.
  public init(
    width: Int? = nil, height: Int? = nil, channels: Int? = nil, name: String? = nil,
    scale: Double? = nil, offset: Double? = nil
  ) {
    self.init(shape: [height, width, channels], name: name, scale: scale, offset: offset)
  }

  /// Creates an image input with preprocessing of its pixels; omitted sizes are unknown until the model runs.
  ///
  /// - Parameters:
  ///   - width: the number of columns.
  ///   - height: the number of rows.
  ///   - channels: the number of values per pixel.
  ///   - name: the name; by default `input`, or `input_1`, `input_2`, … if there are several.
  ///   - preprocessing: the steps that callers should apply to pixels, in order.
  public init(
    width: Int? = nil, height: Int? = nil, channels: Int? = nil, name: String? = nil,
    preprocessing: [PixelStep]
  ) {
    self.init(shape: [height, width, channels], name: name, preprocessing: preprocessing)
  }

  /// Creates a sequence or signal input; sizes that are `nil` are unknown until the model runs.
  ///
  /// - Parameters:
  ///   - length: the number of steps.
  ///   - channels: the number of values per step.
  ///   - name: the name; by default `input`, or `input_1`, `input_2`, … if there are several.
  public init(length: Int?, channels: Int?, name: String? = nil) {
    self.init(shape: [length, channels], name: name)
  }

  /// Creates an input of any rank, without the batch axis; sizes that are `nil` are unknown until the model runs.
  public init(
    shape: [Int?], name: String? = nil, scale: Double? = nil, offset: Double? = nil
  ) {
    vertex = Vertex(
      Entrance(
        name: name, shape: Shape(shape),
        preprocessing: [PixelStep](scale: scale, offset: offset)))
  }

  /// Creates an input of any rank with preprocessing of its values, without the batch axis.
  public init(shape: [Int?], name: String? = nil, preprocessing: [PixelStep]) {
    vertex = Vertex(Entrance(name: name, shape: Shape(shape), preprocessing: preprocessing))
  }
}

/// The properties of an input, and the nodes connected to it.
final class Entrance: Sendable {
  let name: String?
  let shape: Shape
  let preprocessing: [PixelStep]?
  private let connected = Mutex<[Connection]>([])

  init(name: String?, shape: Shape, preprocessing: [PixelStep]?) {
    self.name = name
    self.shape = shape
    self.preprocessing = preprocessing
  }

  /// Records a layer that was connected, directly or through others.
  ///
  /// - Returns: its index among all of them.
  func note(_ connection: Connection) -> Int {
    connected.withLock { connections in
      connections.append(connection)
      return connections.count - 1
    }
  }

  /// All connected layers, in the order of connection.
  var connections: [Connection] { connected.withLock { $0 } }
}

/// A layer that was connected to an input.
///
/// It holds neither nodes nor a layer that may hold nodes: as nodes hold their inputs, this would be a reference cycle.
struct Connection: Sendable {
  let kind: String
  let operation: any Operator
  let flattensInput: Bool
  let name: String?
  /// The inputs of the layer; `nil` for one that depends on no input.
  let reads: [ConnectionPlace?]
}

/// A node as an index into the connections of an input; `index` is `nil` for the input itself.
struct ConnectionPlace: Hashable, Sendable {
  let input: ObjectIdentifier
  let index: Int?
}
