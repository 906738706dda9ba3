/// A preprocessing step from the pixels of an image to a network's input: a filter, as a value.
///
/// Images have the shape (height, width) or (height, width, channels), with channels in the order red, green, blue, and
/// values from 0 to
/// 255. A list of numbers has one number for all channels, or one for each in their current order.
public enum PixelStep: Sendable, Equatable {
  // MARK: Pixel by pixel

  /// Multiplies each value.
  case scale([Double])
  /// Adds a number to each value.
  case offset([Double])
  /// Subtracts a number from each value.
  case mean([Double])
  /// Divides each value.
  case deviation([Double])
  /// Subtracts each value from the given maximum.
  case invert(from: Double)
  /// Converts the channels to the given order.
  case channels(ChannelOrder)
  /// Multiplies the difference of each colour from its luma (ITU-R BT.601): 0 produces gray, 1 changes nothing.
  case saturation(Double)
  /// Replaces three channels by their luma (ITU-R BT.601): 0.299 · red + 0.587 · green + 0.114 · blue.
  case gray
  /// Repeats one channel three times.
  case color
  /// Drops the alpha channel: composites pixels over the given colour or, without one, keeps their colours.
  case opaque([Double]?)
  /// Converts values to the given encoding; images start out as sRGB.
  case encoding(Encoding)

  // MARK: Neighbourhoods

  /// Replaces each value by the mean of a square that extends `radius` pixels to each side.
  case boxBlur(radius: Int)
  /// Applies a Gaussian blur that extends `radius` pixels to each side, rounded up; `sigma` defaults to half the
  /// radius.
  case blur(radius: Double, sigma: Double?)

  // MARK: Places

  /// Exchanges height and width.
  case transpose
  /// Moves the channels before or after height and width.
  case axes(AxisOrder)
  /// Crops the image to a rectangle.
  case crop(Area)
  /// Pads the image with pixels of the given values.
  case pad(Margins, [Double])
  /// Rotates the image clockwise by 1 to 3 quarter turns.
  case turn(quarters: Int)
  /// Resizes the image without keeping its aspect ratio.
  case resize(Sizing)
  /// Resizes the image to fit inside a size, centred, with padding of the given values.
  case fit(Sizing, [Double])
  /// Resizes the image to cover a size, and crops both sides.
  case fill(Sizing)

  /// Applies a step within a rectangle; the step can read pixels around it.
  indirect case region(Area, PixelStep)
}

extension PixelStep {
  /// The order of the colours of a pixel.
  public enum ChannelOrder: String, Sendable, CaseIterable {
    /// Red, green, blue.
    case rgb
    /// Blue, green, red.
    case bgr
  }

  /// The relation between light intensity and stored values.
  public enum Encoding: String, Sendable, CaseIterable {
    /// The sRGB transfer function (IEC 61966-2-1), usual for files and screens.
    case sRGB
    /// Proportional to intensity.
    case linear
  }

  /// The position of the channel axis.
  public enum AxisOrder: String, Sendable, CaseIterable {
    /// (channels, height, width).
    case channelsFirst
    /// (height, width, channels).
    case channelsLast
  }

  /// The source pixels that a resized pixel is computed from.
  ///
  /// Pixel centres are at half-integer coordinates.
  public enum Interpolation: String, Sendable, CaseIterable {
    /// The nearest pixel.
    case nearest
    /// The two neighbours along each axis.
    case bilinear
    /// The average of the covered area.
    case area
    /// The four neighbours along each axis, by Keys' cubic with a = -0.5.
    case bicubic
  }

  /// A size, and the method of resizing to it.
  public struct Sizing: Sendable, Equatable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The interpolation method.
    public var method: Interpolation
    /// True if the filter support grows as the image shrinks, as in Pillow.
    ///
    /// Otherwise images are resized as in TensorFlow.
    public var antialias: Bool

    /// Creates a size of `width` by `height` pixels.
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
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a rectangle of `width` by `height` pixels at column `x` and row `y`.
    public init(x: Int, y: Int, width: Int, height: Int) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// The number of pixels to add on each side.
  public struct Margins: Sendable, Equatable {
    /// Columns on the left.
    public var left: Int
    /// Rows above.
    public var top: Int
    /// Columns on the right.
    public var right: Int
    /// Rows below.
    public var bottom: Int

    /// Creates margins with the given sizes.
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
  /// Creates the steps that a scale and an offset stand for; `nil` if neither is given.
  public init?(scale: Double?, offset: Double?) {
    guard scale != nil || offset != nil else { return nil }
    self = (scale.map { [.scale([$0])] } ?? []) + (offset.map { [.offset([$0])] } ?? [])
  }

  /// The scale and the offset, if the list consists of nothing else, in this order.
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
