import ModelIR
import Operators

/// A resized image.
public struct Resize: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `resize`.
  public var kind: String { "resize" }
  private let size: Size2D
  private let channels: Int?
  private let interpolation: Interpolation

  /// Creates a resizing to `width` columns and `height` rows.
  ///
  /// - Parameters:
  ///   - width: the number of columns.
  ///   - height: the number of rows.
  ///   - channels: the required depth of the image, also assumed for an image of unknown depth, where it defaults to 3.
  ///   - interpolation: the interpolation method.
  ///   - name: the layer's name.
  public init(
    width: Int, height: Int, channels: Int? = nil, interpolation: Interpolation = .bilinear,
    name: String? = nil
  ) {
    size = Size2D(height, width)
    self.channels = channels
    self.interpolation = interpolation
    self.name = name
  }

  /// The operator, `Resizing`.
  public var operation: any Operator { Resizing(size: size, interpolation: interpolation) }

  /// The given number of channels, or 3: red, green and blue.
  public var assumedChannels: Int? { channels ?? 3 }

  /// Checks the depth of the image.
  public func check(_ inputs: [Shape]) throws(NetconvError) {
    guard let channels, let depth = inputs.first?.dimensions.last, let depth, depth != channels
    else { return }
    throw .wrongChannels(depth, expected: channels)
  }
}

extension NetconvError {
  fileprivate static func wrongChannels(_ found: Int, expected: Int) -> NetconvError {
    NetconvError(.badData, "the image has a depth of \(found), expected \(expected)")
  }
}
