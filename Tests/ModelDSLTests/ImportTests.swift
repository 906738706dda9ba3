// All three at once, and nothing else that defines layers: no name may be in two of them.
import Foundation
import ModelDSL
import ModelIR
import NetconvKit
import TestSupport
import Testing

@Suite struct ThreeImportsTests {
  @Test func `the names of ModelDSL, ModelIR and NetconvKit live in one file`() throws {
    let relu: ActivationFunction = .relu
    let padding: Padding = .valid
    let input = Input(width: 12, height: 10, channels: 3, name: "image")
    let stem: Node =
      input --> Resize(width: 8, height: 6)
      --> Convolution(kernel: (3, 1), channels: 4, padding: padding, activation: relu, name: "conv")
      --> BatchNormalization(name: "norm")
    let side = stem --> DepthwiseConvolution(kernel: (1, 3), name: "depthwise")
    let joined = Concatenate([
      Add([stem, side]), stem --> AveragePooling(kernel: (3, 3), stride: (1, 1), padding: .same),
    ])
    let layers: [any NetworkLayer] = [
      MaxPooling(kernel: (2, 2)), Activation(.tanh), Flatten(), Dense(neurons: 3, name: "fc"),
      Softmax(),
    ]
    let classes = layers.reduce(joined.node) { node, layer in layer.applied(to: [node]) }
    let twice = Custom {
      $0[0]
    } evaluate: {
      $0[0].map { 2 * $0 }
    }
    let means = joined --> GlobalAveragePooling() --> twice
    let model: Model = try Model(
      inputs: [input], outputs: [classes, means, joined --> GlobalMaxPooling()]
    ) { (name: String, count: Int, role: ParameterRole) in
      StoredTensor((0..<count).map { Float($0 % 3 + 1) })
    }
    let first: Layer = model.layers[0]
    let tensor: Tensor = model.tensors[0]
    #expect(first.outputShape == Shape([6, 8, 3]))
    #expect(tensor.layout == Layout("HWIO"))
    let array = try NDArray<Float>(shape: [1, 10, 12, 3], filledWith: 1)
    let outputs = try EngineKind.fast.engine(for: model).run(["image": array])
    #expect(outputs[classes.name]?.top(1)[0].count == 1)
    #expect(Set(outputs.keys) == Set(model.outputs))
    #expect(model.summary().contains("GlobalMaxPooling2D"))
    #expect(throws: NetconvError.self) { try Netconv.inspect("/nowhere") }
  }

  @Test func `no public name of ModelDSL is one of ModelIR's or NetconvKit's`() throws {
    func names(_ module: String) throws -> Set<String> {
      let root = "\(Fixtures.repository)/Sources/\(module)"
      let pattern =
        #/(?m)^public (?:final )?(?:struct|class|enum|protocol|typealias|func|var|let) (\w+)/#
      var names: Set<String> = []
      for path in try FileManager.default.subpathsOfDirectory(atPath: root)
      where path.hasSuffix(".swift") {
        let text = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
        names.formUnion(text.matches(of: pattern).map { String($0.output.1) })
      }
      return names
    }
    let own = try names("ModelDSL")
    #expect(own.isSuperset(of: ["Node", "Input", "Convolution", "Padding", "Custom"]))
    #expect(own.isDisjoint(with: try names("ModelIR")))
    #expect(own.isDisjoint(with: try names("NetconvKit")))
  }
}
