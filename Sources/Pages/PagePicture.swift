/// A small picture in a page, which the page's script draws.
public struct PagePicture: Sendable, Encodable, Equatable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The number of channels: 1 for gray, 3 for RGB.
  public let channels: Int
  /// The pixels row by row, one byte per channel, as Base64.
  public let pixels: String

  /// Creates a picture from bytes.
  ///
  /// - Precondition: The number of bytes matches the sizes.
  public init(width: Int, height: Int, channels: Int, bytes: [UInt8]) {
    precondition(bytes.count == width * height * channels, "a byte for each value")
    self.width = width
    self.height = height
    self.channels = channels
    pixels = base64(bytes)
  }
}
