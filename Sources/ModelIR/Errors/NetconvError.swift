/// A description of what went wrong, where it happened, and how to fix it: netconv's only error type.
///
/// Code that finds a problem throws what it knows. Each boundary on the way up adds the location with ``inTensor(_:)``,
/// ``inLayer(_:)`` and ``inFile(_:)``, and never overwrites a location that is already set.
public struct NetconvError: Error, Sendable, Equatable {
  /// The category of the error, which determines the exit code of the command-line tool.
  public enum Kind: String, Sendable, Equatable {
    /// The caller requested something that is not possible.
    case usage
    /// An input is invalid; a hash mismatch counts as well.
    case badData
    /// An input does not exist or cannot be opened.
    case cannotOpen
    /// An internal error in netconv.
    case `internal`
    /// An output cannot be created.
    case cannotCreate
    /// Reading or writing failed partway through.
    case inputOutput
    /// The user interrupted the work.
    case interrupted
  }

  /// The category of the error.
  public var kind: Kind
  /// The file's path as the user gave it.
  public var file: String?
  /// The layer's name.
  public var layer: String?
  /// The tensor's role or path.
  public var tensor: String?
  /// The problem, the expected value, and a way to fix it.
  public var text: Message
  /// Details of the text, one per line.
  public var list: [Message]

  /// Creates an error without a location and without remedies.
  public init(_ kind: Kind, _ message: String, details: [String] = []) {
    self.init(kind, text: Message(text: message), list: details.messages)
  }

  /// Creates an error without a location.
  public init(_ kind: Kind, text: Message, list: [Message] = []) {
    self.kind = kind
    self.text = text
    self.list = list
  }

  /// The same error, located in `file` unless it already names a file.
  public func inFile(_ file: String) -> NetconvError {
    var error = self
    error.file = error.file ?? file
    return error
  }

  /// The same error, located in `layer` unless it already names a layer.
  public func inLayer(_ layer: String) -> NetconvError {
    var error = self
    error.layer = error.layer ?? layer
    return error
  }

  /// The same error, located in `tensor` unless it already names a tensor.
  ///
  /// An interruption is not attributed to a tensor.
  public func inTensor(_ tensor: String) -> NetconvError {
    guard kind != .interrupted else { return self }
    var error = self
    error.tensor = error.tensor ?? tensor
    return error
  }
}

extension NetconvError {
  /// The remedies that the text and the list mention.
  public var remedies: [Remedy] { text.remedies + list.flatMap(\.remedies) }

  /// The text in the library's wording.
  public var message: String { text.description }

  /// The list in the library's wording.
  public var details: [String] { list.map(\.description) }

  /// The location and the text.
  public var headline: Message {
    let inside = [
      layer.map { "layer \(quoted($0))" }, tensor.map { "tensor \(quoted($0))" },
    ].compactMap(\.self).joined(separator: ", ")
    let place = [file.map { escaped($0) }, inside.isEmpty ? nil : inside].compactMap(\.self)
    return (place.messages + [text]).joined(separator: ": ")
  }

  /// The location and the text, followed by the items of the list, each indented on its own line.
  public var lines: [Message] { [headline] + list.map { "  \($0)" } }
}

extension NetconvError: CustomStringConvertible {
  /// `FILE: layer 'conv1', tensor 'kernel': text`, followed by the indented list, in the library's wording.
  public var description: String { lines.joined(separator: "\n").description }
}

/// A name from a file, prepared for a message: hidden characters are escaped, long names are shortened.
///
/// - Returns: `'name'`, at most about 90 characters long.
public func quoted(_ name: some StringProtocol) -> String {
  let text = escaped(name)
  // Scalars rather than characters: a character may have any number of combining accents.
  let scalars = text.unicodeScalars
  guard scalars.count > 80 else { return "'\(text)'" }
  let (start, end) = (String(scalars.prefix(60)), String(scalars.suffix(10)))
  return "'\(start)…\(end)' (\(name.unicodeScalars.count) characters)"
}

extension Sequence where Element: StringProtocol {
  /// The names in quotes, prepared for a message as by ``quoted(_:)``, with commas between them.
  public var quotedList: String { map { quoted($0) }.joined(separator: ", ") }
}

/// A text from a file, prepared for a terminal: hidden characters, which could control the terminal or make two names
/// look alike, are escaped.
public func escaped(_ name: some StringProtocol) -> String {
  var text = ""
  for scalar in String(name).plain.unicodeScalars {
    if scalar.isHidden {
      text += "\\u{" + String(scalar.value, radix: 16) + "}"
    } else {
      text.unicodeScalars.append(scalar)
    }
  }
  return text
}

extension Unicode.Scalar {
  /// True for characters that are invisible or that move their neighbours: control characters, bidirectional marks,
  /// zero-width characters, tags.
  public var isHidden: Bool {
    switch value {
    case 0x20..<0x7f: false
    case 0..<0x20, 0x7f...0x9f, 0xad, 0x61c, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f,
      0xfeff, 0xfff9...0xfffb, 0xe0000...0xe007f:
      true
    default: false
    }
  }
}
