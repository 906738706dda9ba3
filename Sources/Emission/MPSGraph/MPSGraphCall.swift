/// A call that creates a tensor from another.
struct MPSGraphCall {
  /// The form of the operation's name, which Apple's tools show.
  enum Naming {
    /// A required argument, possibly `nil`, as in the graph's own functions.
    case required
    /// An optional argument.
    case optional
    /// No argument: the name is derived from the argument `layer`.
    case ofLayer
  }

  /// The function: `graph.reLU`, `layers.softPlus`.
  var function: String
  /// The label of the first argument, if any.
  var sourceLabel: String?
  /// All arguments except the first and the name.
  var arguments: [String] = []
  var naming = Naming.required
  /// The helper functions that the call needs.
  var helpers: Set<MPSGraphHelper> = []
  var throwsErrors = false
  /// True if the operation is computed in float32 in a float16 network, so that its result is
  /// rounded once.
  var isInFloats = false

  /// Creates a call of the graph's function: `graph.reLU(with: x, name: "relu")`.
  static func graph(
    _ function: String, with sourceLabel: String? = nil, _ arguments: String...
  ) -> MPSGraphCall {
    MPSGraphCall(function: "graph." + function, sourceLabel: sourceLabel, arguments: arguments)
  }

  /// Creates a call of a helper with several operations: `layers.softPlus(x, name: "softplus")`.
  static func helper(_ helper: MPSGraphHelper, _ arguments: String?...) -> MPSGraphCall {
    MPSGraphCall(
      function: "layers.\(helper)", arguments: arguments.compactMap(\.self), naming: .optional,
      helpers: [helper])
  }

  /// Creates a call of a helper that reads the layer's parameters or names it in errors:
  /// `try layers.convolution(x, layer: "conv1", …)`.
  static func layer(
    _ helper: MPSGraphHelper, _ layer: String, _ arguments: [String?]
  ) -> MPSGraphCall {
    MPSGraphCall(
      function: "layers.\(helper)",
      arguments: ["layer: " + SwiftText.literal(layer)] + arguments.compactMap(\.self),
      naming: .ofLayer, helpers: [helper], throwsErrors: true)
  }

  /// The call with its operation computed in float32.
  var inFloats: MPSGraphCall {
    var call = self
    call.isInFloats = true
    return call
  }

  /// The function, preceded by `try` if it throws.
  var attempt: String { (throwsErrors ? "try " : "") + function }

  /// All arguments.
  ///
  /// - Parameter name: A string literal, or `nil` if the operation has no name.
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
  /// The comment above the statement.
  var comment: [String] = []
  /// The constant's name.
  let constant: String
  /// The call that creates the tensor.
  let call: MPSGraphCall
  /// The first argument.
  let source: String
  /// All constants that the statement reads.
  let reads: [String]
  /// The operation's name in tools, if any.
  let name: String?
  /// The layer with this output; `nil` for an intermediate tensor.
  var layer: String?

  /// The source text of the statement for a float16 or float32 network.
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
