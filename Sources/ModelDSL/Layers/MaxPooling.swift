import ModelIR
import Operators

/// The largest value of each window, per channel; padding never wins: ``MaxPooling`` of images,
/// ``MaxPooling1D`` of sequences.
public struct MaxPoolingLayer<Space: SpatialAxes>: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `pool`.
  public var kind: String { "pool" }
  /// `MaxPooling2D` or `MaxPooling1D`.
  public let operation: any Operator
}

/// The largest value of each window, per channel; padding never wins.
public typealias MaxPooling = MaxPoolingLayer<Plane>

/// The largest value of each window, per channel of a sequence; padding never wins.
public typealias MaxPooling1D = MaxPoolingLayer<Line>

extension MaxPoolingLayer where Space == Plane {
  /// A pooling; tuples are (width, height).
  ///
  /// - Parameters:
  ///   - kernel: the size of the window.
  ///   - stride: the distance of two windows; by default they do not overlap.
  ///   - padding: what happens at the edges.
  ///   - name: what it is called.
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
  /// A pooling of (length, channels).
  ///
  /// - Parameters:
  ///   - kernel: the steps of the window.
  ///   - stride: the distance of two windows; by default they do not overlap.
  ///   - padding: what happens at the ends.
  ///   - name: what it is called.
  public init(
    kernel: Int, stride: Int? = nil, padding: Padding = .valid, name: String? = nil
  ) {
    operation = Operators.MaxPooling1D(
      poolSize: Size1D(kernel), strides: stride.map(Size1D.init), padding: padding)
    self.name = name
  }
}
