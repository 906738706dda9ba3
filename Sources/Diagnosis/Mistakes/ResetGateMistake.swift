import ModelIR
import Operators

/// A reset gate on the wrong side of the recurrent kernel; the paper's first and second versions
/// differ.
enum ResetGateMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    guard let found = layer.operation as? any ResettingOperator else { return [] }
    let (place, right) = found.resetsAfter ? ("after", "before") : ("before", "after")
    return [
      Repair(
        .resetGate,
        "the reset gate is applied \(place) the recurrent kernel, expected \(right) it",
        advice: "set resetsAfter to \(!found.resetsAfter)"
      ) { layer in
        var changed = found
        changed.resetsAfter.toggle()
        layer.operation = changed
      }
    ]
  }
}
