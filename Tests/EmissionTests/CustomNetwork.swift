import ModelDSL
import ModelIR

/// A small network with two closure layers: one is used twice, the other has two inputs, one of them the network's input.
enum CustomNetwork {
  /// The network.
  ///
  /// - Parameter names: of the two layers.
  static func model(_ names: (String, String) = ("power", "blend")) throws -> Model {
    let image = Input(width: 4, height: 5, channels: 3, name: "image")
    let power = Custom(name: names.0) {
      $0[0]
    } evaluate: {
      $0[0].map { $0 * $0 + $0 }
    }
    let blend = Custom(inputs: 2...2, name: names.1) {
      $0[0]
    } evaluate: { inputs in
      NDArray(
        shape: inputs[0].shape,
        values: zip(inputs[0].values, inputs[1].values).map { $0 / 2 - $1 })
    }
    let conv =
      image --> Convolution(kernel: (1, 1), channels: 5, name: "first")
      --> Convolution(kernel: (3, 2), channels: 8, name: "conv")
    // Kernels would write their part of the concatenation themselves; the app does not.
    let joined = Concatenate([conv --> power, conv], name: "joined")
    let narrow =
      power.applied(to: [joined], as: names.0 + " again")
      --> Convolution(kernel: (1, 2), channels: 3, name: "narrow")
    let output = blend.applied(to: [narrow, image]) --> Dense(neurons: 7, name: "fc")
    return try Model(
      name: "custom", input: image, output: output,
      loader: ParameterLoader { layer, spec in
        let count = spec.layout.axes.reduce(1) { $0 * (spec.sizes[$1] ?? 1) }
        // Any numbers from -0.25 to 0.25 that are not in order.
        return StoredTensor((0..<count).map { Float(($0 * 37 + count) % 101 - 50) / 200 })
      })
  }

  /// A network of a chain of closures with these names.
  static func chain(_ names: [String], _ shapes: [Shape] = []) throws -> Model {
    let input = Input(width: 3, height: 2, channels: 4, name: "image")
    var node: any NodeSource = input
    for (index, name) in names.enumerated() {
      let shape = index < shapes.count ? shapes[index] : nil
      let layer = Custom(name: name) {
        shape ?? $0[0]
      } evaluate: {
        $0[0]
      }
      node = layer.applied(to: [node])
    }
    return try Model(input: input, output: node)
  }

  /// The names of the protocol's two functions, for tests of reserved names.
  static let taken = ("init", "customLayers")
}
