import Datasets
import Documents
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing
import Transforms

/// Tensors by name that become the parameters of a graph that is somewhere else.
@Suite struct BindingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private typealias Array = (name: String, shape: [Int], values: [Float])

  /// A checkpoint with arrays, which a user may have named as they like.
  private func checkpoint(_ arrays: [Array]) throws -> String {
    var builder = CheckpointBuilder()
    var bytes: [UInt8] = []
    for array in arrays.sorted(by: { $0.name < $1.name }) {
      let values = littleEndian(array.values)
      builder.entries.append(
        (array.name, CheckpointBuilder.entry(array.shape, offset: bytes.count, size: values.count)))
      bytes += values
    }
    return try builder.write(to: folder, values: bytes)
  }

  /// LeNet in PyTorch's layouts: OIHW, and O(IHW) after the flatten.
  private static let lenet: [Array] = {
    func values(_ file: String) -> [Float] {
      let bytes =
        (try? Data(contentsOf: URL(filePath: Fixtures.sample("lenet-blobs/\(file).bin")))) ?? Data()
      return bytes.withUnsafeBytes { buffer in
        (0..<buffer.count / 4).map {
          Float(
            bitPattern: UInt32(
              littleEndian: buffer.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
        }
      }
    }
    let fc1 = values("fc1_W")
    return [
      ("conv1", [8, 1, 5, 3], values("conv1_W")), ("conv1_b", [8], values("conv1_b")),
      ("conv2", [16, 8, 5, 3], values("conv2_W")), ("conv2_b", [16], values("conv2_b")),
      ("fc1", [64, 320], (0..<64).flatMap { row in (0..<320).map { fc1[$0 * 64 + row] } }),
      ("fc1_b", [64], values("fc1_b")),
      ("fc2", [10, 64], values("fc2_W")), ("fc2_b", [10], values("fc2_b")),
    ]
  }()

  /// LeNet's arrays with names that start with layer names.
  private func lenet(_ name: (String) -> String) -> [Array] {
    Self.lenet.map { array in
      let isBias = array.name.hasSuffix("_b")
      let layer = isBias ? String(array.name.dropLast(2)) : array.name
      return ("\(name(layer))/\(isBias ? "bias" : "weight")", array.shape, array.values)
    }
  }

  /// LeNet's graph without parameters, as a `model.json`.
  private func graph(_ edit: (String) -> String = { $0 }) throws -> String {
    let text = try String(
      contentsOf: URL(filePath: Fixtures.sample("lenet-blobs/model.json")), encoding: .utf8)
    let value = try JSONDocument.parse(Swift.Array(text.utf8))
    guard case .object(var members) = value, let layers = members["layers"]?.array else {
      return ""
    }
    members["layers"] = .array(
      layers.map { layer in
        guard case .object(var members) = layer else { return layer }
        members["parameters"] = nil
        return .object(members)
      })
    return try folder.write(edit(JSONValue.object(members).description), to: "graph.json")
  }

  private func read(
    _ arrays: [Array], _ graph: String, _ rules: [String] = [], convention: String = "torch"
  ) throws -> ReadSource {
    try ReaderRegistry.read(
      checkpoint(arrays),
      ReaderOptions(
        architecture: Architecture(graph, bindings: rules, convention: convention)))
  }

  /// The values of each parameter in the order of its definition.
  private func values(_ model: Model) throws -> [[Float]] {
    try model.tensors.map { try $0.rearranged(to: $0.spec.layout).values() }
  }

  private func expected() throws -> [[Float]] {
    try values(ReaderRegistry.read(Fixtures.sample("lenet-blobs")).model)
  }

  // MARK: Ways

  @Test(arguments: ["", "module/", "net/module/"])
  func `tensors are bound by name, whatever all names begin with`(prefix: String) throws {
    let source = try read(lenet { prefix + $0 }, graph())
    #expect(try values(source.model) == expected())
    let note = try #require(source.notes.first)
    #expect(note.isDecision && !note.isWarning)
    #expect(note.text.hasSuffix("graph.json': 8 by name; their layouts are those of torch"))
    #expect(note.details.first == "conv1 kernel: \(prefix)conv1/weight [8, 1, 5, 3]")
    #expect(source.notes.count == 1)
  }

  @Test(
    arguments: [
      ["features/{n}=conv{#}", "classifier.{n}=fc{#}"],
      [
        "features.{n}.weight=conv{#}.kernel", "features.{n}.bias=conv{#}.bias",
        "classifier.{n}=fc{#}",
      ],
      ["features.2=conv1", "features.10=conv2", "classifier.{index}=fc{#}"],
    ])
  func `rules bind tensors and layers, and numbers are counted as numbers`(rules: [String]) throws {
    let names = [
      "conv1": "features/2", "conv2": "features/10", "fc1": "classifier/0", "fc2": "classifier/3",
    ]
    let source = try read(lenet { names[$0] ?? "" }, graph(), rules)
    #expect(try values(source.model) == expected())
    #expect(source.notes.first?.text.contains(": 8 by rules;") == true)
  }

  @Test func `what names do not tell, the order of layers and their shapes do`() throws {
    let source = try read(
      lenet { "layer" + ["conv1": "1", "conv2": "2", "fc1": "3"][$0, default: "4"] }, graph())
    #expect(try values(source.model) == expected())
    #expect(source.notes.map(\.isWarning) == [false])
    #expect(source.notes.first?.text.contains(": 8 by order and shape;") == true)
  }

  @Test func `an architecture of Keras is a graph, too`() throws {
    // The network of this fixture in PyTorch's order and under its own names.
    let keras = try ReaderRegistry.read(Fixtures.path("tensorflow/deep.h5")).model
    let arrays = try keras.tensors.map { tensor -> Array in
      let layout = try #require(Target.torch.layout(for: tensor.spec))
      let stored = try tensor.rearranged(to: layout)
      return (
        "\(tensor.layer)/\(tensor.spec.role == .kernel ? "weight" : "bias")", stored.shape,
        try stored.values()
      )
    }
    let source = try read(arrays, Fixtures.path("tensorflow/deep.json"))
    #expect(try values(source.model) == values(keras))
  }

  @Test
  func `a long short-term memory of PyTorch has two biases, and layers of a stack are told apart`()
    throws
  {
    func array(_ name: String, _ shape: [Int], _ first: Int) -> Array {
      (name, shape, (0..<shape.reduce(1, *)).map { Float(first + $0) })
    }
    let arrays = [
      array("rnn/weight_ih_l0", [8, 3], 0), array("rnn/weight_hh_l0", [8, 2], 100),
      array("rnn/bias_ih_l0", [8], 200), array("rnn/bias_hh_l0", [8], 300),
      array("rnn/weight_ih_l1", [8, 2], 400), array("rnn/weight_hh_l1", [8, 2], 500),
      array("rnn/bias_ih_l1", [8], 600), array("rnn/bias_hh_l1", [8], 700),
    ]
    let graph = try folder.write(
      """
      {"format": "netconv-model", "version": 1, "inputs": [{"name": "x", "shape": [5, 3]}],
       "outputs": ["top"], "layers": [
       {"name": "rnn", "operator": "LSTM", "inputs": ["x"],
        "attributes": {"units": 2, "recurrence": {"returns": "sequence"}}},
       {"name": "top", "operator": "LSTM", "inputs": ["rnn"], "attributes": {"units": 2}}]}
      """, to: "lstm.json")
    let model = try read(arrays, graph, ["rnn.l{n}=top"]).model
    let found = try values(model)
    // Kernels are turned; gates i, f, g and o stay in their order.
    let kernels = [(0, 0, 3), (1, 100, 2), (4, 400, 2), (5, 500, 2)]
    for (place, first, columns) in kernels {
      var expected: [Float] = []
      for column in 0..<columns {
        for row in 0..<8 { expected.append(Float(first + row * columns + column)) }
      }
      #expect(found[place] == expected)
    }
    for (place, first) in [(2, 200), (3, 300), (6, 600), (7, 700)] {
      #expect(found[place] == (first..<first + 8).map { Float($0) })
    }
  }

  // MARK: What could be wrong

  /// Two dense layers of one shape with uninformative names.
  private func twins(_ names: [String]) -> [Array] {
    names.enumerated().flatMap { index, name -> [Array] in
      [
        ("\(name)/weight", [3, 3], (0..<9).map { Float($0 + 10 * index) }),
        ("\(name)/bias", [3], [0, 1, 2]),
      ]
    }
  }

  private func twinGraph() throws -> String {
    try folder.write(
      """
      {"format": "netconv-model", "version": 1, "inputs": [{"name": "x", "shape": [3]}],
       "outputs": ["b"], "layers": [
       {"name": "a", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 3}},
       {"name": "b", "operator": "Dense", "inputs": ["a"], "attributes": {"units": 3}}]}
      """, to: "twins.json")
  }

  @Test func `layers that only order tells apart are a warning`() throws {
    let source = try read(twins(["p", "q"]), twinGraph())
    #expect(
      source.notes.filter(\.isWarning).map(\.line) == [
        "layers of the same shapes are distinguished only by their order in the source; compare outputs, or "
          + "distinguish them with a rule: 'a'; 'b'"
      ])
  }

  @Test func `hundreds of layers are bound by order`() throws {
    // Two kinds by turns: every scope fits every second layer, and one way keeps the order of all.
    let count = 300
    var arrays: [Array] = []
    var layers: [String] = []
    for index in 0..<count {
      let (inputs, outputs) = index % 2 == 0 ? (3, 2) : (2, 3)
      arrays.append(
        (
          "x\(index < 10 ? "00" : index < 100 ? "0" : "")\(index)/weight", [outputs, inputs],
          [Float](repeating: Float(index), count: 6)
        ))
      layers.append(
        """
        {"name": "dense\(index)", "operator": "Dense", "inputs": ["\(index == 0 ? "x" : "dense\(index - 1)")"],
         "attributes": {"units": \(outputs)}}
        """)
    }
    let graph = try folder.write(
      """
      {"format": "netconv-model", "version": 1, "inputs": [{"name": "x", "shape": [3]}],
       "outputs": ["dense\(count - 1)"], "layers": [\(layers.joined(separator: ","))]}
      """, to: "chain.json")
    let model = try read(arrays, graph).model
    #expect(try model.tensors.map { try $0.values()[0] } == (0..<count).map { Float($0) })
  }

  @Test func `two ways to bind by order are an error`() throws {
    let graph = try twinGraph()
    let error = try #require(throws: NetconvError.self) { try read(twins(["p", "q", "r"]), graph) }
    #expect(
      error.message
        == "both 'p' and 'q' fit it; choose with a rule of 'bindings' of the architecture")
    #expect(error.layer == "a")
  }

  @Test func `what no layer has is a warning`() throws {
    let arrays = lenet { $0 } + [("head/weight", [2, 2], [1, 2, 3, 4])]
    let source = try read(arrays, graph())
    #expect(
      source.notes.filter(\.isWarning).map(\.line) == [
        "1 tensor of the source belongs to no layer of the graph: head/weight [2, 2]"
      ])
  }

  @Test(
    arguments: [
      // An image of another size in front of the flatten.
      (
        "poolSize\": [2, 2]", "poolSize\": [1, 1]",
        "layer 'fc1', tensor 'fc1/weight': shape is [64, 320], expected [64, 384] (O, (IHW)); it would fit "
          + "after a flatten of 16 channels of 20 positions where there are 4 x 6; change poolings, strides or paddings"
      ),
      (
        "\"outputChannels\": 16", "\"outputChannels\": 32",
        "layer 'conv2', tensor 'conv2/weight': shape is [16, 8, 5, 3]"
      ),
      (
        "\"name\": \"lenet\"", "\"name\": \"?\"",
        "1 question is open: replace \"?\" with a value at 'name'"
      ),
      ("\"Flatten\"", "\"Flatte\"", "layers[4] 'flatten': 'Flatte'; did you mean 'Flatten'?"),
    ])
  func `a graph that does not fit is refused, and the edit is named`(
    from: String, to: String, text: String
  ) throws {
    let graph = try graph { text in
      #expect(text.contains(from), "\(from)")
      return text.replacing(from, with: to)
    }
    let error = try #require(throws: NetconvError.self) { try read(lenet { $0 }, graph) }
    #expect(error.lines.map(\.description).joined(separator: "\n").contains(text), "\(error.lines)")
  }

  @Test func `groups of a transposed convolution are said, and no other number of outputs`() throws
  {
    let graph = try folder.write(
      """
      {"format": "netconv-model", "version": 1, "inputs": [{"name": "x", "shape": [3, 3, 8]}],
       "outputs": ["up"], "layers": [
         {"name": "up", "operator": "TransposedConvolution2D", "inputs": ["x"], "attributes":
           {"outputChannels": 4, "kernelSize": [2, 2], "strides": [2, 2], "padding": "valid"}}]}
      """, to: "up.json")
    // torch.nn.ConvTranspose2d(8, 4, 2, stride=2, groups=2).weight.shape
    let arrays: [Array] = [
      ("up/weight", [8, 2, 2, 2], [Float](repeating: 1, count: 64)),
      ("up/bias", [4], [1, 2, 3, 4]),
    ]
    let error = try #require(throws: NetconvError.self) { try read(arrays, graph) }
    let text = error.lines.map(\.description).joined(separator: "\n")
    #expect(
      text.contains("it would fit 2 groups, but transposed convolutions have none here"), "\(text)")
    #expect(!text.contains("2 outputs"))
  }

  @Test func `a tensor that a layer has no use for is no bias that is lost`() throws {
    let graph = try graph()
    var arrays = lenet { $0 }
    arrays.append(("fc2/gain", [10], [Float](repeating: 1, count: 10)))
    let error = try #require(throws: NetconvError.self) { try read(arrays, graph) }
    #expect(
      error.message
        == "the source has 'fc2/gain', which the layer does not use; its parameters are 'kernel', 'bias'"
    )
  }

  @Test func `a bias that the description has must be there`() throws {
    let graph = try folder.write(
      """
      {"format": "netconv-model", "version": 1, "inputs": [{"name": "x", "shape": [3]}],
       "outputs": ["a"], "layers": [
       {"name": "a", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 3},
        "parameters": [{"role": "kernel"}, {"role": "bias"}]}]}
      """, to: "bias.json")
    let error = try #require(throws: NetconvError.self) {
      try read([twins(["a"])[0]], graph)
    }
    #expect(error.message == "'a' has no 'bias' for the bias; it has 'weight'")
  }

  @Test(
    arguments: [
      ("x=", "'x=' is not a rule; expected NAME=LAYER or NAME=LAYER.ROLE, such as "),
      ("a.{n}=b.{m}", "'a.{n}=b.{m}' is not a rule"), ("a{#}=b", "'a{#}=b' is not a rule"),
      ("{n=b", "'{n=b' is not a rule"),
      ("nothing.{n}=conv1", "the rule 'nothing.{n}=conv1' matches no tensor"),
      ("conv1=conv3", "the rule 'conv1=conv3' refers to 'conv3', which the graph does not have"),
      (
        "conv{n}=conv1",
        "the rule 'conv{n}=conv1' makes 'conv2/bias' the kernel of 'conv1', but one of them"
      ),
    ])
  func `a wrong rule is the user's mistake`(rule: String, text: String) throws {
    let graph = try graph()
    let error = try #require(throws: NetconvError.self) { try read(lenet { $0 }, graph, [rule]) }
    #expect(error.message.hasPrefix(text), "\(error.message)")
    #expect(error.kind == .usage)
  }

  @Test func `a convention that nobody has is named`() throws {
    let graph = try graph()
    let error = try #require(throws: NetconvError.self) {
      try read(lenet { $0 }, graph, convention: "toch")
    }
    #expect(
      error.message
        == "there is no convention 'toch'; known are torch, mlx, tensorflow, keras; did you mean 'torch'?"
    )
  }

  @Test func `a number that is too large is the document's fault`() throws {
    let graph = try folder.write(
      #"""
      {"format": "netconv-model", "version": 1, "name": "n", "inputs": [{"name": "x", "shape": [4]}],
       "outputs": ["norm"],
       "layers": [{"name": "norm", "operator": "BatchNormalization", "inputs": ["x"],
         "attributes": {"epsilon": 1e400}}]}
      """#, to: "huge.json")
    let error = try #require(throws: NetconvError.self) { try read(lenet { $0 }, graph) }
    #expect(error.kind == .badData)
    #expect(
      error.message
        == "holds a number that is too large, or one with a fraction where a whole number is expected"
    )
  }

  // MARK: Scaffolds

  @Test func `a scaffold whose questions are answered is the network`() throws {
    let arrays = lenet { $0 }
    let source = try ReaderRegistry.read(checkpoint(arrays), ReaderOptions(acceptsWeights: true))
    let scaffold = try GraphScaffold(source, convention: "torch")
    var text = String(decoding: scaffold.text, as: UTF8.self)
    #expect(scaffold.leftOut.isEmpty)
    #expect(scaffold.questionCount == text.matches(of: #/"\?"/#).count)
    let open = try folder.write(text, to: "open.json")
    let error = try #require(throws: NetconvError.self) { try read(arrays, open) }
    #expect(
      error.message.hasPrefix(
        "12 questions are open: replace \"?\" with a value at 'inputs[0].shape[0]'"))
    let answers = [
      "28", "28", "[1, 1]", "\"valid\"", "\"relu\"", "[2, 2]", "[1, 1]", "\"valid\"", "\"relu\"",
      "[2, 2]",
      "\"relu\"", "\"softmax\"",
    ]
    for answer in answers {
      let place = try #require(text.range(of: "\"?\""))
      text.replaceSubrange(place, with: answer)
    }
    let answered = try folder.write(text, to: "answered.json")
    let model = try read(arrays, answered).model
    #expect(try values(model) == expected())
    #expect(
      model.layers.map(\.operation).map { type(of: $0).name } == [
        "Convolution2D", "MaxPooling2D", "Convolution2D", "MaxPooling2D", "Flatten", "Dense",
        "Dense",
      ])
  }
}
