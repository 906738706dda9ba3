/// What went wrong, where, and what to do about it: the one error type of netconv.
///
/// Code that finds a problem throws what it knows; every boundary on the way up adds the place with
/// ``inTensor(_:)``, ``inLayer(_:)`` and ``inFile(_:)``, and never overwrites one that is already known.
public struct NetconvError: Error, Sendable, Equatable {
  /// Whose fault it is; decides the exit code of the command line.
  public enum Kind: String, Sendable, Equatable {
    /// The caller asked for something that cannot be done.
    case usage
    /// An input holds something wrong, a wrong hash included.
    case badData
    /// An input does not exist or cannot be opened.
    case cannotOpen
    /// A fault of netconv's own.
    case `internal`
    /// An output cannot be created.
    case cannotCreate
    /// Reading or writing failed half-way.
    case inputOutput
    /// The user interrupted the work.
    case interrupted
  }

  /// Whose fault it is.
  public var kind: Kind
  /// The file, as the user named it.
  public var file: String?
  /// The layer's name.
  public var layer: String?
  /// The tensor's role or path.
  public var tensor: String?
  /// What was found, what was expected, what to do.
  public var text: Message
  /// A list that belongs to the text, one line each.
  public var list: [Message]

  /// An error that does not yet know where it happened, and speaks of no remedy.
  public init(_ kind: Kind, _ message: String, details: [String] = []) {
    self.init(kind, text: Message(text: message), list: details.messages)
  }

  /// An error that does not yet know where it happened.
  public init(_ kind: Kind, text: Message, list: [Message] = []) {
    self.kind = kind
    self.text = text
    self.list = list
  }

  /// The same error, in `file` unless it already names one.
  public func inFile(_ file: String) -> NetconvError {
    var error = self
    error.file = error.file ?? file
    return error
  }

  /// The same error, in `layer` unless it already names one.
  public func inLayer(_ layer: String) -> NetconvError {
    var error = self
    error.layer = error.layer ?? layer
    return error
  }

  /// The same error, in `tensor` unless it already names one.
  ///
  /// No tensor is the reason for an interruption.
  public func inTensor(_ tensor: String) -> NetconvError {
    guard kind != .interrupted else { return self }
    var error = self
    error.tensor = error.tensor ?? tensor
    return error
  }
}

extension NetconvError {
  /// What can be done about it: the remedies that text and list speak of.
  public var remedies: [Remedy] { text.remedies + list.flatMap(\.remedies) }

  /// The text in the words of the library.
  public var message: String { text.description }

  /// The list in the words of the library.
  public var details: [String] { list.map(\.description) }

  /// Place and text.
  public var headline: Message {
    let inside = [
      layer.map { "layer \(quoted($0))" }, tensor.map { "tensor \(quoted($0))" },
    ].compactMap(\.self).joined(separator: ", ")
    let place = [file.map { escaped($0) }, inside.isEmpty ? nil : inside].compactMap(\.self)
    return (place.messages + [text]).joined(separator: ": ")
  }

  /// Place and text, then a line for each of the list, indented.
  public var lines: [Message] { [headline] + list.map { "  \($0)" } }
}

extension NetconvError: CustomStringConvertible {
  /// `FILE: layer 'conv1', tensor 'kernel': text`, then the list, indented, in the words of the library.
  public var description: String { lines.joined(separator: "\n").description }
}

/// A name from a file, ready for a message: hidden characters escaped, long names shortened.
///
/// - Returns: `'name'`, at most about 90 characters long.
public func quoted(_ name: some StringProtocol) -> String {
  let text = escaped(name)
  // Scalars, not characters: any number of accents on one letter is one character.
  let scalars = text.unicodeScalars
  guard scalars.count > 80 else { return "'\(text)'" }
  let (start, end) = (String(scalars.prefix(60)), String(scalars.suffix(10)))
  return "'\(start)…\(end)' (\(name.unicodeScalars.count) characters)"
}

/// A text from a file, ready for a terminal: hidden characters, which could steer it or make two names look alike,
/// escaped.
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
  /// Whether the character shows nothing, or moves those around it: controls, marks of direction, characters without
  /// width, tags.
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
