import ModelIR
import Operators

/// The mean of each window, per channel; padding is left out of the mean: ``AveragePooling`` of images,
/// ``AveragePooling1D`` of sequences.
public struct AveragePoolingLayer<Space: SpatialAxes>: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `pool`.
  public var kind: String { "pool" }
  /// `AveragePooling2D` or `AveragePooling1D`.
  public let operation: any Operator
}

/// The mean of each window, per channel; padding is left out of the mean.
public typealias AveragePooling = AveragePoolingLayer<Plane>

/// The mean of each window, per channel of a sequence; padding is left out of the mean.
public typealias AveragePooling1D = AveragePoolingLayer<Line>

extension AveragePoolingLayer where Space == Plane {
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
    operation = AveragePooling2D(
      poolSize: Size2D(kernel), strides: stride.map { Size2D($0) }, padding: padding)
    self.name = name
  }
}

extension AveragePoolingLayer where Space == Line {
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
    operation = Operators.AveragePooling1D(
      poolSize: Size1D(kernel), strides: stride.map(Size1D.init), padding: padding)
    self.name = name
  }
}
