import ModelIR
import Operators

/// The Keras layers that netconv reads, for the documentation.
package enum KerasLayerTable {
  /// A table in Markdown: the classes of each mapping, its operators, and the settings that are not read.
  package static var markdown: String {
    let rows = KerasLayers.all.map { mapping in
      [
        mapping.classNames.map { "`\($0)`" }.joined(separator: ", "),
        mapping.operators.map { "`\($0.name)`" }.joined(separator: ", "),
        mapping.refused.joined(separator: "; "),
      ]
    }
    let lines = [["Keras layer", "operator", "not read"], ["---", "---", "---"]] + rows
    return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }

  /// The operators that layers of a class become; none if it is not read.
  package static func operators(of className: String) -> [any Operator.Type] {
    KerasLayers.mapping(of: className)?.operators ?? []
  }
}
