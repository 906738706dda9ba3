import ModelIR
import Synchronization

/// Where data enters a model.
///
/// An input knows what was connected to it, so that a node which reaches no output is found when the model
/// is built.
public struct Input: Sendable {
  let vertex: Vertex

  /// An image; sizes that are left out are unknown until the model runs.
  ///
  /// - Parameters:
  ///   - width: columns.
  ///   - height: rows.
  ///   - channels: values of a pixel.
  ///   - name: by default `input`, and `input_1`, `input_2`, … where there are several.
  ///   - scale: what a pixel is multiplied by, for those who feed the model.
  ///   - offset: what is added to a scaled pixel, for those who feed the model.
  public init(
    width: Int? = nil, height: Int? = nil, channels: Int? = nil, name: String? = nil,
    scale: Double? = nil, offset: Double? = nil
  ) {
    self.init(shape: [height, width, channels], name: name, scale: scale, offset: offset)
  }

  /// An image with everything that is done to its pixels; sizes that are left out are unknown until the model runs.
  ///
  /// - Parameters:
  ///   - width: columns.
  ///   - height: rows.
  ///   - channels: values of a pixel.
  ///   - name: by default `input`, and `input_1`, `input_2`, … where there are several.
  ///   - preprocessing: what is done to pixels, in this order, for those who feed the model.
  public init(
    width: Int? = nil, height: Int? = nil, channels: Int? = nil, name: String? = nil,
    preprocessing: [PixelStep]
  ) {
    self.init(shape: [height, width, channels], name: name, preprocessing: preprocessing)
  }

  /// A sequence or a signal; sizes that are `nil` are unknown until the model runs.
  ///
  /// - Parameters:
  ///   - length: steps.
  ///   - channels: values of a step.
  ///   - name: by default `input`, and `input_1`, `input_2`, … where there are several.
  public init(length: Int?, channels: Int?, name: String? = nil) {
    self.init(shape: [length, channels], name: name)
  }

  /// An array of any rank, without the batch axis; `nil` where a size is unknown until the model runs.
  public init(
    shape: [Int?], name: String? = nil, scale: Double? = nil, offset: Double? = nil
  ) {
    vertex = Vertex(
      Entrance(
        name: name, shape: Shape(shape),
        preprocessing: [PixelStep](scale: scale, offset: offset)))
  }

  /// An array of any rank with everything that is done to its values, without the batch axis.
  public init(shape: [Int?], name: String? = nil, preprocessing: [PixelStep]) {
    vertex = Vertex(Entrance(name: name, shape: Shape(shape), preprocessing: preprocessing))
  }
}

/// What an input is, and what was connected to it.
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

  /// Notes a layer that was connected, directly or through others.
  ///
  /// - Returns: where it stands among all of them.
  func note(_ connection: Connection) -> Int {
    connected.withLock { connections in
      connections.append(connection)
      return connections.count - 1
    }
  }

  /// Everything that was connected, in that order.
  var connections: [Connection] { connected.withLock { $0 } }
}

/// A layer that was connected to an input.
///
/// It holds no node, and no layer, which may hold some: nodes hold their inputs, and a circle of references would never
/// be freed.
struct Connection: Sendable {
  let kind: String
  let operation: any Operator
  let flattensInput: Bool
  let name: String?
  /// What it reads; `nil` for what depends on no input.
  let reads: [ConnectionPlace?]
}

/// Which of the connections of which input a node is; `index` is `nil` for the input itself.
struct ConnectionPlace: Hashable, Sendable {
  let input: ObjectIdentifier
  let index: Int?
}
