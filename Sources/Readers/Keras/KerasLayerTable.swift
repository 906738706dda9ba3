import ModelIR
import Operators

/// The Keras layers that netconv reads, for the documentation.
package enum KerasLayerTable {
  /// Tables in Markdown: the classes of each mapping, its operators, and the settings that are not read; then the
  /// classes that are not read.
  package static var markdown: String {
    let rows = KerasLayers.all.map { mapping in
      [
        mapping.classNames.map { "`\($0)`" }.joined(separator: ", "),
        mapping.operators.map { "`\($0.name)`" }.joined(separator: ", "),
        mapping.refused.joined(separator: "; "),
      ]
    }
    let lines = [["Keras layer", "operator", "not read"], ["---", "---", "---"]] + rows
    let others = KerasClasses.unread.map { reason, names in
      [names.map { "`\($0)`" }.joined(separator: ", "), reason]
    }
    let unread = [["not read", "what it is"], ["---", "---"]] + others
    return Self.table(lines) + "\n" + Self.table(unread)
  }

  private static func table(_ rows: [[String]]) -> String {
    rows.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }

  /// Whether a class is in one of the tables.
  package static func knows(_ className: String) -> Bool {
    KerasLayers.mapping(of: className) != nil
      || KerasClasses.unread.contains { $0.classNames.contains(className) }
  }

  /// Classes that are read, and listed as not read.
  package static var classesInBothTables: [String] {
    KerasClasses.unread.flatMap(\.classNames).filter { KerasLayers.mapping(of: $0) != nil }
  }

  /// The operators that layers of a class become; none if it is not read.
  package static func operators(of className: String) -> [any Operator.Type] {
    KerasLayers.mapping(of: className)?.operators ?? []
  }
}
