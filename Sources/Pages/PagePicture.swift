/// A small picture in a page: its pixels, which the page's script draws.
public struct PagePicture: Sendable, Encodable, Equatable {
  /// Pixels from left to right.
  public let width: Int
  /// Pixels from top to bottom.
  public let height: Int
  /// 1 for gray, 3 for red, green and blue.
  public let channels: Int
  /// All channels of a pixel, then the next pixel, row by row; a byte each, as base64.
  public let pixels: String

  /// A picture of bytes.
  ///
  /// - Precondition: there are as many bytes as the sizes say.
  public init(width: Int, height: Int, channels: Int, bytes: [UInt8]) {
    precondition(bytes.count == width * height * channels, "a byte for each value")
    self.width = width
    self.height = height
    self.channels = channels
    pixels = base64(bytes)
  }
}
