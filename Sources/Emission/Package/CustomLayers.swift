import ModelIR
import Operators

/// The layers of a model that only code knows: a package has a protocol with a function for each, which the app implements.
struct CustomLayers: Sendable {
  /// A requirement of the protocol.
  struct Function: Sendable {
    /// What it is called.
    let name: String
    /// The layers that it computes, in the order of the model: copies of one operator.
    fileprivate(set) var layers: [Layer]
    fileprivate let identity: ObjectIdentifier

    /// Whether it takes an array of inputs.
    var takesSeveral: Bool { layers.contains { $0.inputs.count > 1 } }
  }

  /// In the order in which the model has their first layers.
  let functions: [Function]

  /// The layers of `model` that an output depends on.
  init(_ model: Model) {
    let uses = LayerUses(model)
    var identifiers = SwiftIdentifiers()
    var functions: [Function] = []
    for layer in model.layers where uses.reachesOutput(layer.name) {
      guard let operation = layer.operation as? any ClosureOperator else { continue }
      let identity = operation.identity
      if let index = functions.firstIndex(where: { $0.identity == identity }) {
        functions[index].layers.append(layer)
      } else {
        let name = identifiers.next(SwiftText.camelCase(layer.name))
        functions.append(Function(name: name, layers: [layer], identity: identity))
      }
    }
    self.functions = functions
  }

  /// Whether there are none.
  var isEmpty: Bool { functions.isEmpty }

  /// The function that computes a layer.
  func function(of layer: String) -> Function? {
    functions.first { $0.layers.contains { $0.name == layer } }
  }

  // MARK: - Text

  /// The type of the protocol.
  static func type(in name: PackageName) -> String { "\(name)CustomLayers" }

  /// What an initialiser takes besides.
  static func parameter(in name: PackageName) -> String {
    "customLayers: any \(type(in: name))"
  }

  /// The comment above a requirement: what goes in and what comes out.
  ///
  /// - Parameters:
  ///   - title: what is said of the shapes.
  ///   - shapes: those of a layer's inputs, and of its output.
  static func comment(
    _ function: Function, _ title: (one: String, several: String),
    _ shapes: (Layer) -> (inputs: [String], output: String)
  ) -> String {
    let rows = function.layers.map { layer in
      let shapes = shapes(layer)
      return (layer.name, "\(shapes.inputs.joined(separator: ", ")) -> \(shapes.output)")
    }
    return "  /// \(function.takesSeveral ? title.several : title.one)\n  ///\n"
      + PackageText.table(rows).map { "  ///     \($0)\n" }.joined()
  }

  /// A requirement of the protocol: on one line if it fits, else the parameters below.
  static func declaration(_ function: Function, _ parameters: String, _ result: String) -> String {
    let line = "  func \(function.name)(\(parameters)) \(result)"
    return line.count <= 100
      ? line : "  func \(function.name)(\n    \(parameters)\n  ) \(result)"
  }
}
