import ModelIR
import NetconvKit
import Readers

/// Rules for weights without a graph: each tensor that they make has its own name and all its values.
enum RulesTarget: FuzzTarget {
  static let name = "rules"

  static func parse(_ bytes: [UInt8]) throws {
    try withFile(BindingTarget.weights) { weights in
      try withFile(bytes) { rules in
        let source = try ReaderRegistry.read(weights, ReaderOptions(acceptsWeights: true))
        for isReversed in [false, true] {
          var request = RuleRequest()
          (request.path, request.isReversed) = (rules, isReversed)
          guard let made = try? request.applied(to: source) else { continue }
          var names: Set<String> = []
          for tensor in made.source.network.tensors {
            let values = try mustWork("reading a tensor") { () throws(NetconvError) in
              try tensor.values()
            }
            try hold(values.count == tensor.storedShape.reduce(1, *), "a tensor lacks values")
            try hold(names.insert(tensor.stored.name ?? "").inserted, "two tensors have one name")
          }
        }
      }
    }
  }
}
