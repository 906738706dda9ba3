/// A user-facing text in which every ``Remedy`` is a value.
///
/// A message is written as a literal, `"leave out \(.force)"`. Its description is a whole sentence in the library's
/// wording; ``worded(by:)`` uses the wording of the program that shows it.
public struct Message: Sendable, Hashable {
  fileprivate enum Piece: Sendable, Hashable {
    case text(String)
    case remedy(Remedy)
  }

  private var pieces: [Piece]

  /// Merges neighbouring texts, so that equal texts are equal messages.
  private init(pieces: [Piece]) {
    self.pieces = pieces.reduce(into: []) { merged, piece in
      if case .text(let text) = piece, case .text(let before)? = merged.last {
        merged[merged.count - 1] = .text(before + text)
      } else {
        merged.append(piece)
      }
    }
  }

  /// A text without remedies.
  public init(text: String) {
    self.init(pieces: [.text(text)])
  }

  /// The remedies that the text mentions, in the order of the text.
  public var remedies: [Remedy] {
    pieces.compactMap { piece in
      if case .remedy(let remedy) = piece { remedy } else { nil }
    }
  }

  /// The text, with `words` supplying the wording of each remedy.
  public func worded(by words: (Remedy) -> String) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .remedy(let remedy): words(remedy)
      }
    }.joined()
  }

  /// Concatenates two messages.
  public static func + (first: Message, second: Message) -> Message {
    Message(pieces: first.pieces + second.pieces)
  }
}

extension Message: CustomStringConvertible {
  /// The text in the library's wording.
  public var description: String { worded(by: \.description) }
}

extension Message: ExpressibleByStringInterpolation {
  /// The pieces of an interpolated literal.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []

    /// Creates an interpolation without pieces.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends literal text.
    public mutating func appendLiteral(_ literal: String) {
      pieces.append(.text(literal))
    }

    /// Appends a remedy.
    public mutating func appendInterpolation(_ remedy: Remedy) {
      pieces.append(.remedy(remedy))
    }

    /// Appends a message, including its remedies.
    public mutating func appendInterpolation(_ message: Message) {
      pieces += message.pieces
    }

    /// Appends the description of a value.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      pieces.append(.text(value.description))
    }
  }

  /// Creates a message from a literal.
  public init(stringLiteral text: String) {
    self.init(text: text)
  }

  /// Creates a message from an interpolated literal.
  public init(stringInterpolation: StringInterpolation) {
    self.init(pieces: stringInterpolation.pieces)
  }
}

extension Message: Encodable {
  /// The encoder's `userInfo` key for a ``Words`` function.
  public static let words = CodingUserInfoKey(rawValue: "netconv.remedies")

  /// A function that returns the wording of a remedy.
  public typealias Words = @Sendable (Remedy) -> String

  /// Encodes the text, in the encoder's wording if there is one.
  public func encode(to encoder: any Encoder) throws {
    let words = Self.words.flatMap { encoder.userInfo[$0] as? Words }
    var container = encoder.singleValueContainer()
    try container.encode(words.map(worded) ?? description)
  }
}

extension [String] {
  /// Texts without remedies.
  public var messages: [Message] { map(Message.init(text:)) }
}

extension [Message] {
  /// The messages concatenated, with `separator` between them.
  public func joined(separator: String) -> Message {
    guard let first else { return "" }
    return dropFirst().reduce(first) { $0 + Message(text: separator) + $1 }
  }
}
