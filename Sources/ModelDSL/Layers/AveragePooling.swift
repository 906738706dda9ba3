import ModelIR
import Operators

/// Average pooling per channel, excluding padding: ``AveragePooling`` of images, ``AveragePooling1D`` of sequences.
public struct AveragePoolingLayer<Space: SpatialAxes>: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `pool`.
  public var kind: String { "pool" }
  /// The operator, `AveragePooling2D` or `AveragePooling1D`.
  public let operation: any Operator
}

/// Average pooling of images, per channel and excluding padding.
public typealias AveragePooling = AveragePoolingLayer<Plane>

/// Average pooling of sequences, per channel and excluding padding.
public typealias AveragePooling1D = AveragePoolingLayer<Line>

extension AveragePoolingLayer where Space == Plane {
  /// Creates a pooling; tuples are (width, height).
  ///
  /// - Parameters:
  ///   - kernel: the size of the window.
  ///   - stride: the stride between windows; by default they do not overlap.
  ///   - padding: the padding at the edges.
  ///   - name: the layer's name.
  public init(
    kernel: (width: Int, height: Int), stride: (width: Int, height: Int)? = nil,
    padding: Padding = .valid, name: String? = nil
  ) {
    operation = AveragePooling2D(
      poolSize: Size2D(kernel), strides: stride.map { Size2D($0) }, padding: padding)
    self.name = name
  }
}

extension AveragePoolingLayer where Space == Line {
  /// Creates a pooling of (length, channels).
  ///
  /// - Parameters:
  ///   - kernel: the length of the window.
  ///   - stride: the stride between windows; by default they do not overlap.
  ///   - padding: the padding at the ends.
  ///   - name: the layer's name.
  public init(
    kernel: Int, stride: Int? = nil, padding: Padding = .valid, name: String? = nil
  ) {
    operation = Operators.AveragePooling1D(
      poolSize: Size1D(kernel), strides: stride.map(Size1D.init), padding: padding)
    self.name = name
  }
}
