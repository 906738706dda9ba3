import ModelIR

/// The size of an image.
struct ImageShape: Equatable, CustomStringConvertible {
  let height: Int
  let width: Int
  let channels: Int

  /// An image of these sizes.
  init(height: Int, width: Int, channels: Int) {
    (self.height, self.width, self.channels) = (height, width, channels)
  }

  /// The image of a value: a vector is one pixel.
  ///
  /// - Throws: `badData` if a size is unknown, or there is no such image.
  ///
  /// Not every value is stored as the image that has its shape, so that channels are counted where one is.
  init(_ shape: Shape) throws(NetconvError) {
    guard let sizes = shape.known else { throw .sizeOpen(shape) }
    switch sizes.count {
    case 1: self.init(height: 1, width: 1, channels: sizes[0])
    case 3: self.init(height: sizes[0], width: sizes[1], channels: sizes[2])
    default: throw .noImage(shape)
    }
  }

  /// A texture has at most 2,048 slices of four channels.
  ///
  /// Source: Apple, Metal Feature Set Tables: maximum number of layers per 1D, 2D or 3D texture array.
  static let mostChannels = 8192

  /// Whether there is nothing but channels.
  var isPixel: Bool { height == 1 && width == 1 }

  /// The number of values.
  var count: Int { height * width * channels }

  /// `(28, 28, 1)`.
  var description: String { "(\(height), \(width), \(channels))" }
}
