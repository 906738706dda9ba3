import ModelIR
import TestSupport
import Testing

@Suite struct ModelValidationTests {
  private func problem(
    _ layers: [LayerDefinition],
    inputs: [ModelInput] = [ModelInput(name: "x", shape: Shape([4]))], outputs: [String] = ["y"]
  ) -> String? {
    let error = thrown { try model(layers, inputs: inputs, outputs: outputs) }
    #expect(error == nil || error?.kind == .badData)
    return error?.description
  }

  private func input(_ sizes: Int?...) -> [ModelInput] {
    [ModelInput(name: "x", shape: Shape(sizes))]
  }

  @Test func `needs an input and an output`() {
    #expect(
      problem([layer("y", Merge(least: 0))], inputs: [])
        == "the model has no input; it needs at least one")
    #expect(
      problem([layer("y", Pass(), "x")], outputs: [])
        == "the model has no output; name at least one layer")
  }

  @Test(arguments: [0, -1, 1 << 40 + 1, .max])
  func `inputs have sizes that can be worked with`(size: Int) {
    #expect(
      problem([layer("y", Pass(), "x")], inputs: input(3, size))
        == "input 'x' has shape (3, \(size)); each size must be from 1 to 1099511627776")
  }

  @Test func `names are used once, by layers and inputs together`() {
    #expect(
      problem([layer("y", Pass(), "x"), layer("y", Pass(), "x")])
        == "the name 'y' is used twice; each layer and input needs a unique name")
    #expect(
      problem([layer("x", Pass(), "x")], outputs: ["x"])
        == "the name 'x' is used twice; each layer and input needs a unique name")
  }

  @Test func `names are not empty`() {
    let message = "a layer or an input has an empty name; each needs a unique name"
    #expect(problem([layer("", Pass(), "x")], outputs: [""]) == message)
    #expect(
      problem([layer("y", Pass(), "")], inputs: [ModelInput(name: "", shape: Shape([4]))])
        == message)
  }

  @Test func `reads only what is there`() {
    #expect(
      problem([layer("y", Pass(), "z\n")])
        == #"layer 'y': reads 'z\u{a}', which is neither a layer nor an input of the model; name an existing output"#
    )
  }

  @Test func `outputs are layers`() {
    #expect(
      problem([layer("y", Pass(), "x")], outputs: ["y", "x"])
        == "the output 'x' is not a layer of the model; name an existing output")
  }

  @Test func `a cycle names its layers, not those that wait for it`() {
    #expect(
      problem([
        layer("a", Merge(), "x", "c"), layer("b", Pass(), "a"), layer("c", Pass(), "b"),
        layer("y", Pass(), "c"), layer("free", Pass(), "x"),
      ])
        == "the layers form a cycle, so none of these can be computed first\n"
        + "  'a'\n  'b'\n  'c'")
    #expect(
      problem([layer("y", Pass(), "y")])
        == "the layers form a cycle, so none of these can be computed first\n  'y'")
  }

  @Test func `of several cycles one is named, from its first layer on`() {
    #expect(
      problem([
        layer("y", Merge(), "q", "b"), layer("q", Pass(), "p"), layer("p", Pass(), "q"),
        layer("b", Pass(), "a"), layer("a", Pass(), "b"),
      ])
        == "the layers form a cycle, so none of these can be computed first\n  'q'\n  'p'")
  }

  /// Takes minutes if the run time is quadratic in the number of layers.
  @Test func `many layers are ordered and found`() throws {
    let count = 20_000
    let layers = (0..<count).map { layer("l\($0)", Pass(), "x") }
    let wide = try Model(
      name: "wide", inputs: [ModelInput(name: "x", shape: Shape([4]))],
      layers: layers + [layer("y", Pass(), "l0")], outputs: ["y"])
    #expect(wide.layers.map(\.name) == layers.map(\.name) + ["y"])
    #expect(wide.layers.allSatisfy { wide.layer(named: $0.name)?.name == $0.name })
    let chain = (0..<count).map { layer("l\($0)", Pass(), $0 == 0 ? "x" : "l\($0 - 1)") }
    let model = try Model(
      name: "chain", inputs: [ModelInput(name: "x", shape: Shape([4]))], layers: chain.reversed(),
      outputs: ["l0"])
    #expect(model.layers.map(\.name) == chain.map(\.name))
  }

  @Test func `operators take the inputs they can`() {
    #expect(problem([layer("y", Pass(), "x", "x")]) == "layer 'y': has 2 inputs, expected 1")
    #expect(problem([layer("y", Pass())]) == "layer 'y': has 0 inputs, expected 1")
    #expect(problem([layer("y", Merge(), "x")]) == "layer 'y': has 1 inputs, expected at least 2")
    #expect(
      problem([layer("y", Merge(least: 2, most: 3), "x")])
        == "layer 'y': has 1 inputs, expected 2 to 3")
  }

  @Test func `an empty output is a window that is too large`() {
    #expect(
      problem([layer("y", Grow(amount: -3), "x")], inputs: input(5, 3))
        == "layer 'y': the output would have shape (2, 0), which is empty; the input (5, 3) is "
        + "smaller than the window")
  }

  @Test func `an output stays within what can be worked with`() {
    #expect(
      problem([layer("y", Grow(amount: 1), "x")], inputs: input(1 << 40))
        == "layer 'y': the output would have shape (1099511627777); no size can be over "
        + "1099511627776, so the file is damaged or invalid")
  }

  @Test func `a flatten that overflows is an error`() {
    #expect(
      problem([layer("y", Flat(), "x")], inputs: input(1 << 40, 1 << 40))
        == "input 'x' has shape (1099511627776, 1099511627776); no sample can have over "
        + "281474976710656 values")
  }

  @Test func `the values of a sample can be counted`() {
    #expect(problem([layer("y", Pass(), "x")], inputs: input(1 << 40, 1 << 8)) == nil)
    #expect(problem([layer("y", Pass(), "x")], inputs: input(1 << 40, nil, 1 << 8)) == nil)
    #expect(
      problem([layer("y", Pass(), "x")], inputs: input(1 << 40, nil, 1 << 9))
        == "input 'x' has shape (1099511627776, None, 512); no sample can have over 281474976710656 "
        + "values")
    #expect(
      problem([layer("y", Grow(amount: 1), "x")], inputs: input(1 << 39, 1 << 9))
        == "layer 'y': the output would have shape (549755813889, 513); no sample can have over "
        + "281474976710656 values, so the file is damaged or invalid")
    let names = (0..<200).map { "y\($0)" }
    let layers = zip(names, ["x"] + names).map { layer($0, Pass(), $1) }
    #expect(
      problem(layers, inputs: input(1 << 40, 1 << 8), outputs: ["y199"])
        == "layer 'y126': with this layer, a sample has more values in the model than this machine can "
        + "count; the file is damaged or invalid")
  }

  @Test func `what an operator throws gets the layer's name`() {
    #expect(
      problem([linear("y", 3, from: "x", features: 4)], inputs: input(nil))
        == "layer 'y': the last size must be known")
  }

  @Test func `parameters must be there, have a role, and fit`() {
    var definition = linear("y", 3, from: "x", features: 4)
    definition.parameters = [:]
    #expect(
      problem([definition])
        == "layer 'y': the kernel is missing; expected shape [4, 3] (IO)")

    definition.parameters = [.gamma: stored([]), .beta: stored([])]
    #expect(
      problem([definition])
        == "layer 'y': has a parameter 'beta' that it does not use; expected kernel, bias")
    var plain = layer("y", Pass(), "x")
    plain.parameters = [.kernel: stored([])]
    #expect(
      problem([plain]) == "layer 'y': has a parameter 'kernel' that it does not use; expected none")

    definition.parameters = [.kernel: stored([], shape: [3, 4])]
    #expect(
      problem([definition])
        == "layer 'y', tensor 'kernel': shape is [3, 4], expected [4, 3] (I, O); correct the "
        + "layer or its weights")
    definition.parameters = [.kernel: stored([], shape: [12])]
    #expect(
      problem([definition])
        == "layer 'y', tensor 'kernel': shape [12] has rank 1, expected rank 2: [4, 3] (I, O); "
        + "correct the layer or its weights")
    definition.parameters = [.kernel: stored([], .hwio)]
    #expect(problem([definition]) == nil)
    definition.parameters = [.kernel: stored([], .o)]
    #expect(
      problem([definition])
        == "layer 'y', tensor 'kernel': layout O does not have the axes of this parameter, "
        + "I=4 O=3; write them in the order of the file, for example IO")
  }

  @Test func `a kernel behind a flatten is described by what it hides`() {
    let definition = LayerDefinition(name: "y", operation: Linear(units: 7), inputs: ["f"])
    #expect(
      problem([layer("f", Flat(), "x"), definition], inputs: input(2, 3, 5))
        == "layer 'y': the kernel is missing; expected shape [30, 7] ((HWI)O)")
  }

  @Test func `all parameters together can be counted`() {
    func huge(_ name: String, from input: String) -> LayerDefinition {
      LayerDefinition(
        name: name, operation: Linear(units: 1 << 40), inputs: [input],
        parameters: [
          .kernel: StoredTensor(
            source: CountedSource(count: 1 << 58), layout: nil, shape: nil, path: "")
        ])
    }
    func narrow(_ name: String, from input: String) -> LayerDefinition {
      var definition = huge(name, from: input)
      definition.operation = Linear(units: 1 << 18)
      return definition
    }
    let reason =
      "with this layer, the parameters of the model have more values than this machine can count; "
      + "the file is damaged or invalid"
    #expect(problem([huge("y", from: "x")], inputs: input(1 << 18)) == nil)
    #expect(
      problem(
        [huge("a", from: "x"), narrow("b", from: "a"), huge("y", from: "b")], inputs: input(1 << 18)
      ) == "layer 'b': \(reason)")
    #expect(
      problem([huge("y", from: "x")], inputs: input(1 << 40))
        == "layer 'y', tensor 'kernel': sizes [1099511627776, 1099511627776] are negative or "
        + "multiply to more than this machine can count; the file is damaged or invalid")
  }

  @Test func `several problems are listed at once`() {
    #expect(
      problem([layer("a", Pass(), "q"), layer("a", Pass(), "x")], outputs: ["z"])
        == """
        3 problems in the model
          the name 'a' is used twice; each layer and input needs a unique name
          layer 'a': reads 'q', which is neither a layer nor an input of the model; name an existing output
          the output 'z' is not a layer of the model; name an existing output
        """)
    #expect(
      problem([
        layer("a", Pass(), "x", "x"), layer("behind", Pass(), "a"),
        layer("b", Grow(amount: -4), "x"), layer("y", Pass(), "x"),
      ])
        == """
        2 problems in the model
          layer 'a': has 2 inputs, expected 1
          layer 'b': the output would have shape (0), which is empty; the input (4) is smaller than \
        the window
        """)
  }
}
