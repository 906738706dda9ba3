import ModelIR
import Operators

/// The input enlarged by integer factors: ``UpSampling`` of images, ``UpSampling1D`` of sequences.
public struct UpSamplingLayer<Space: SpatialAxes>: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `upsampling`.
  public var kind: String { "upsampling" }
  /// The operator, `UpSampling2D` or `UpSampling1D`.
  public let operation: any Operator
}

/// An image enlarged by integer factors.
public typealias UpSampling = UpSamplingLayer<Plane>

/// A sequence enlarged by an integer factor.
public typealias UpSampling1D = UpSamplingLayer<Line>

extension UpSamplingLayer where Space == Plane {
  /// Creates an enlargement; tuples are (width, height).
  ///
  /// - Parameters:
  ///   - size: the factors of each side.
  ///   - interpolation: the interpolation method.
  ///   - name: the layer's name.
  public init(
    size: (width: Int, height: Int), interpolation: Interpolation = .nearest, name: String? = nil
  ) {
    operation = UpSampling2D(size: Size2D(size), interpolation: interpolation)
    self.name = name
  }
}

extension UpSamplingLayer where Space == Line {
  /// Creates an enlargement of (length, channels).
  ///
  /// - Parameters:
  ///   - size: the factor of the length.
  ///   - interpolation: the interpolation method.
  ///   - name: the layer's name.
  public init(size: Int, interpolation: Interpolation = .nearest, name: String? = nil) {
    operation = Operators.UpSampling1D(size: Size1D(size), interpolation: interpolation)
    self.name = name
  }
}
