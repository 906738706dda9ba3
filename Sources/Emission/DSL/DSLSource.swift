import ModelIR
import Operators

/// A model as a function in the model language.
struct DSLSource {
  /// The source text.
  let text: String

  /// A function called like `function` that builds `model`, which was read from `file`.
  ///
  /// - Throws: `badData` with every layer that the language has no word for.
  init(_ model: Model, from file: String, function: String) throws(NetconvError) {
    let names = model.inputs.map(\.name) + model.layers.map(\.name)
    let constants = Dictionary(
      uniqueKeysWithValues: zip(names, SwiftText.identifiers(names)))
    var lines = model.inputs.map { "let \(constants[$0.name] ?? "") = \(Self.input($0))" }
    var problems: [String] = []
    let read = Set(model.layers.flatMap(\.inputs) + model.outputs)
    for layer in model.layers {
      do throws(NetconvError) {
        // The language refuses what nobody reads.
        guard read.contains(layer.name) else { throw .reachesNoOutput }
        let words = try DSLLayer(layer)
        let reads = layer.inputs.map { constants[$0] ?? "" }
        lines.append("let \(constants[layer.name] ?? "") = \(words.applied(to: reads))")
      } catch {
        problems.append(error.inLayer(layer.name).headline.description)
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

  /// `Input(width: 28, height: 28, channels: 1, name: "image")`.
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

extension PixelStep {
  /// The step as Swift's source: `.mean([0.5])`.
  fileprivate var swiftText: String {
    switch self {
    case .scale(let numbers): ".scale(\(numbers))"
    case .offset(let numbers): ".offset(\(numbers))"
    case .mean(let numbers): ".mean(\(numbers))"
    case .deviation(let numbers): ".deviation(\(numbers))"
    case .invert(let largest): ".invert(from: \(largest))"
    case .channels(let order): ".channels(.\(order.rawValue))"
    case .transpose: ".transpose"
    case .axes(let order): ".axes(.\(order.rawValue))"
    }
  }
}

/// A layer in the words of the model language.
private struct DSLLayer {
  private let word: String
  private let arguments: [String]
  /// What this use of a layer is called, if it is another's layer.
  private let useName: String?
  /// Whether the layer takes a list of nodes itself.
  private let takesList: Bool

  /// - Throws: `badData` if the language has no word for it.
  init(_ layer: Layer) throws(NetconvError) {
    let owner = layer.parameters.first?.layer ?? layer.name
    useName = owner == layer.name ? nil : layer.name
    let phrase = try Self.phrase(layer)
    word = phrase.word
    arguments = phrase.arguments.compactMap(\.self) + ["name: " + SwiftText.literal(owner)]
    takesList = layer.operation is Operators.Concatenate || layer.operation is Operators.Add
  }

  func applied(to reads: [String]) -> String {
    let list = "[" + reads.joined(separator: ", ") + "]"
    guard takesList else {
      let layer = "\(word)(\(arguments.joined(separator: ", ")))"
      guard let useName else { return "\(reads.joined(separator: ", ")) --> \(layer)" }
      return layer + ".applied(to: \(list), as: \(SwiftText.literal(useName)))"
    }
    return "\(word)(" + ([list] + arguments).joined(separator: ", ") + ")"
  }

  private typealias Phrase = (word: String, arguments: [String?])

  private static func phrase(_ layer: Layer) throws(NetconvError) -> Phrase {
    let activation = { (function: ActivationFunction) in
      function.isLinear ? nil : "activation: " + function.swiftText
    }
    let bias = layer.parameter(.bias) == nil ? "useBias: false" : nil
    switch layer.operation {
    case let operation as Convolution2D:
      return (
        "Convolution",
        [
          "kernel: \(tuple(operation.kernelSize))", "channels: \(operation.outputChannels)",
          pair("stride", operation.strides), pair("dilation", operation.dilation),
          operation.groups == 1 ? nil : "groups: \(operation.groups)",
          operation.padding == .same ? nil : "padding: .valid", activation(operation.activation),
          bias,
        ]
      )
    case let operation as DepthwiseConvolution2D:
      return (
        "DepthwiseConvolution",
        [
          "kernel: \(tuple(operation.kernelSize))",
          operation.depthMultiplier == 1 ? nil : "multiplier: \(operation.depthMultiplier)",
          pair("stride", operation.strides), pair("dilation", operation.dilation),
          operation.padding == .same ? nil : "padding: .valid", activation(operation.activation),
          bias,
        ]
      )
    case let operation as Operators.Dense where layer.inputShapes[0].rank == 1:
      return ("Dense", ["neurons: \(operation.units)", activation(operation.activation), bias])
    case let operation as Operators.BatchNormalization:
      return (
        "BatchNormalization",
        [
          operation.epsilon == 0.001 ? nil : "epsilon: \(operation.epsilon)",
          operation.axis == -1 ? nil : "axis: \(operation.axis)",
          layer.parameter(.gamma) == nil ? "useScale: false" : nil,
          layer.parameter(.beta) == nil ? "useOffset: false" : nil,
        ]
      )
    default: return try plainPhrase(layer.operation)
    }
  }

  /// The words for layers without parameters.
  private static func plainPhrase(_ operation: any Operator) throws(NetconvError) -> Phrase {
    switch operation {
    case let operation as MaxPooling2D:
      return ("MaxPooling", pooling(operation.window))
    case let operation as AveragePooling2D:
      return ("AveragePooling", pooling(operation.window))
    case let operation as GlobalAveragePooling2D:
      return ("GlobalAveragePooling", [operation.keepDimensions ? "keepDimensions: true" : nil])
    case let operation as GlobalMaxPooling2D:
      return ("GlobalMaxPooling", [operation.keepDimensions ? "keepDimensions: true" : nil])
    case let operation as Operators.Activation:
      return operation.function == .softmax(axis: -1)
        ? ("Softmax", []) : ("Activation", [operation.function.swiftText])
    case let operation as Operators.Concatenate:
      return ("Concatenate", [operation.axis == -1 ? nil : "axis: \(operation.axis)"])
    case let operation as Resizing where operation.isPlain:
      return (
        "Resize",
        [
          "width: \(operation.size.width)", "height: \(operation.size.height)",
          operation.interpolation == .bilinear
            ? nil : "interpolation: .\(operation.interpolation.rawValue)",
        ]
      )
    case let operation as ZeroPadding2D:
      return (
        "ZeroPadding",
        [
          "left: \(operation.padding[1][0])", "right: \(operation.padding[1][1])",
          "top: \(operation.padding[0][0])", "bottom: \(operation.padding[0][1])",
        ]
      )
    case is Operators.Add: return ("Add", [])
    case is Operators.Flatten: return ("Flatten", [])
    case is Operators.Identity: return ("Identity", [])
    default: throw .noWord(type(of: operation).name)
    }
  }

  private static func pooling(_ window: Window2D) -> [String?] {
    [
      "kernel: \(tuple(window.size))",
      window.strides == window.size ? nil : "stride: \(tuple(window.strides))",
      window.padding == .valid ? nil : "padding: .same",
    ]
  }

  /// `(width, height)`.
  private static func tuple(_ size: Size2D) -> String { "(\(size.width), \(size.height))" }

  private static func pair(_ label: String, _ size: Size2D) -> String? {
    size == .one ? nil : "\(label): \(tuple(size))"
  }
}

extension Resizing {
  /// Whether nothing but size and interpolation is as it is by default.
  fileprivate var isPlain: Bool {
    self == Resizing(size: size, interpolation: interpolation)
  }
}
