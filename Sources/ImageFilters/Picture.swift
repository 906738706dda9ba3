import ModelIR

/// A picture in memory: rows of pixels, from the top and from the left.
///
/// Values go from 0 to 255 whatever the file had (of 16 bits each is divided by 257). Filters may leave these bounds; nothing
/// cuts values off but what writes them.
public struct Picture: Sendable, Equatable {
  /// Its size, and what its channels are.
  public let form: PictureForm
  /// All values: (height, width, channels).
  public let values: [Float]

  /// A picture of `values`.
  ///
  /// - Precondition: no size is negative, there are as many values as the sizes say, and a picture with alpha has another
  ///   channel.
  public init(_ form: PictureForm, values: [Float]) {
    precondition(form.height >= 0 && form.width >= 0 && form.colors > 0, "sizes of a picture")
    precondition(values.count == form.count, "values of a picture")
    self.form = form
    self.values = values
  }

  /// A picture of `values`.
  ///
  /// - Parameters:
  ///   - channels: values of a pixel, alpha included.
  ///   - hasAlpha: whether the last channel is the opacity, from 0 to 255. Colours are straight.
  ///   - encoding: how the values of colours grow with light.
  /// - Precondition: as ``init(_:values:)``.
  public init(
    height: Int, width: Int, channels: Int, hasAlpha: Bool = false, encoding: Encoding = .sRGB,
    order: PixelStep.ChannelOrder = .rgb, values: [Float]
  ) {
    let form = PictureForm(
      height: height, width: width, channels: channels, hasAlpha: hasAlpha, encoding: encoding,
      order: order)
    self.init(form, values: values)
  }

  /// How the values of colours grow with light.
  public typealias Encoding = PixelStep.Encoding

  /// Rows.
  public var height: Int { form.height }
  /// Pixels in a row.
  public var width: Int { form.width }
  /// Values of a pixel, the one of its opacity included: 1 is gray, 2 gray and alpha, 3 colour, 4 colour and alpha.
  public var channels: Int { form.channels }
  /// Whether the last channel is the opacity, from 0 to 255.
  ///
  /// Colours are straight: they are not multiplied with it.
  public var hasAlpha: Bool { form.hasAlpha }
  /// How the values of colours grow with light.
  ///
  /// Alpha is always linear.
  public var encoding: Encoding { form.encoding }
  /// In which order the colours of a pixel stand.
  public var order: PixelStep.ChannelOrder { form.order }
  /// Channels that are colours or gray.
  public var colors: Int { form.colors }
  /// The size of each axis: (height, width, channels).
  public var shape: [Int] { form.shape }

  /// The values of the pixel in a row and a column.
  public subscript(row: Int, column: Int) -> ArraySlice<Float> {
    let first = (row * width + column) * channels
    return values[first..<first + channels]
  }
}
