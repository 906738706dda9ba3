import Foundation
import TestSupport
import Testing

/// Models whose sizes are far beyond any machine, in documents of a few hundred bytes: every operator, with huge
/// sizes in its inputs and in its attributes.
enum OversizedModels {
  /// A model, and the files of its parameters.
  struct Case: Sendable {
    /// The part that is oversized.
    let name: String
    let document: String
    /// The size of each file in bytes; the files are sparse.
    let files: [String: Int]
  }

  /// A layer of ordinary size.
  struct Layer: Sendable {
    var inputs: [[Int]] = [image]
    /// True if the layer reads them.
    var reads = true
    /// The attributes as JSON.
    var attributes = "{}"
    /// The parameters: role, layout, and the number of values for the shape of the first input and the attributes.
    var parameters: [Parameter] = []
  }

  struct Parameter: Sendable {
    let role: String
    let layout: String
    let count: @Sendable (_ input: [Int], _ attributes: [String: Any]) -> Double
  }

  private static let image = [6, 5, 4]
  private static let sequence = [6, 4]
  private static let volume = [5, 6, 4, 3]

  /// Every operator by its name.
  static let layers: [String: Layer] = [
    "Activation": Layer(attributes: #"{"function": "softmax"}"#),
    "AdaptiveAveragePooling1D": adaptive1D, "AdaptiveAveragePooling2D": adaptive,
    "AdaptiveAveragePooling3D": adaptive3D, "AdaptiveMaxPooling3D": adaptive3D,
    "AdaptiveMaxPooling1D": adaptive1D, "AdaptiveMaxPooling2D": adaptive,
    "Add": pair, "Average": pair, "Divide": pair, "Maximum": pair, "Minimum": pair,
    "Multiply": pair, "Subtract": pair,
    "Attention": Layer(
      inputs: [[3, 4], [5, 4], [5, 4]], attributes: #"{"heads": 2}"#),
    "AveragePooling1D": pooling1D, "AveragePooling2D": pooling, "MaxPooling1D": pooling1D,
    "MaxPooling2D": pooling, "AveragePooling3D": pooling3D, "MaxPooling3D": pooling3D,
    "BatchNormalization": Layer(
      attributes: #"{"epsilon": 0.001}"#, parameters: vectors("gamma", "beta", "mean", "variance")),
    "CenterCrop": Layer(attributes: #"{"size": [3, 2]}"#),
    "Concatenate": Layer(inputs: [image, image], attributes: #"{"axis": -1}"#),
    "Constant": Layer(
      reads: false, attributes: #"{"shape": [3, 4]}"#,
      parameters: [
        Parameter(role: "value", layout: "WC") { _, attributes in
          (attributes["shape"] as? [NSNumber] ?? []).reduce(1) { $0 * $1.doubleValue }
        }
      ]),
    "Convolution1D": Layer(
      inputs: [sequence],
      attributes: #"{"outputChannels": 4, "groups": 1, \#(window1D), "dilation": [1]}"#,
      parameters: [kernel("kernel", "WIO"), bias]),
    "Convolution2D": Layer(
      attributes: #"{"outputChannels": 4, "groups": 1, \#(window), "dilation": [1, 1]}"#,
      parameters: [kernel("kernel", "HWIO"), bias]),
    "Convolution3D": Layer(
      inputs: [volume],
      attributes: #"{"outputChannels": 4, "groups": 1, \#(window3D), "dilation": [1, 1, 1]}"#,
      parameters: [kernel("kernel", "DHWIO"), bias]),
    "ConvolutionalLSTM1D": convolutional([5, 6, 4], window1D, "W"),
    "ConvolutionalLSTM2D": convolutional([5] + image, window, "HW"),
    "ConvolutionalLSTM3D": convolutional([2] + volume, window3D, "DHW"),
    "Cropping1D": Layer(inputs: [sequence], attributes: #"{"cropping": [[1, 0]]}"#),
    "Cropping2D": Layer(attributes: #"{"cropping": [[1, 0], [0, 1]]}"#),
    "Cropping3D": Layer(
      inputs: [volume], attributes: #"{"cropping": [[1, 0], [0, 1], [1, 1]]}"#),
    "Dense": Layer(
      attributes: #"{"units": 8}"#,
      parameters: [
        Parameter(role: "kernel", layout: "IO") { Double($0.last ?? 1) * number($1["units"]) },
        Parameter(role: "bias", layout: "O") { number($1["units"]) },
      ]),
    "DepthwiseConvolution1D": Layer(
      inputs: [sequence], attributes: #"{"depthMultiplier": 1, \#(window1D), "dilation": [1]}"#,
      parameters: [depthwise("kernel", "WIM")]),
    "DepthwiseConvolution2D": Layer(
      attributes: #"{"depthMultiplier": 1, \#(window), "dilation": [1, 1]}"#,
      parameters: [depthwise("kernel")]),
    "Dot": Layer(inputs: [[3, 4], [3, 4]], attributes: #"{"axes": [-1, -1]}"#),
    "Reduce": Layer(attributes: #"{"function": "mean", "axes": [0, 1]}"#),
    "Slice": Layer(
      attributes: #"{"starts": [1, 0, 0], "counts": [2, 5, 2], "steps": [2, 1, 3]}"#),
    "MatMul": Layer(inputs: [[3, 4], [3, 4]], attributes: #"{"transposesSecond": true}"#),
    "Elementwise": Layer(attributes: #"{"function": "squareRoot"}"#),
    "Pairwise": Layer(inputs: [image, image], attributes: #"{"function": "less"}"#),
    "Where": Layer(inputs: [image, image, image]),
    "ArgReduce": Layer(attributes: #"{"function": "maximum", "axis": 0}"#),
    "Embedding": Layer(
      inputs: [[6]], attributes: #"{"count": 5, "outputChannels": 4}"#,
      parameters: [
        Parameter(role: "kernel", layout: "IO") {
          number($1["count"]) * number($1["outputChannels"])
        }
      ]),
    "Flatten": Layer(), "GRU": recurrent(gates: 3, #", "resetsAfter": false"#),
    "Gather": Layer(inputs: [image, [6]], attributes: #"{"axis": 0}"#),
    "TopK": Layer(attributes: #"{"count": 2, "axis": 0}"#),
    "GatedLinearUnit": Layer(attributes: #"{"axis": -1}"#),
    "GlobalAveragePooling1D": Layer(inputs: [sequence]), "GlobalAveragePooling2D": Layer(),
    "GlobalAveragePooling3D": Layer(inputs: [volume], attributes: #"{"keepDimensions": true}"#),
    "GlobalMaxPooling3D": Layer(inputs: [volume], attributes: #"{"keepDimensions": true}"#),
    "GlobalMaxPooling1D": Layer(inputs: [sequence]), "GlobalMaxPooling2D": Layer(),
    "GroupNormalization": Layer(
      attributes: #"{"groups": 2, "epsilon": 0.001}"#, parameters: vectors("gamma", "beta")),
    "Identity": Layer(), "LSTM": recurrent(gates: 4),
    "LayerNormalization": Layer(
      attributes: #"{"epsilon": 0.001}"#, parameters: vectors("gamma", "beta")),
    "LocallyConnected1D": Layer(
      inputs: [sequence],
      attributes: #"{"outputChannels": 4, "kernelSize": [3], "strides": [1]}"#,
      parameters: [
        local("kernel", "L(WI)O") { area($1) * Double($0.last ?? 1) }, local("bias", "WO"),
      ]),
    "LocallyConnected2D": Layer(
      attributes: #"{"outputChannels": 4, "kernelSize": [3, 2], "strides": [1, 1]}"#,
      parameters: [
        local("kernel", "L(HWI)O") { area($1) * Double($0.last ?? 1) }, local("bias", "HWO"),
      ]),
    "MaskedAverage": Layer(inputs: [sequence, [6]]),
    "Masking": Layer(attributes: #"{"value": 0.5}"#),
    "Normalization": Layer(
      attributes: #"{"axes": [-1], "mean": [0, 0, 0, 0], "variance": [1, 1, 1, 1]}"#),
    "PReLU": Layer(
      attributes: #"{"sharedAxes": [1, 2]}"#,
      parameters: [Parameter(role: "alpha", layout: "11C") { input, _ in Double(input.last ?? 1) }]),
    "Permute": Layer(attributes: #"{"order": [1, 0, 2]}"#),
    "RMSNormalization": Layer(
      attributes: #"{"epsilon": 0.001}"#, parameters: vectors("gamma")),
    "RepeatVector": Layer(inputs: [[4]], attributes: #"{"count": 3}"#),
    "Rescaling": Layer(attributes: #"{"scale": [0.5], "offset": [0]}"#),
    "Reshape": Layer(attributes: #"{"shape": [5, 6, 4]}"#),
    "Resizing": Layer(attributes: #"{"size": [3, 7], "interpolation": "bilinear"}"#),
    "Reverse": Layer(),
    "Scale": Layer(parameters: vectors("gamma")),
    "ScaledAdd": Layer(inputs: [image, image], attributes: #"{"scale": 0.5}"#),
    "SeparableConvolution1D": Layer(
      inputs: [sequence],
      attributes:
        #"{"outputChannels": 4, "depthMultiplier": 1, \#(window1D), "dilation": [1]}"#,
      parameters: [
        depthwise("depthwise", "WIM"),
        Parameter(role: "pointwise", layout: "WIO") {
          Double($0.last ?? 1) * number($1["depthMultiplier"]) * number($1["outputChannels"])
        },
      ]),
    "SeparableConvolution2D": Layer(
      attributes:
        #"{"outputChannels": 4, "depthMultiplier": 1, \#(window), "dilation": [1, 1]}"#,
      parameters: [
        depthwise("depthwise"),
        Parameter(role: "pointwise", layout: "HWIO") {
          Double($0.last ?? 1) * number($1["depthMultiplier"]) * number($1["outputChannels"])
        },
      ]),
    "SimpleRNN": recurrent(gates: 1), "StepMask": Layer(attributes: #"{"value": 0.5}"#),
    "Quantized": Layer(
      attributes: """
        {"operator": "Identity", "attributes": {}, \
        "output": {"type": "int8", "scale": 0.5, "zeroPoint": 0}}
        """),
    "TimeDistributed": Layer(
      attributes: #"{"operator": "RepeatVector", "attributes": {"count": 3}}"#),
    "TransposedConvolution1D": Layer(
      inputs: [sequence], attributes: #"{"outputChannels": 4, \#(window1D), "dilation": [1]}"#,
      parameters: [kernel("kernel", "WOI"), bias]),
    "TransposedConvolution2D": Layer(
      attributes: #"{"outputChannels": 4, \#(window), "dilation": [1, 1]}"#,
      parameters: [kernel("kernel", "HWOI"), bias]),
    "TransposedConvolution3D": Layer(
      inputs: [volume], attributes: #"{"outputChannels": 4, \#(window3D), "dilation": [1, 1, 1]}"#,
      parameters: [kernel("kernel", "DHWOI"), bias]),
    "UnitNormalization": Layer(),
    "UpSampling1D": Layer(inputs: [sequence], attributes: #"{"size": [2]}"#),
    "UpSampling2D": Layer(attributes: #"{"size": [2, 2], "interpolation": "nearest"}"#),
    "UpSampling3D": Layer(inputs: [volume], attributes: #"{"size": [2, 1, 2]}"#),
    "ZeroPadding1D": Layer(inputs: [sequence], attributes: #"{"padding": [[1, 0]]}"#),
    "ZeroPadding2D": Layer(attributes: #"{"padding": [[1, 0], [0, 1]]}"#),
    "ZeroPadding3D": Layer(
      inputs: [volume], attributes: #"{"padding": [[1, 0], [0, 1], [2, 0]]}"#),
  ]

  private static let window = #""kernelSize": [3, 2], "strides": [1, 1], "padding": "same""#
  private static let window1D = #""kernelSize": [3], "strides": [1], "padding": "causal""#
  private static let window3D =
    #""kernelSize": [3, 2, 1], "strides": [1, 2, 1], "padding": "same""#
  private static let pooling1D = Layer(
    inputs: [sequence], attributes: #"{"poolSize": [2], "strides": [2], "padding": "same"}"#)

  private static let adaptive = Layer(attributes: #"{"outputSize": [3, 2]}"#)
  private static let adaptive3D = Layer(
    inputs: [volume], attributes: #"{"outputSize": [3, 2, 4]}"#)
  private static let adaptive1D = Layer(inputs: [sequence], attributes: #"{"outputSize": [3]}"#)

  private static func convolutional(_ input: [Int], _ window: String, _ axes: String) -> Layer {
    let padded = window.replacing("causal", with: "same")
    let dilation = axes.map { _ in "1" }.joined(separator: ", ")
    return Layer(
      inputs: [input],
      attributes: #"{"outputChannels": 4, \#(padded), "dilation": [\#(dilation)]}"#,
      parameters: [
        Parameter(role: "kernel", layout: axes + "I(GN)") {
          area($1) * Double($0.last ?? 1) * 4 * number($1["outputChannels"])
        },
        Parameter(role: "recurrent", layout: axes + "I(GN)") {
          area($1) * number($1["outputChannels"]) * 4 * number($1["outputChannels"])
        },
        Parameter(role: "bias", layout: "(GN)") { 4 * number($1["outputChannels"]) },
      ])
  }

  /// A parameter with values for each position of the output.
  private static func local(
    _ role: String, _ layout: String,
    _ each: @escaping @Sendable ([Int], [String: Any]) -> Double = { _, _ in 1 }
  ) -> Parameter {
    Parameter(role: role, layout: layout) { input, attributes in
      let kernel = (attributes["kernelSize"] as? [NSNumber] ?? []).map(\.intValue)
      let strides = (attributes["strides"] as? [NSNumber] ?? []).map(\.intValue)
      var places = 1.0
      for (axis, size) in kernel.enumerated() where axis < input.count {
        places *= Double(max(0, input[axis] - size) / max(1, strides[axis]) + 1)
      }
      return places * each(input, attributes) * number(attributes["outputChannels"])
    }
  }

  private static func recurrent(gates: Int, _ attributes: String = "") -> Layer {
    let columns = gates == 1 ? "N" : "(GN)"
    let count = Double(gates)
    return Layer(
      inputs: [sequence], attributes: #"{"units": 4\#(attributes)}"#,
      parameters: [
        Parameter(role: "kernel", layout: "I" + columns) {
          Double($0.last ?? 1) * count * number($1["units"])
        },
        Parameter(role: "recurrent", layout: "I" + columns) {
          number($1["units"]) * count * number($1["units"])
        },
        Parameter(role: "bias", layout: columns) { count * number($1["units"]) },
      ])
  }

  private static let pair = Layer(inputs: [image, image])
  private static let pooling = Layer(
    attributes: #"{"poolSize": [2, 2], "strides": [2, 2], "padding": "same"}"#)
  private static let pooling3D = Layer(
    inputs: [volume],
    attributes: #"{"poolSize": [2, 1, 2], "strides": [2, 1, 2], "padding": "same"}"#)
  private static let bias = Parameter(role: "bias", layout: "O") { number($1["outputChannels"]) }

  private static func kernel(_ role: String, _ layout: String) -> Parameter {
    Parameter(role: role, layout: layout) {
      area($1) * Double($0.last ?? 1) * number($1["outputChannels"]) / max(1, number($1["groups"]))
    }
  }

  private static func depthwise(_ role: String, _ layout: String = "HWIM") -> Parameter {
    Parameter(role: role, layout: layout) {
      area($1) * Double($0.last ?? 1) * number($1["depthMultiplier"])
    }
  }

  private static func vectors(_ roles: String...) -> [Parameter] {
    roles.map { Parameter(role: $0, layout: "C") { input, _ in Double(input.last ?? 1) } }
  }

  private static func number(_ value: Any?) -> Double { (value as? NSNumber)?.doubleValue ?? 0 }

  private static func area(_ attributes: [String: Any]) -> Double {
    (attributes["kernelSize"] as? [NSNumber] ?? []).reduce(1) { $0 * $1.doubleValue }
  }

  /// The models of an operator.
  ///
  /// - Parameter large: true to include models that can be run, in minutes.
  static func cases(of name: String, large: Bool) throws -> [Case] {
    guard let layer = layers[name] else { return [] }
    let attributes = try jsonObject(layer.attributes.utf8)
    var cases: [Case] = []
    for (what, inputs) in hugeInputs(layer.inputs, large: large) {
      cases.append(try model(name, layer, what, inputs, attributes))
    }
    for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
      for size in (large ? [1 << 20] : []) + [1 << 31, 1 << 62] {
        guard let huge = replaced(value, by: size) else { continue }
        var changed = attributes
        changed[key] = huge
        cases.append(try model(name, layer, "\(key) of \(size)", layer.inputs, changed))
      }
    }
    return cases
  }

  /// Input sizes of which one is too large, or whose product overflows or takes terabytes.
  private static func hugeInputs(_ inputs: [[Int]], large: Bool) -> [(String, [[Int]])] {
    var huge: [(String, [[Int]])] = []
    for (axis, size) in zip(inputs[0].indices, [1 << 31, 1 << 40, 1 << 62].reversed()) {
      huge.append(
        (
          "axis \(axis) of \(size)",
          inputs.map { shape in
            shape.indices.map { $0 == axis ? size : shape[$0] }
          }
        ))
    }
    for size in (large ? [1 << 22] : []) + [1 << 16, 1 << 31, 1 << 40] {
      huge.append(("axes of \(size)", inputs.map { $0.map { _ in size } }))
    }
    for size in [1 << 31, 1 << 40] {
      huge.append(("rows of \(size)", inputs.map { [size] + $0.dropFirst() }))
    }
    return huge
  }

  /// An attribute with `size` for each of its whole numbers; `nil` if it has none.
  private static func replaced(_ value: Any, by size: Int) -> Any? {
    if let values = value as? [Any] {
      let changed = values.map { replaced($0, by: size) ?? $0 }
      return values.contains { replaced($0, by: size) != nil } ? changed : nil
    }
    guard !(value is String), let number = value as? NSNumber,
      number.doubleValue == number.doubleValue.rounded()
    else { return nil }
    return size
  }

  private static func model(
    _ name: String, _ layer: Layer, _ what: String, _ inputs: [[Int]], _ attributes: [String: Any]
  ) throws -> Case {
    var files: [String: Int] = [:]
    var parameters: [[String: String]] = []
    for parameter in layer.parameters {
      let bytes = 4 * parameter.count(inputs[0], attributes)
      // A file that is too large to be read in a test is one that is too short.
      files[parameter.role + ".bin"] = bytes <= 0x1p28 ? Int(bytes) : 16
      parameters.append([
        "role": parameter.role, "file": parameter.role + ".bin", "dtype": "float32",
        "layout": parameter.layout,
      ])
    }
    let document: [String: Any] = [
      "format": "netconv-model", "version": 1, "name": "m", "outputs": ["y"],
      "inputs": inputs.enumerated().map { ["name": "x\($0)", "shape": $1] as [String: Any] },
      "layers": [
        [
          "name": "y", "operator": name,
          "inputs": layer.reads ? inputs.indices.map { "x\($0)" } : [],
          "attributes": attributes, "parameters": parameters,
        ] as [String: Any]
      ],
    ]
    let text = try JSONSerialization.data(withJSONObject: document, options: .sortedKeys)
    return Case(
      name: "\(name), \(what)", document: String(decoding: text, as: UTF8.self), files: files)
  }

  /// Models of several layers whose sizes only grow as they go.
  static let chains: [Case] = [
    chain(
      "a sum that spreads a row and a column",
      inputs: ["[1099511627776, 1, 1]", "[1, 1099511627776, 1]"],
      [#""operator": "Add", "inputs": ["x0", "x1"]"#]),
    chain(
      "rows and columns that are spread one after the other",
      inputs: ["[1048576, 1, 1]", "[1, 1048576, 1]", "[1, 1, 1048576]"],
      [#""operator": "Multiply", "inputs": ["x0", "x1", "x2"]"#]),
    chain(
      "concatenations of huge vectors", inputs: ["[1099511627776]"],
      [#""operator": "Concatenate", "inputs": ["x0", "x0", "x0", "x0"]"#]),
    chain(
      "open sizes that are enlarged again and again", inputs: ["[null, null, 1]"],
      (0..<4).map {
        #""operator": "UpSampling2D", "attributes": {"size": [1048576, 1048576]}, "#
          + #""inputs": ["\#($0 == 0 ? "x0" : "y\($0 - 1)")"]"#
      }),
    chain(
      "open sizes that are padded and repeated", inputs: ["[null, null, null]"],
      [
        #""operator": "ZeroPadding2D", "inputs": ["x0"], "#
          + #""attributes": {"padding": [[1048576, 1048576], [1048576, 1048576]]}"#,
        #""operator": "Resizing", "inputs": ["y0"], "attributes": {"size": [1048576, 1048576]}"#,
      ]),
    chain(
      "twenty open axes",
      inputs: ["[" + Array(repeating: "null", count: 20).joined(separator: ", ") + "]"],
      [#""operator": "Flatten", "inputs": ["x0"]"#]),
    chain(
      "a hundred layers that are as large as one may be", inputs: ["[16777216, 16777216]"],
      (0..<600).map { #""operator": "Identity", "inputs": ["\#($0 == 0 ? "x0" : "y\($0 - 1)")"]"# }),
    chain(
      "a reshape to sizes that overflow", inputs: ["[null, 4]"],
      [#""operator": "Reshape", "inputs": ["x0"], "attributes": {"shape": [1099511627776, -1]}"#]),
  ]

  private static func chain(_ name: String, inputs: [String], _ layers: [String]) -> Case {
    let inputs = inputs.enumerated().map { #"{"name": "x\#($0)", "shape": \#($1)}"# }
    let texts = layers.enumerated().map { #"{"name": "y\#($0)", \#($1)}"# }
    return Case(
      name: name,
      document: """
        {"format": "netconv-model", "version": 1, "name": "m",
         "inputs": [\(inputs.joined(separator: ", "))], "outputs": ["y\(layers.count - 1)"],
         "layers": [\(texts.joined(separator: ",\n"))]}
        """, files: [:])
  }
}
