import ModelIR
import NetconvKit

/// Prints the folded layers.
enum FoldingRendering {
  /// Prints the folded layers, and why the others remain.
  static func print(_ record: ConvertReport.Folding) {
    var table = TextTable([("folded", .name), ("into", .name), ("", .left)])
    for layer in record.layers {
      table.append(
        escaped(layer.layer), escaped(layer.into), layer.createdBias ? "with a new bias" : "")
    }
    if !record.layers.isEmpty {
      Output.print(table, indent: 2)
      Output.print("")
    }
    for layer in record.kept {
      Output.print("  \(escaped(layer.layer)) stays: \(layer.reason)")
    }
    if !record.kept.isEmpty { Output.print("") }
    if record.layers.isEmpty && record.kept.isEmpty {
      Output.print("  there is no BatchNormalization or Scale to fold")
      Output.print("")
    }
  }
}
