/// A named axis of a tensor: what an index along it counts.
///
/// Open: a new kind of layer may bring new axes. A name is one letter, so that layouts read as in the
/// field (`HWIO`).
public struct Axis: Hashable, Sendable, CustomStringConvertible {
  /// The code of an upper-case ASCII letter: axes are compared and hashed a lot.
  let letter: UInt8

  /// An axis called `name`.
  ///
  /// - Returns: `nil` unless `name` is an upper-case ASCII letter.
  public init?(_ name: Character) {
    guard let letter = name.asciiValue, name.isUppercase else { return nil }
    self.letter = letter
  }

  private init(letter: Unicode.Scalar) {
    self.letter = UInt8(ascii: letter)
  }

  /// One upper-case ASCII letter.
  public var name: Character { Character(Unicode.Scalar(letter)) }

  /// Output channels.
  public static let outputChannels = Axis(letter: "O")
  /// Input channels, per group.
  public static let inputChannels = Axis(letter: "I")
  /// Rows of the kernel or image.
  public static let height = Axis(letter: "H")
  /// Columns of the kernel or image; the one spatial axis of 1-D data.
  public static let width = Axis(letter: "W")
  /// Depth of a 3-D kernel.
  public static let depth = Axis(letter: "D")
  /// Channel multiplier of a depthwise convolution.
  public static let multiplier = Axis(letter: "M")
  /// Channels of a per-channel vector.
  public static let channels = Axis(letter: "C")

  /// Gates of a recurrent layer.
  public static let gates = Axis(letter: "G")
  /// Units of a recurrent layer.
  public static let units = Axis(letter: "N")

  /// Places of the output, row by row, of kernels that each of them has of its own.
  public static let outputPlaces = Axis(letter: "L")

  /// What axes are called of which only the place is known, slowest first: the letters from P on that no axis
  /// with a meaning has.
  public static let places = "PQRSTUVXYZ".unicodeScalars.map { Axis(letter: $0) }

  /// The letter.
  public var description: String { String(name) }

  /// The letter as einops spells it.
  public var lowercased: String { name.lowercased() }
}
