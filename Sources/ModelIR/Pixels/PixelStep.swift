/// One step on the way from the pixels of an image to what a network takes: a filter, as a value.
///
/// Images come as (height, width) or (height, width, channels), with red, green and blue in this order, and values from 0 to
/// 255. A list of numbers holds one for all channels, or one for each, in the order that they have by then.
public enum PixelStep: Sendable, Equatable {
  // MARK: Pixel by pixel

  /// Each value is multiplied.
  case scale([Double])
  /// A number is added to each value.
  case offset([Double])
  /// A number is subtracted from each value.
  case mean([Double])
  /// Each value is divided.
  case deviation([Double])
  /// Each value is subtracted from this one: the largest that there is.
  case invert(from: Double)
  /// The channels have this order from here on.
  case channels(ChannelOrder)
  /// The distance of each colour from its luma (ITU-R BT.601) is multiplied: 0 gives gray, 1 changes nothing.
  case saturation(Double)
  /// Three channels become their luma (ITU-R BT.601): 0.299 · red + 0.587 · green + 0.114 · blue.
  case gray
  /// One channel becomes three that are equal.
  case color
  /// Opacity is given up: pixels are seen in front of these values, or, without any, keep the colours that they have.
  case opaque([Double]?)
  /// Values grow with light in this way from here on; images come as sRGB.
  case encoding(Encoding)

  // MARK: Neighbourhoods

  /// Each value becomes the mean of a square that reaches `radius` pixels to each side.
  case boxBlur(radius: Int)
  /// A Gaussian blur that reaches `radius` pixels to each side, rounded up; `sigma` is half of the radius if it is `nil`.
  case blur(radius: Double, sigma: Double?)

  // MARK: Places

  /// Height and width are exchanged.
  case transpose
  /// The channels go in front of height and width, or behind them.
  case axes(AxisOrder)
  /// A rectangle is cut out.
  case crop(Area)
  /// Pixels of these values are added around the image.
  case pad(Margins, [Double])
  /// The image is turned clockwise by this many quarters, from 1 to 3.
  case turn(quarters: Int)
  /// The image is stretched to a size.
  case resize(Sizing)
  /// The image is made to fit inside a size, centred, with pixels of these values around it.
  case fit(Sizing, [Double])
  /// The image is made to cover a size, and what is beyond is cut off on both sides.
  case fill(Sizing)

  /// A step that is done in a rectangle only; it sees what is around.
  indirect case region(Area, PixelStep)
}

extension PixelStep {
  /// In which order the colours of a pixel stand.
  public enum ChannelOrder: String, Sendable, CaseIterable {
    /// Red, green, blue.
    case rgb
    /// Blue, green, red.
    case bgr
  }

  /// How the values of colours grow with light.
  public enum Encoding: String, Sendable, CaseIterable {
    /// By the curve of sRGB (IEC 61966-2-1), as files and screens have them.
    case sRGB
    /// In proportion.
    case linear
  }

  /// Where the axis of the channels stands.
  public enum AxisOrder: String, Sendable, CaseIterable {
    /// (channels, height, width).
    case channelsFirst
    /// (height, width, channels).
    case channelsLast
  }

  /// From which pixels a resized one is made.
  ///
  /// The centres of pixels are at halves.
  public enum Interpolation: String, Sendable, CaseIterable {
    /// The one that is there.
    case nearest
    /// The two neighbours along each axis.
    case bilinear
    /// What the pixel covers.
    case area
    /// Four along each axis, by Keys' cubic with a = -0.5.
    case bicubic
  }

  /// A size, and how images come to it.
  public struct Sizing: Sendable, Equatable {
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int
    /// From which pixels a new one is made.
    public var method: Interpolation
    /// Whether the neighbourhood grows as the image shrinks, as in Pillow.
    ///
    /// Without, it does as in TensorFlow.
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
  public struct Area: Sendable, Equatable {
    /// The first column.
    public var x: Int
    /// The first row.
    public var y: Int
    /// Columns.
    public var width: Int
    /// Rows.
    public var height: Int

    /// `width` by `height` pixels from column `x` and row `y` on.
    public init(x: Int, y: Int, width: Int, height: Int) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// Pixels that are added on each side.
  public struct Margins: Sendable, Equatable {
    /// Columns in front.
    public var left: Int
    /// Rows above.
    public var top: Int
    /// Columns behind.
    public var right: Int
    /// Rows below.
    public var bottom: Int

    /// So many on each side.
    public init(left: Int, top: Int, right: Int, bottom: Int) {
      self.left = left
      self.top = top
      self.right = right
      self.bottom = bottom
    }
  }
}

// MARK: - Short form

extension [PixelStep] {
  /// The steps that a scale and an offset are short for; `nil` if neither is given.
  public init?(scale: Double?, offset: Double?) {
    guard scale != nil || offset != nil else { return nil }
    self = (scale.map { [.scale([$0])] } ?? []) + (offset.map { [.offset([$0])] } ?? [])
  }

  /// The scale and the offset, if the list is no more than that, in this order.
  public var shortForm: (scale: Double?, offset: Double?)? {
    var rest = self[...]
    var scale: Double?
    var offset: Double?
    if case .scale(let numbers)? = rest.first, numbers.count == 1 {
      scale = numbers[0]
      rest = rest.dropFirst()
    }
    if case .offset(let numbers)? = rest.first, numbers.count == 1 {
      offset = numbers[0]
      rest = rest.dropFirst()
    }
    return isEmpty || !rest.isEmpty ? nil : (scale, offset)
  }
}
