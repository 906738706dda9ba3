import ModelIR
import Operators

/// The tables of Keras layers for the documentation.
package enum KerasLayerTable {
  /// Markdown tables of the mapped classes with their operators and unsupported settings, followed by the unsupported
  /// classes.
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
    let unread = [["not read", "reason"], ["---", "---"]] + others
    return Self.table(lines) + "\n" + Self.table(unread)
  }

  private static func table(_ rows: [[String]]) -> String {
    rows.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }

  /// Returns true if a class is in one of the tables.
  package static func knows(_ className: String) -> Bool {
    KerasLayers.mapping(of: className) != nil
      || KerasClasses.unread.contains { $0.classNames.contains(className) }
  }

  /// Classes that both tables list by mistake.
  package static var classesInBothTables: [String] {
    KerasClasses.unread.flatMap(\.classNames).filter { KerasLayers.mapping(of: $0) != nil }
  }

  /// Returns the operators that a class maps to; empty if it is not supported.
  package static func operators(of className: String) -> [any Operator.Type] {
    KerasLayers.mapping(of: className)?.operators ?? []
  }
}
