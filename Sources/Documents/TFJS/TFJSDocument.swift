import ModelIR

/// The contents of TensorFlow.js's `model.json`: layers as Keras 2 describes them, and their arrays.
///
/// Source: tensorflow/tfjs, tfjs-layers/src/models.ts, `loadLayersModelFromIOHandler`;
/// tfjs-layers/src/engine/container.ts, `fromConfig` and `loadWeights`, which finds an array by the name of its layer
/// and its own.
public struct TFJSDocument: Sendable {
  /// An array of a layer.
  public struct Weight: Sendable, Equatable {
    /// The name, such as `conv1/kernel`.
    public let name: String
    /// The tensor that the array stores.
    public let key: TensorKey
  }

  /// The network as in `model_config`.
  public let config: JSONValue
  /// All arrays, in the order of the layers.
  public let weights: [Weight]

  /// Creates the document of a model.
  ///
  /// - Throws: `badData` with the layer that TensorFlow.js does not support, and the reason.
  public init(_ model: Model) throws(NetconvError) {
    let model = model.separated
    if let input = model.inputs.first(where: { !($0.preprocessing ?? []).isEmpty }) {
      throw .preprocessedInputOfTFJS(input.name)
    }
    var names = TFJSNames()
    var layers: [JSONValue] = []
    var weights: [Weight] = []
    for input in model.inputs {
      let name = names.name(for: input.name)
      let sizes = input.shape.dimensions.map { $0.map { JSONValue.number(Double($0)) } ?? .null }
      layers.append(
        TFJSLayer(
          "InputLayer", [("batch_input_shape", .array([.null] + sizes)), ("sparse", .bool(false))]
        ).value(called: name, reading: []))
    }
    // TensorFlow.js cannot load the arrays of a layer that no output depends on.
    let needed = model.layersNeeded(for: Set(model.outputs))
    for layer in model.layers where needed.contains(layer.name) {
      do throws(NetconvError) {
        let inputs = layer.inputs.map { names[$0] }
        let parts = try TFJSLayer.parts(of: layer)
        var last = inputs
        for (index, part) in parts.enumerated() {
          // Readers of the layer read its last part.
          let name = names.name(for: layer.name, suffix: index == 0 ? "" : part.suffix)
          layers.append(part.value(called: name, reading: last))
          weights += part.weights.map { Weight(name: "\(name)/\($0.name)", key: $0.key) }
          last = [name]
        }
        let mapped = Set(parts.flatMap(\.weights).map(\.key.role))
        if let other = layer.parameters.first(where: { !mapped.contains($0.spec.role) }) {
          throw .parameterOfTFJS(other.spec.role.rawValue)
        }
      } catch {
        throw error.inLayer(layer.name)
      }
    }
    self.weights = weights
    let ends = { (names: [String]) in
      JSONValue.array(names.map { .array([.string($0), .number(0), .number(0)]) })
    }
    config = .object([
      "class_name": .string("Model"),
      "config": .object([
        "name": .string(TFJSNames.plain(model.name)), "layers": .array(layers),
        "input_layers": ends(model.inputs.map { names[$0.name] }),
        "output_layers": ends(model.outputs.map { names[$0] }),
      ]),
    ])
  }
}

/// The names of layers in TensorFlow.js, which are the prefixes of its variables' names.
///
/// Source: tensorflow/tfjs, tfjs-layers/src/common.ts, `isValidTensorName`.
private struct TFJSNames {
  private var names: [String: String] = [:]
  private var used: Set<String> = []

  /// Returns the name of the layer that computes the values of a layer or input.
  subscript(name: String) -> String { names[name] ?? name }

  /// Returns a unique name for a layer, or, with a suffix, for an additional part of it.
  mutating func name(for name: String, suffix: String = "") -> String {
    let plain = Self.plain(name) + suffix
    var unique = plain
    var number = 1
    while !used.insert(unique).inserted {
      unique = "\(plain)_\(number)"
      number += 1
    }
    names[name] = unique
    return unique
  }

  /// Returns a name of letters, digits and `-`, `_`, `.` that starts with a letter or a digit.
  static func plain(_ name: String) -> String {
    let text = String(
      name.unicodeScalars.map { scalar in
        let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9") ~= scalar)
        return isPlain || "-_.".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
      })
    guard let first = text.first, first.isLetter || first.isNumber else { return "layer" + text }
    return text
  }
}

extension NetconvError {
  fileprivate static func preprocessedInputOfTFJS(_ input: String) -> NetconvError {
    NetconvError(
      .badData,
      "input \(quoted(input)) has preprocessing steps, which a layers model of TensorFlow.js cannot store; remove "
        + "them from model.json and do them in JavaScript")
  }

  fileprivate static func parameterOfTFJS(_ role: String) -> NetconvError {
    NetconvError(
      .badData,
      "has a parameter \(quoted(role)), which the layer of TensorFlow.js lacks; choose another target"
    )
  }
}
