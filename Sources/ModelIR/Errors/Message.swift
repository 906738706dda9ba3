/// A text for people in which every ``Remedy`` is a value.
///
/// It is written as a literal, `"leave out \(.force)"`, and read as a whole sentence in the words of the library, or with
/// ``worded(by:)`` in the words of the program that shows it.
public struct Message: Sendable, Hashable {
  fileprivate enum Piece: Sendable, Hashable {
    case text(String)
    case remedy(Remedy)
  }

  private var pieces: [Piece]

  /// Puts neighbouring texts together, so that equal texts are equal messages.
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

  /// What a reader can do about it, in the order of the text.
  public var remedies: [Remedy] {
    pieces.compactMap { piece in
      if case .remedy(let remedy) = piece { remedy } else { nil }
    }
  }

  /// The text with each remedy as `words` has it.
  public func worded(by words: (Remedy) -> String) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .remedy(let remedy): words(remedy)
      }
    }.joined()
  }

  /// One text behind the other.
  public static func + (first: Message, second: Message) -> Message {
    Message(pieces: first.pieces + second.pieces)
  }
}

extension Message: CustomStringConvertible {
  /// The text in the words of the library.
  public var description: String { worded(by: \.description) }
}

extension Message: ExpressibleByStringInterpolation {
  /// The parts of a literal.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []

    /// No parts.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds text of the literal.
    public mutating func appendLiteral(_ literal: String) {
      pieces.append(.text(literal))
    }

    /// Adds a remedy.
    public mutating func appendInterpolation(_ remedy: Remedy) {
      pieces.append(.remedy(remedy))
    }

    /// Adds a message with its remedies.
    public mutating func appendInterpolation(_ message: Message) {
      pieces += message.pieces
    }

    /// Adds the description of a value.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      pieces.append(.text(value.description))
    }
  }

  /// A literal without values.
  public init(stringLiteral text: String) {
    self.init(text: text)
  }

  /// A literal with values.
  public init(stringInterpolation: StringInterpolation) {
    self.init(pieces: stringInterpolation.pieces)
  }
}

extension Message: Encodable {
  /// Where an encoder has the words for remedies, a ``Words``.
  public static let words = CodingUserInfoKey(rawValue: "netconv.remedies")

  /// How someone words remedies.
  public typealias Words = @Sendable (Remedy) -> String

  /// Writes the text, in the encoder's words if it has any.
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
  /// All of them in one, with `separator` between.
  public func joined(separator: String) -> Message {
    guard let first else { return "" }
    return dropFirst().reduce(first) { $0 + Message(text: separator) + $1 }
  }
}
