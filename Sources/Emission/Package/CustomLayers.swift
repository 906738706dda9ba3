import ModelIR
import Operators

/// The custom layers of a model.
///
/// A package declares a protocol with a function for each, which the app implements.
struct CustomLayers: Sendable {
  /// A requirement of the protocol.
  struct Function: Sendable {
    /// The name of the function.
    let name: String
    /// The layers that the function computes, in the order of the model: copies of one operator.
    fileprivate(set) var layers: [Layer]
    fileprivate let identity: ObjectIdentifier

    /// True if the function accepts an array of inputs.
    var takesSeveral: Bool { layers.contains { $0.inputs.count > 1 } }
  }

  /// The functions in the order of their first layers in the model.
  let functions: [Function]

  /// Creates the custom layers of `model` on which an output depends.
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

  /// True if the model has no custom layers.
  var isEmpty: Bool { functions.isEmpty }

  /// The function that computes a layer.
  func function(of layer: String) -> Function? {
    functions.first { $0.layers.contains { $0.name == layer } }
  }

  // MARK: - Text

  /// The name of the protocol.
  static func type(in name: PackageName) -> String { "\(name)CustomLayers" }

  /// The parameter of an initialiser for the custom layers.
  static func parameter(in name: PackageName) -> String {
    "customLayers: any \(type(in: name))"
  }

  /// The comment above a requirement, with its input and output shapes.
  ///
  /// - Parameters:
  ///   - title: The first line, for functions of one input or of several.
  ///   - shapes: Returns the shapes of a layer's inputs and of its output.
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

  /// The source text of a requirement: one line if it fits, otherwise with the parameters on their
  /// own lines.
  static func declaration(_ function: Function, _ parameters: String, _ result: String) -> String {
    let line = "  func \(function.name)(\(parameters)) \(result)"
    return line.count <= 100
      ? line : "  func \(function.name)(\n    \(parameters)\n  ) \(result)"
  }
}
