import Documents
import ModelIR
import Operators
import Readers

/// The argument of `--replace`.
enum ReplacementTarget: FuzzTarget {
  static let name = "replacement"

  static func parse(_ bytes: [UInt8]) throws {
    let replacement = try LayerReplacement(String(decoding: bytes, as: UTF8.self))
    let again = try mustWork("reading the operator once more") { () throws(NetconvError) in
      try LayerReplacement("\(replacement.layer)=\(replacement.text)")
    }
    try hold(again.layer == replacement.layer, "the layer is another the second time")
    try hold(
      try document(again) == document(replacement), "the operator is another the second time")
  }

  /// The operator as in `model.json`.
  private static func document(_ replacement: LayerReplacement) throws(BrokenRule) -> [UInt8] {
    let layer = replacement.operation
    return try mustWork("writing the operator") { () throws(NetconvError) in
      try JSONDocument.encode(layer)
    }
  }
}
