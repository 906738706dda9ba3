/// A named axis of a tensor.
///
/// The set is open: new types of layers may add axes. A name is one letter, so that layouts read as is usual in the
/// field (`HWIO`).
public struct Axis: Hashable, Sendable, CustomStringConvertible {
  /// The code of an upper-case ASCII letter: axes are compared and hashed often.
  let letter: UInt8

  /// Creates the axis called `name`.
  ///
  /// - Returns: `nil` unless `name` is an upper-case ASCII letter.
  public init?(_ name: Character) {
    guard let letter = name.asciiValue, name.isUppercase else { return nil }
    self.letter = letter
  }

  private init(letter: Unicode.Scalar) {
    self.letter = UInt8(ascii: letter)
  }

  /// The upper-case ASCII letter.
  public var name: Character { Character(Unicode.Scalar(letter)) }

  /// The output channels.
  public static let outputChannels = Axis(letter: "O")
  /// The input channels per group.
  public static let inputChannels = Axis(letter: "I")
  /// The rows of a kernel or image.
  public static let height = Axis(letter: "H")
  /// The columns of a kernel or image; the only spatial axis of 1-D data.
  public static let width = Axis(letter: "W")
  /// The depth of a 3-D kernel.
  public static let depth = Axis(letter: "D")
  /// The channel multiplier of a depthwise convolution.
  public static let multiplier = Axis(letter: "M")
  /// The channels of a per-channel vector.
  public static let channels = Axis(letter: "C")

  /// The gates of a recurrent layer.
  public static let gates = Axis(letter: "G")
  /// The units of a recurrent layer.
  public static let units = Axis(letter: "N")

  /// The output positions of a locally connected layer, in row-major order.
  public static let outputPlaces = Axis(letter: "L")

  /// The axes whose meaning is unknown, slowest first: the letters from P on that have no other meaning.
  public static let places = "PQRSTUVXYZ".unicodeScalars.map { Axis(letter: $0) }

  /// The letter.
  public var description: String { String(name) }

  /// The letter in einops notation.
  public var lowercased: String { name.lowercased() }
}
