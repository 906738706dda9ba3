import Testing

/// An exit code that shows the program's output if an expectation fails.
public struct ExitCode: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  /// The exit code, or 128 + the number of the signal that terminated the process.
  public let code: Int32
  private let printed: String

  /// Creates the exit code of a program with the output `printed`.
  public init(_ code: Int32, printed: String = "") {
    (self.code, self.printed) = (code, printed)
  }

  /// Creates an exit code without output.
  public init(integerLiteral code: Int32) { self.init(code) }

  /// Compares the codes only.
  public static func == (left: ExitCode, right: ExitCode) -> Bool { left.code == right.code }
  /// Compares the codes only.
  public static func < (left: ExitCode, right: ExitCode) -> Bool { left.code < right.code }
  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension ExitCode: CustomStringConvertible, CustomTestStringConvertible {
  /// The code as text.
  public var description: String { "\(code)" }

  /// The text for a failed expectation.
  public var testDescription: String {
    printed.isEmpty ? description : "\(code), of a program that printed:\n\(printed)\n"
  }
}
