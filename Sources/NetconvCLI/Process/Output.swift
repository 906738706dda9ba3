import ModelIR
import NetconvKit
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The output of the process: results on stdout, everything else on stderr.
enum Output {
  /// The pending result, which is written when the work is complete, so that it is never partial.
  private static let pending = Mutex<[UInt8]>([])

  /// True if names may be truncated when a table is wider than the terminal.
  static let cutsNames = Mutex(true)

  /// Adds lines to the result, with other control characters escaped.
  static func print(_ text: String) {
    write(Array(lines(text.hasSuffix("\n") ? text : text + "\n").utf8))
  }

  /// Adds a line with an emphasised figure, in bold if stdout is a terminal.
  static func print(_ before: String, emphasizing figure: String, _ after: String) {
    let (bold, plain) = isColored ? ("\u{1b}[1m", "\u{1b}[0m") : ("", "")
    write(Array((lines(before) + bold + lines(figure) + plain + lines(after) + "\n").utf8))
  }

  /// The text with hidden characters escaped, except newlines and tabs, because names and paths are
  /// untrusted.
  private static func lines(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.isHidden) else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map { escaped($0) }
        .joined(separator: "\t")
    }.joined(separator: "\n")
  }

  /// Adds a table to the result, shortened to the width of the terminal.
  static func print(_ table: TextTable, indent: Int = 0) {
    var text: [UInt8] = []
    let width = cutsNames.withLock(\.self) ? terminalWidth : nil
    for line in table.lines(within: width.map { max(1, $0 - indent) }) {
      text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent))
      text.append(contentsOf: line.utf8)
      text.append(UInt8(ascii: "\n"))
    }
    write(text)
  }

  /// Adds a report to the result as JSON.
  static func print(json report: some Report) throws(NetconvError) {
    write(try report.json(words: \.option))
  }

  /// Adds a line with the path of a written page.
  static func written(_ page: PageFile) {
    print("written to \(escaped(page.path))")
  }

  /// Adds bytes to the result.
  static func write(_ bytes: [UInt8]) {
    pending.withLock { $0 += bytes.plainText }
  }

  /// Writes a line to stderr.
  static func error(_ text: String) {
    // If stderr is closed, the error cannot be reported.
    _ = write(Array((lines(text) + "\n").plain.utf8), to: STDERR_FILENO)
  }

  /// Writes the result, followed by its verdict on stderr.
  ///
  /// If both streams have the same destination, the verdict comes last.
  ///
  /// - Throws: `inputOutput` if the result cannot be written.
  static func conclude(_ lines: [String]) throws(NetconvError) {
    try flush()
    lines.forEach(error)
  }

  /// Writes the result to stdout.
  ///
  /// - Throws: `inputOutput`, for example if the disk is full.
  static func flush() throws(NetconvError) {
    let bytes = pending.withLock { bytes in
      defer { bytes = [] }
      return bytes
    }
    guard write(bytes, to: STDOUT_FILENO) else {
      throw NetconvError(
        .inputOutput, "the result cannot be written (\(String(cString: strerror(errno))))"
      ).inFile("standard output")
    }
  }

  /// Writes all of `bytes`; returns false if the system refuses.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      #if canImport(Glibc)
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      #else
        let count = rest.withUnsafeBytes { Darwin.write(descriptor, $0.baseAddress, $0.count) }
      #endif
      if count < 0, errno != EINTR { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  /// The number of columns of the terminal on stdout; `nil` if there is none or it is unknown.
  private static var terminalWidth: Int? {
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1,
      withUnsafeMutablePointer(to: &size, { ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), $0) }) == 0,
      size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }

  /// True if stdout is a terminal that supports colour.
  private static var isColored: Bool {
    isatty(STDOUT_FILENO) == 1 && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
  }

  /// True if stderr is a terminal.
  static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }
}
