import ModelIR
import Readers
import TestSupport
import Testing

/// The conventions of a file's tensors, stated in the file or not.
@Suite struct ConventionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A safetensors file whose tensors contain consecutive numbers from 0, with its stated origin.
  private func file(_ tensors: [(name: String, shape: [Int])], format: String?) throws -> String {
    var start = 0
    var members = format.map { ["\"__metadata__\":{\"format\":\"\($0)\"}"] } ?? []
    for (name, shape) in tensors {
      let end = start + 4 * shape.reduce(1, *)
      members.append(
        "\"\(name)\":{\"dtype\":\"F32\",\"shape\":\(shape.map { $0 }),\"data_offsets\":[\(start),\(end)]}"
      )
      start = end
    }
    let header = Array("{\(members.joined(separator: ","))}".utf8)
    return try folder.write(
      withUnsafeBytes(of: UInt64(header.count).littleEndian) { Array($0) } + header
        + littleEndian((0..<start / 4).map { Float($0) }), to: "weights.safetensors")
  }

  /// A convolution of 3 x 2 with 2 channels and 4 outputs, on images of 5 x 5.
  private func graph(_ kernel: String = "[3, 2]", outputs: Int = 4) throws -> String {
    try folder.write(
      """
      {"format": "netconv-model", "version": 1, "inputs": [{"name": "x", "shape": [5, 5, 2]}],
       "outputs": ["conv"], "layers": [{"name": "conv", "operator": "Convolution2D", "inputs": ["x"],
        "attributes": {"outputChannels": \(outputs), "kernelSize": \(kernel)}}]}
      """, to: "graph.json")
  }

  private func read(_ path: String, _ graph: String, _ convention: String? = nil) throws -> Tensor {
    try ReaderRegistry.read(
      path, ReaderOptions(architecture: Architecture(graph, convention: convention))
    ).model.tensors[0]
  }

  /// The index of the value at (h, w, i, o) in the kernel, for each framework's order.
  private func expected(_ place: (Int, Int, Int, Int) -> Int) -> [Float] {
    var values: [Float] = []
    for h in 0..<3 {
      for w in 0..<2 {
        for i in 0..<2 { for o in 0..<4 { values.append(Float(place(h, w, i, o))) } }
      }
    }
    return values
  }

  @Test func `a parameter without a tensor is counted once, and gamma is no beta`() throws {
    let graph = try folder.write(
      """
      {"format": "netconv-model", "version": 1, "inputs": [{"name": "x", "shape": [5, 5, 2]}],
       "outputs": ["bn"], "layers": [
        {"name": "conv", "operator": "Convolution2D", "inputs": ["x"],
         "attributes": {"outputChannels": 4, "kernelSize": [3, 2]},
         "parameters": [{"role": "kernel", "tensor": "conv.kernel"}, {"role": "bias", "tensor": "conv.bias"}]},
        {"name": "bn", "operator": "BatchNormalization", "inputs": ["conv"], "parameters": [
         {"role": "gamma", "tensor": "bn.gamma"}, {"role": "beta", "tensor": "bn.beta"},
         {"role": "mean", "tensor": "bn.mean"}, {"role": "variance", "tensor": "bn.variance"}]}]}
      """, to: "named.json")
    let path = try file(
      [("conv.kernel", [3, 2, 2, 4]), ("bn.beta", [4]), ("bn.mean", [4]), ("bn.varianc", [4])],
      format: "tf")
    let error = thrown { try read(path, graph) }
    let lines = (error?.lines ?? []).map(\.description)
    #expect(lines.first?.hasSuffix("3 of 6 parameters cannot be bound") == true, "\(lines)")
    #expect(lines.count { $0.contains("the source has no tensor") } == 3, "\(lines)")
    #expect(lines.filter { $0.contains("did you mean") }.count == 1, "\(lines)")
    #expect(lines.contains { $0.hasSuffix("did you mean 'bn.varianc'?") }, "\(lines)")
  }

  @Test func `a file says whose layouts it has`() throws {
    let graph = try graph()
    let torch = try file([("conv.weight", [4, 2, 3, 2])], format: "pt")
    #expect(
      try read(torch, graph).rearranged(to: .hwio).values()
        == expected { h, w, i, o in ((o * 2 + i) * 3 + h) * 2 + w })
    let mlx = try file([("conv.weight", [4, 3, 2, 2])], format: "mlx")
    #expect(
      try read(mlx, graph).rearranged(to: .hwio).values()
        == expected { h, w, i, o in ((o * 3 + h) * 2 + w) * 2 + i })
    let tensorflow = try file([("conv.kernel", [3, 2, 2, 4])], format: "tf")
    #expect(
      try read(tensorflow, graph).rearranged(to: .hwio).values() == (0..<48).map { Float($0) })
  }

  @Test(
    arguments: [([4, 2, 3, 2], "OIHW"), ([4, 3, 2, 2], "OHWI")])
  func `where a file does not say it, the shape may tell`(shape: [Int], layout: String) throws {
    let path = try file([("conv.weight", shape)], format: nil)
    #expect(try read(path, graph()).storedLayout.description == layout)
  }

  @Test func `shapes that fit two layouts are an error, and the option decides`() throws {
    let graph = try graph("[2, 2]")
    let path = try file([("conv.weight", [4, 2, 2, 2])], format: nil)
    let error = thrown { try read(path, graph) }
    #expect(
      error?.message
        == "the shapes fit the layouts of PyTorch, a state dictionary of torch.nn and of MLX, mlx.nn, and the "
        + "source does not say which it has; name it with 'convention' of the architecture")
    #expect(error?.kind == .badData)
    for (name, layout) in [("torch", "OIHW"), ("mlx", "OHWI")] {
      #expect(try read(path, graph, name).storedLayout.description == layout)
    }
  }

  @Test func `a draft is not made of kernels that may lie in two orders`() throws {
    let path = try file([("conv.weight", [4, 3, 2, 2])], format: nil)
    let source = try ReaderRegistry.read(path, ReaderOptions(acceptsWeights: true))
    let error = thrown { try GraphScaffold(source) }
    #expect(
      error?.message
        == "the source does not state whose layouts it has; name them with 'convention' of the architecture: torch, mlx"
    )
    #expect(error?.kind == .usage)
    for (name, size) in [("torch", "[2, 2]"), ("mlx", "[3, 2]")] {
      let text = String(decoding: try GraphScaffold(source, convention: name).text, as: UTF8.self)
      #expect(text.contains("\"kernelSize\": \(size)"), "\(text)")
    }
  }

  @Test(arguments: [("pt", "weight", "bias", "1e-05"), ("tf", "gamma", "beta", "0.001")])
  func `a draft has the epsilon of the weights' framework`(
    format: String, gamma: String, beta: String, epsilon: String
  ) throws {
    let path = try file([("norm.\(gamma)", [3]), ("norm.\(beta)", [3])], format: format)
    let source = try ReaderRegistry.read(path, ReaderOptions(acceptsWeights: true))
    let text = String(decoding: try GraphScaffold(source).text, as: UTF8.self)
    #expect(text.contains("\"operator\": \"LayerNormalization\""), "\(text)")
    #expect(text.contains("\"epsilon\": \(epsilon)"), "\(text)")
  }

  @Test func `a draft of layers that Keras 3 numbers says what they are by order and shapes`()
    throws
  {
    let source = try ReaderRegistry.read(
      Fixtures.path("keras/archive-weights.weights.h5"), ReaderOptions(acceptsWeights: true))
    let scaffold = try GraphScaffold(source)
    let text = String(decoding: scaffold.text, as: UTF8.self)
    #expect(text.contains("\"tensor\": \"conv1/vars/0\""), "\(text)")
    #expect(text.contains("by their order and shapes: the source only numbers them"))
    // Two or three vectors of a normalisation may be of several kinds.
    #expect(
      scaffold.leftOut == [
        "bn_no_scale/vars/0", "bn_no_scale/vars/1", "bn_no_scale/vars/2", "bn_no_center/vars/0",
        "bn_no_center/vars/1", "bn_no_center/vars/2", "bn_plain/vars/0", "bn_plain/vars/1",
      ])
  }

  @Test func `a kernel in another order than the file's maker has is no kernel`() throws {
    let path = try file([("conv.weight", [3, 2, 2, 4])], format: "pt")
    let graph = try graph()
    #expect(thrown { try read(path, graph) }?.tensor == "conv.weight")
  }

  @Test func `a bias beside a kernel that a rule binds is bound with it`() throws {
    let graph = try graph()
    let path = try file([("a.0.weight", [4, 2, 3, 2]), ("a.0.bias", [4])], format: "pt")
    let source = try ReaderRegistry.read(
      path,
      ReaderOptions(architecture: Architecture(graph, bindings: ["a.{n}.weight=conv.kernel"])))
    #expect(try source.model.tensors.map(\.stored.path) == ["a.0.weight", "a.0.bias"])
    #expect(
      source.notes.map(\.text)
        == [
          "2 tensors are bound to the graph of 'graph.json': 1 by rules, 1 by name; their layouts are those of torch"
        ]
    )
  }

  @Test func `a normalisation is not left without parameters where the source has some for it`()
    throws
  {
    let graph = try folder.write(
      """
      {"format": "netconv-model", "version": 1, "inputs": [{"name": "x", "shape": [3]}],
       "outputs": ["c"], "layers": [
        {"name": "a", "operator": "LayerNormalization", "inputs": ["x"]},
        {"name": "b", "operator": "Dense", "inputs": ["a"], "attributes": {"units": 3}},
        {"name": "c", "operator": "LayerNormalization", "inputs": ["b"]}]}
      """, to: "norms.json")
    let all = [
      ("p.weight", [3]), ("p.bias", [3]), ("q.weight", [3, 3]), ("q.bias", [3]), ("r.weight", [3]),
      ("r.bias", [3]),
    ]
    func model(_ tensors: [(String, [Int])], _ rules: [String] = []) throws -> Model {
      try ReaderRegistry.read(
        file(tensors, format: "pt"),
        ReaderOptions(architecture: Architecture(graph, bindings: rules))
      ).model
    }
    #expect(try model(all).tensors.map(\.stored.path) == all.map(\.0))
    // One of the two has none: which, only a person knows.
    let error = thrown { try model(Array(all.dropLast(2))) }
    let forgotten =
      "has no parameters bound, though 'p' would fit it; choose its parameters with a rule of 'bindings' of the architecture"
    #expect(
      error?.lines.dropFirst().map(\.description)
        == ["a", "c"].map { "  layer '\($0)': \(forgotten)" })
    #expect(
      try model(Array(all.dropLast(2)), ["p=c"]).tensors.map(\.layer) == ["b", "b", "c", "c"])
  }
}
