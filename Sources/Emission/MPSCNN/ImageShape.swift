import ModelIR

/// The size of an image in MPSCNN.
struct ImageShape: Equatable, CustomStringConvertible {
  let height: Int
  let width: Int
  let channels: Int

  /// Creates a shape with these sizes.
  init(height: Int, width: Int, channels: Int) {
    (self.height, self.width, self.channels) = (height, width, channels)
  }

  /// Creates the shape of the image for a value; a vector is one pixel.
  ///
  /// The channel count is not limited here, because a value may be stored as an image of another
  /// shape.
  ///
  /// - Throws: `badData` if a size is unknown, or if no image has this shape.
  init(_ shape: Shape) throws(NetconvError) {
    guard let sizes = shape.known else { throw .sizeOpen(shape) }
    switch sizes.count {
    case 1: self.init(height: 1, width: 1, channels: sizes[0])
    case 3: self.init(height: sizes[0], width: sizes[1], channels: sizes[2])
    default: throw .noImage(shape)
    }
  }

  /// The largest number of channels: a texture has at most 2,048 slices of four channels.
  ///
  /// Source: Apple, Metal Feature Set Tables: maximum number of layers per 1D, 2D or 3D texture array.
  static let mostChannels = 8192

  /// True if the image is a single pixel.
  var isPixel: Bool { height == 1 && width == 1 }

  /// The number of values.
  var count: Int { height * width * channels }

  /// A description such as `(28, 28, 1)`.
  var description: String { "(\(height), \(width), \(channels))" }
}
