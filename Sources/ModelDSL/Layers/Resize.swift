import ModelIR
import Operators

/// An image of another size.
public struct Resize: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `resize`.
  public var kind: String { "resize" }
  private let size: Size2D
  private let channels: Int?
  private let interpolation: Interpolation

  /// A resizing to `width` columns and `height` rows.
  ///
  /// - Parameters:
  ///   - width: columns.
  ///   - height: rows.
  ///   - channels: the depth that the image must have; an image of unknown depth is taken to have so many, by
  ///     default 3.
  ///   - interpolation: how the new pixels come about.
  ///   - name: what it is called.
  public init(
    width: Int, height: Int, channels: Int? = nil, interpolation: Interpolation = .bilinear,
    name: String? = nil
  ) {
    size = Size2D(height, width)
    self.channels = channels
    self.interpolation = interpolation
    self.name = name
  }

  /// `Resizing`.
  public var operation: any Operator { Resizing(size: size, interpolation: interpolation) }

  /// What was said, or 3: red, green and blue.
  public var assumedChannels: Int? { channels ?? 3 }

  /// Compares the depth of the image.
  public func check(_ inputs: [Shape]) throws(NetconvError) {
    guard let channels, let depth = inputs.first?.dimensions.last, let depth, depth != channels
    else { return }
    throw .wrongChannels(depth, expected: channels)
  }
}
