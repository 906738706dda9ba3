import ModelIR
import Operators

/// A model as a function in the model language.
struct DSLSource {
  /// The source text.
  let text: String

  /// Creates a function named `function` that builds `model`, which was read from `file`.
  ///
  /// - Throws: `badData` with every layer that the language cannot express.
  init(_ model: Model, from file: String, function: String) throws(NetconvError) {
    let names = model.inputs.map(\.name) + model.layers.map(\.name)
    let constants = Dictionary(
      uniqueKeysWithValues: zip(names, SwiftText.identifiers(names)))
    var lines = model.inputs.map { "let \(constants[$0.name] ?? "") = \(Self.input($0))" }
    var problems: [Message] = []
    let read = Set(model.layers.flatMap(\.inputs) + model.outputs)
    for layer in model.layers {
      do throws(NetconvError) {
        // The language rejects a layer that nothing reads.
        guard read.contains(layer.name) else { throw .reachesNoOutput }
        let words = try DSLLayer(layer, reading: layer.inputs.map { constants[$0] ?? "" })
        lines.append("let \(constants[layer.name] ?? "") = \(words.text)")
      } catch {
        problems.append(error.inLayer(layer.name).headline)
      }
    }
    guard problems.isEmpty else { throw .notInLanguage(problems) }
    let inputs = model.inputs.map { constants[$0.name] ?? "" }.joined(separator: ", ")
    let outputs = model.outputs.map { constants[$0] ?? "" }.joined(separator: ", ")
    text = """
      // swift-format-ignore-file
      \(["ModelDSL", "ModelIR"].map { "import \($0)" }.joined(separator: "\n"))

      /// The model \(escaped(model.name)), as netconv has read it from \(escaped(file)).
      func \(SwiftText.identifiers([function])[0])(_ loader: ParameterLoader) throws(NetconvError) -> Model {
      \(lines.map { "  " + $0 }.joined(separator: "\n"))
        return try Model(
          name: \(SwiftText.literal(model.name)), inputs: [\(inputs)], outputs: [\(outputs)], loader: loader)
      }

      """
  }

  /// The source text of an input: `Input(width: 28, height: 28, channels: 1, name: "image")`.
  private static func input(_ input: ModelInput) -> String {
    let sizes = input.shape.dimensions
    var arguments =
      sizes.count == 3
      ? zip(["width", "height", "channels"], [sizes[1], sizes[0], sizes[2]]).compactMap {
        label, size in size.map { "\(label): \($0)" }
      }
      : ["shape: [" + sizes.map { $0.map(String.init) ?? "nil" }.joined(separator: ", ") + "]"]
    arguments.append("name: " + SwiftText.literal(input.name))
    if let short = input.preprocessing?.shortForm {
      if let scale = short.scale { arguments.append("scale: \(scale)") }
      if let offset = short.offset { arguments.append("offset: \(offset)") }
    } else if let steps = input.preprocessing {
      arguments.append("preprocessing: [" + steps.map(\.swiftText).joined(separator: ", ") + "]")
    }
    return "Input(" + arguments.joined(separator: ", ") + ")"
  }
}

extension NetconvError {
  fileprivate static var reachesNoOutput: NetconvError {
    NetconvError(.badData, "reaches no output")
  }
}
