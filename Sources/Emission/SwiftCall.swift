/// Statements that are broken into lines as a person does it.
enum SwiftCall {
  private static let width = 100

  /// `target(arguments)`, indented: on one line if it fits, else the arguments below.
  ///
  /// - Parameter closure: a call that is in braces behind it, on the same line if that fits.
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

  /// `func name(parameters) result {`, indented: on one line if it fits, else the parameters below.
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

  /// Arguments in lines of their own, with room for a parenthesis behind the last.
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
