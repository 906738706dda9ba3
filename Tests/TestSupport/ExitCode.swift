import Testing

/// The exit code of a program, which shows what the program has printed where a test expected another.
public struct ExitCode: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  /// The exit code, or 128 + the number of the signal that ended the process.
  public let code: Int32
  private let printed: String

  /// The code of a program that has printed `printed`.
  public init(_ code: Int32, printed: String = "") {
    (self.code, self.printed) = (code, printed)
  }

  /// The code of a program of which nothing else is known.
  public init(integerLiteral code: Int32) { self.init(code) }

  /// Codes are compared, and nothing else.
  public static func == (left: ExitCode, right: ExitCode) -> Bool { left.code == right.code }
  /// Codes are compared, and nothing else.
  public static func < (left: ExitCode, right: ExitCode) -> Bool { left.code < right.code }
  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension ExitCode: CustomStringConvertible, CustomTestStringConvertible {
  /// The code.
  public var description: String { "\(code)" }

  /// What a failed expectation shows.
  public var testDescription: String {
    printed.isEmpty ? description : "\(code), of a program that printed:\n\(printed)\n"
  }
}
