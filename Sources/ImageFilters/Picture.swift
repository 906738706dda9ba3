import ModelIR

/// A picture in memory, stored in rows from the top left.
///
/// Values range from 0 to 255, whatever the bit depth of the file (16-bit values are divided by
/// 257). Filters may exceed the range; values are clamped only when they are written.
public struct Picture: Sendable, Equatable {
  /// The size and the meaning of the channels.
  public let form: PictureForm
  /// All values, with the shape (height, width, channels).
  public let values: [Float]

  /// Creates a picture from `values`.
  ///
  /// - Precondition: No size is negative, the number of values matches the sizes, and alpha is not
  ///   the only channel.
  public init(_ form: PictureForm, values: [Float]) {
    precondition(form.height >= 0 && form.width >= 0 && form.colors > 0, "sizes of a picture")
    precondition(values.count == form.count, "values of a picture")
    self.form = form
    self.values = values
  }

  /// Creates a picture from `values`.
  ///
  /// - Parameters:
  ///   - channels: The number of values per pixel, including alpha.
  ///   - hasAlpha: True if the last channel is the opacity, from 0 to 255. Colours are not
  ///     premultiplied.
  ///   - encoding: The transfer function of the colours.
  /// - Precondition: As for ``init(_:values:)``.
  public init(
    height: Int, width: Int, channels: Int, hasAlpha: Bool = false, encoding: Encoding = .sRGB,
    order: PixelStep.ChannelOrder = .rgb, values: [Float]
  ) {
    let form = PictureForm(
      height: height, width: width, channels: channels, hasAlpha: hasAlpha, encoding: encoding,
      order: order)
    self.init(form, values: values)
  }

  /// The transfer function of the colours.
  public typealias Encoding = PixelStep.Encoding

  /// The number of rows.
  public var height: Int { form.height }
  /// The number of pixels per row.
  public var width: Int { form.width }
  /// The number of values per pixel, including alpha: 1 for gray, 2 for gray and alpha, 3 for
  /// colour, 4 for colour and alpha.
  public var channels: Int { form.channels }
  /// True if the last channel is the opacity, from 0 to 255.
  ///
  /// Colours are not premultiplied.
  public var hasAlpha: Bool { form.hasAlpha }
  /// The transfer function of the colours.
  ///
  /// Alpha is always linear.
  public var encoding: Encoding { form.encoding }
  /// The order of the colours in a pixel.
  public var order: PixelStep.ChannelOrder { form.order }
  /// The number of channels without alpha.
  public var colors: Int { form.colors }
  /// The size of each axis: (height, width, channels).
  public var shape: [Int] { form.shape }

  /// The values of the pixel in a row and a column.
  public subscript(row: Int, column: Int) -> ArraySlice<Float> {
    let first = (row * width + column) * channels
    return values[first..<first + channels]
  }
}
