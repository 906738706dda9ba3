/// A filter as a value; the same as those of netconv.
///
/// A list of numbers holds one for all colours, or one for each. Numbers are those of values from 0 to 255, as files have
/// them, although values in textures go from 0 to 1.
public indirect enum NAMEStep: Equatable, Sendable {
  // Pixel by pixel.
  case scale([Double])
  case offset([Double])
  case mean([Double])
  case deviation([Double])
  case invert(from: Double)
  case channels(ChannelOrder)
  case saturation(Double)
  case gray
  case color
  case opaque([Double]?)
  case encoding(Encoding)
  // Neighbourhoods; `sigma` is half of the radius if it is `nil`.
  case boxBlur(radius: Int)
  case blur(radius: Double, sigma: Double?)
  // Places.
  case transpose
  case crop(Area)
  case pad(Margins, [Double])
  case turn(quarters: Int)
  case resize(Sizing)
  case fit(Sizing, [Double])
  case fill(Sizing)
  /// A step that is done in a rectangle only; it sees what is around.
  case region(Area, NAMEStep)

  /// In which order the colours of a pixel stand.
  public enum ChannelOrder: Sendable { case rgb, bgr }

  /// How the values of colours grow with light.
  public enum Encoding: Sendable { case sRGB, linear }

  /// From which pixels a resized one is made.
  public enum Interpolation: Sendable { case nearest, bilinear, area, bicubic }

  /// A size, and how pictures come to it.
  public struct Sizing: Equatable, Sendable {
    /// Pixels in a row, and rows.
    public var width, height: Int
    /// From which pixels a new one is made.
    public var method: Interpolation
    /// Whether the neighbourhood grows as the picture shrinks, as in Pillow; without, it does as in TensorFlow.
    public var antialias: Bool

    /// `width` by `height` pixels.
    public init(
      width: Int, height: Int, method: Interpolation = .bilinear, antialias: Bool = false
    ) {
      self.width = width
      self.height = height
      self.method = method
      self.antialias = antialias
    }
  }

  /// A rectangle of pixels.
  public struct Area: Equatable, Sendable {
    /// The first column and row, and how many there are.
    public var x, y, width, height: Int

    /// `width` by `height` pixels from column `x` and row `y` on.
    public init(x: Int, y: Int, width: Int, height: Int) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// Pixels that are added on each side.
  public struct Margins: Equatable, Sendable {
    /// Columns and rows.
    public var left, top, right, bottom: Int

    /// So many on each side.
    public init(left: Int, top: Int, right: Int, bottom: Int) {
      self.left = left
      self.top = top
      self.right = right
      self.bottom = bottom
    }
  }
}

#if filterPackage
/// Why no texture can be made.
public struct NAMEError: Error, CustomStringConvertible {
  /// The reason.
  public let description: String

  init(_ description: String) { self.description = description }
}
#endif
