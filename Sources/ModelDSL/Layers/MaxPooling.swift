import ModelIR
import Operators

/// Max pooling per channel, excluding padding: ``MaxPooling`` of images, ``MaxPooling1D`` of sequences.
public struct MaxPoolingLayer<Space: SpatialAxes>: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `pool`.
  public var kind: String { "pool" }
  /// The operator, `MaxPooling2D` or `MaxPooling1D`.
  public let operation: any Operator
}

/// Max pooling of images, per channel and excluding padding.
public typealias MaxPooling = MaxPoolingLayer<Plane>

/// Max pooling of sequences, per channel and excluding padding.
public typealias MaxPooling1D = MaxPoolingLayer<Line>

extension MaxPoolingLayer where Space == Plane {
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
    operation = MaxPooling2D(
      poolSize: Size2D(kernel), strides: stride.map { Size2D($0) }, padding: padding)
    self.name = name
  }
}

extension MaxPoolingLayer where Space == Line {
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
    operation = Operators.MaxPooling1D(
      poolSize: Size1D(kernel), strides: stride.map(Size1D.init), padding: padding)
    self.name = name
  }
}
