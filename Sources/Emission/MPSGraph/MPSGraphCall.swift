/// A call that makes a tensor from another.
struct MPSGraphCall {
  /// What becomes of the name that Apple's tools show for the operation.
  enum Naming {
    /// An argument that has to be there, if only as `nil`: the graph's own functions.
    case required
    /// An argument that can be left out.
    case optional
    /// It follows from the argument `layer`.
    case ofLayer
  }

  /// What is called: `graph.reLU`, `layers.softPlus`.
  var function: String
  /// What the first argument is called, if it has a name.
  var sourceLabel: String?
  /// All but the first and the name.
  var arguments: [String] = []
  var naming = Naming.required
  /// The helpers that it needs.
  var helpers: Set<MPSGraphHelper> = []
  var throwsErrors = false
  /// Whether it is computed in floats where tensors are of float16, so that its result is rounded once.
  var isInFloats = false

  /// A function of the graph: `graph.reLU(with: x, name: "relu")`.
  static func graph(
    _ function: String, with sourceLabel: String? = nil, _ arguments: String...
  ) -> MPSGraphCall {
    MPSGraphCall(function: "graph." + function, sourceLabel: sourceLabel, arguments: arguments)
  }

  /// A function of several operations: `layers.softPlus(x, name: "softplus")`.
  static func helper(_ helper: MPSGraphHelper, _ arguments: String?...) -> MPSGraphCall {
    MPSGraphCall(
      function: "layers.\(helper)", arguments: arguments.compactMap(\.self), naming: .optional,
      helpers: [helper])
  }

  /// A function that names the layer, whose parameters it may read, in its errors: `try layers.convolution(x, layer: "conv1", …)`.
  static func layer(
    _ helper: MPSGraphHelper, _ layer: String, _ arguments: [String?]
  ) -> MPSGraphCall {
    MPSGraphCall(
      function: "layers.\(helper)",
      arguments: ["layer: " + SwiftText.literal(layer)] + arguments.compactMap(\.self),
      naming: .ofLayer, helpers: [helper], throwsErrors: true)
  }

  /// The same in floats.
  var inFloats: MPSGraphCall {
    var call = self
    call.isInFloats = true
    return call
  }

  /// The function with `try`, if it needs that.
  var attempt: String { (throwsErrors ? "try " : "") + function }

  /// All arguments.
  ///
  /// - Parameter name: a literal, or `nil` for an operation that needs none.
  func arguments(source: String, name: String?) -> [String] {
    var all = [(sourceLabel.map { $0 + ": " } ?? "") + source] + arguments
    switch naming {
    case .required: all.append("name: " + (name ?? "nil"))
    case .optional: all += name.map { ["name: " + $0] } ?? []
    case .ofLayer: break
    }
    return all
  }
}

/// A constant of the network's initialiser: a tensor of the graph.
struct MPSGraphStatement {
  /// What stands in front of it.
  var comment: [String] = []
  /// The constant's name.
  let constant: String
  /// What gives the tensor.
  let call: MPSGraphCall
  /// What it reads.
  let source: String
  /// All constants that it reads.
  let reads: [String]
  /// The name for tools, if it has one.
  let name: String?
  /// The layer whose output it is; `nil` for a tensor on the way there.
  var layer: String?

  /// The statement in a package with tensors of float16 or float32.
  func text(storesHalves: Bool, indent: Int) -> String {
    let name = name.map(SwiftText.literal)
    guard storesHalves, call.isInFloats else {
      return SwiftCall.text(
        "let \(constant) = \(call.attempt)", call.arguments(source: source, name: name),
        indent: indent)
    }
    return SwiftCall.text(
      "let \(constant) = \(call.throwsErrors ? "try " : "")layers.inFloats",
      [source, name.map { "name: " + $0 }],
      closure: (call.attempt, call.arguments(source: "$0", name: nil)), indent: indent)
  }
}
