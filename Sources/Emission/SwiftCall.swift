/// Source text of calls and declarations, broken into lines of at most 100 columns.
enum SwiftCall {
  private static let width = 100

  /// A call `target(arguments)`, indented: one line if it fits, otherwise with the arguments on
  /// their own lines.
  ///
  /// - Parameter closure: A call in a trailing closure, on the same line if it fits.
  static func text(
    _ target: String, _ arguments: [String?], closure: (target: String, arguments: [String])? = nil,
    indent: Int
  ) -> String {
    let call = text(target, arguments.compactMap(\.self), indent: indent)
    guard let closure else { return call }
    let line = "\(call) { \(closure.target)(\(closure.arguments.joined(separator: ", "))) }"
    if line.count <= width { return line }
    return "\(call) {\n\(text(closure.target, closure.arguments, indent: indent + 2))\n"
      + String(repeating: " ", count: indent) + "}"
  }

  /// A function's head `func name(parameters) result {`, indented: one line if it fits, otherwise
  /// with the parameters on their own lines.
  static func head(
    _ function: String, _ parameters: [String?], _ result: String, indent: Int
  ) -> String {
    let parameters = parameters.compactMap(\.self)
    let space = String(repeating: " ", count: indent)
    let line = "\(space)\(function)(\(parameters.joined(separator: ", "))) \(result) {"
    guard line.count > width else { return line }
    return "\(space)\(function)(\n" + broken(parameters, indent: indent) + "\n\(space)) \(result) {"
  }

  private static func text(_ target: String, _ arguments: [String], indent: Int) -> String {
    let space = String(repeating: " ", count: indent)
    let line = "\(space)\(target)(\(arguments.joined(separator: ", ")))"
    guard line.count > width else { return line }
    return "\(space)\(target)(\n" + broken(arguments, indent: indent) + ")"
  }

  /// Arguments on their own lines, with one column left for a closing parenthesis.
  private static func broken(_ arguments: [String], indent: Int) -> String {
    let space = String(repeating: " ", count: indent)
    var lines: [String] = []
    var current = space + " "
    for (index, argument) in arguments.enumerated() {
      let isLast = index == arguments.count - 1
      let piece = argument + (isLast ? "" : ",")
      if current.count + 1 + piece.count + (isLast ? 1 : 0) > width, current != space + " " {
        lines.append(current)
        current = space + " "
      }
      current += " " + piece
    }
    return (lines + [current]).joined(separator: "\n")
  }
}
