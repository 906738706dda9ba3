import ModelIR
import Operators

/// The input enlarged by whole numbers: ``UpSampling`` of images, ``UpSampling1D`` of sequences.
public struct UpSamplingLayer<Space: SpatialAxes>: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `upsampling`.
  public var kind: String { "upsampling" }
  /// `UpSampling2D` or `UpSampling1D`.
  public let operation: any Operator
}

/// An image enlarged by whole numbers.
public typealias UpSampling = UpSamplingLayer<Plane>

/// A sequence enlarged by a whole number.
public typealias UpSampling1D = UpSamplingLayer<Line>

extension UpSamplingLayer where Space == Plane {
  /// An enlargement; tuples are (width, height).
  ///
  /// - Parameters:
  ///   - size: by how much each side grows.
  ///   - interpolation: how the new pixels come about.
  ///   - name: what it is called.
  public init(
    size: (width: Int, height: Int), interpolation: Interpolation = .nearest, name: String? = nil
  ) {
    operation = UpSampling2D(size: Size2D(size), interpolation: interpolation)
    self.name = name
  }
}

extension UpSamplingLayer where Space == Line {
  /// An enlargement of (length, channels).
  ///
  /// - Parameters:
  ///   - size: by how much the length grows.
  ///   - interpolation: how the new steps come about.
  ///   - name: what it is called.
  public init(size: Int, interpolation: Interpolation = .nearest, name: String? = nil) {
    operation = Operators.UpSampling1D(size: Size1D(size), interpolation: interpolation)
    self.name = name
  }
}
