public import ModelIR

/// A picture in memory: rows of pixels, from the top and from the left.
///
/// Values go from 0 to 255 whatever the file had (of 16 bits each is divided by 257). Filters may leave these bounds; nothing
/// cuts values off but what writes them.
public struct Picture: Sendable, Equatable {
  /// Rows.
  public let height: Int
  /// Pixels in a row.
  public let width: Int
  /// Values of a pixel, the one of its opacity included: 1 is gray, 2 gray and alpha, 3 colour, 4 colour and alpha.
  public let channels: Int
  /// Whether the last channel is the opacity, from 0 to 255. Colours are straight: they are not multiplied with it.
  public let hasAlpha: Bool
  /// How the values of colours grow with light.
  public let encoding: Encoding
  /// In which order the colours of a pixel stand.
  public let order: PixelStep.ChannelOrder
  /// All values: (height, width, channels).
  public let values: [Float]

  /// How the values of colours grow with light. Alpha is always linear.
  public typealias Encoding = PixelStep.Encoding

  /// A picture of `values`.
  ///
  /// - Precondition: no size is negative, there are `height` · `width` · `channels` values, and a picture with alpha has
  ///   another channel.
  public init(
    height: Int, width: Int, channels: Int, hasAlpha: Bool = false, encoding: Encoding = .sRGB,
    order: PixelStep.ChannelOrder = .rgb, values: [Float]
  ) {
    precondition(height >= 0 && width >= 0 && channels > (hasAlpha ? 1 : 0), "sizes of a picture")
    precondition(values.count == height * width * channels, "values of a picture")
    self.height = height
    self.width = width
    self.channels = channels
    self.hasAlpha = hasAlpha
    self.encoding = encoding
    self.order = order
    self.values = values
  }

  /// Channels that are colours or gray.
  public var colors: Int { channels - (hasAlpha ? 1 : 0) }

  /// The size of each axis: (height, width, channels).
  public var shape: [Int] { [height, width, channels] }

  /// The values at a place; for tests and small pictures.
  public subscript(row: Int, column: Int) -> ArraySlice<Float> {
    let first = (row * width + column) * channels
    return values[first..<first + channels]
  }
}
