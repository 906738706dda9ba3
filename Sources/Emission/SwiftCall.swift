/// Statements that are broken into lines as a person does it.
enum SwiftCall {
  private static let width = 100

  /// `target(arguments)`, indented: on one line if it fits, else the arguments below.
  static func text(_ target: String, _ arguments: [String?], indent: Int) -> String {
    let arguments = arguments.compactMap(\.self)
    let space = String(repeating: " ", count: indent)
    let line = "\(space)\(target)(\(arguments.joined(separator: ", ")))"
    guard line.count > width else { return line }
    var lines = ["\(space)\(target)("]
    var current = space + " "
    for (index, argument) in arguments.enumerated() {
      let piece = argument + (index == arguments.count - 1 ? ")" : ",")
      if current.count + 1 + piece.count > width, current != space + " " {
        lines.append(current)
        current = space + " "
      }
      current += " " + piece
    }
    return (lines + [current]).joined(separator: "\n")
  }
}
