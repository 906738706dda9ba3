import Documents
import ModelDSL
import ModelIR
import NetconvKit
import TestSupport
import Testing
import Writers

@Suite struct CustomTests {
  /// Columns in the opposite order, twice as high a value.
  private let mirror = Custom { shapes in
    shapes[0]
  } evaluate: { inputs in
    let x = inputs[0]
    var y = x
    for h in 0..<x.shape[0] {
      for w in 0..<x.shape[1] {
        for c in 0..<x.shape[2] { y[h, w, c] = 2 * x[h, x.shape[1] - 1 - w, c] }
      }
    }
    return y
  }

  @Test func `runs on both engines`() throws {
    let input = Input(width: 3, height: 2, channels: 1)
    let output = input --> mirror --> mirror --> mirror
    let model = try Model(input: input, output: output)
    #expect(model.layers.map(\.name) == ["custom_1", "custom_2", "custom_3"])
    let image = NDArray<Float>(shape: [1, 2, 3, 1], values: [1, 2, 3, 4, 5, 6])
    for engine in EngineKind.allCases {
      let results = try engine.engine(for: model).run(["input": image])
      #expect(results["custom_3"]?.values == [24, 16, 8, 48, 40, 32])
    }
  }

  @Test func `takes several inputs, and sizes that are unknown before the run`() throws {
    let input = Input(channels: 2)
    let halves = Custom(inputs: 2...2, name: "halves") { shapes throws(NetconvError) in
      guard shapes[0].isCompatible(with: shapes[1]) else {
        throw NetconvError(.badData, "the two have unlike shapes")
      }
      return shapes[0]
    } evaluate: { inputs in
      NDArray(
        shape: inputs[0].shape,
        values: zip(inputs[0].values, inputs[1].values).map { ($0 + $1) / 2 })
    }
    let relu = input --> Activation(.relu)
    let model = try Model(input: input, output: halves.applied(to: [input, relu]))
    #expect(model.shape(of: "halves") == Shape([nil, nil, 2]))
    let image = NDArray<Float>(shape: [1, 1, 2, 2], values: [-2, 2, 4, -4])
    for engine in EngineKind.allCases {
      #expect(
        try engine.engine(for: model).run(["input": image])["halves"]?.values == [-1, 2, 4, -2])
    }
    let other = Input(width: 2, height: 2, channels: 3)
    #expect(
      problem { () throws(NetconvError) in
        try Model(
          inputs: [other],
          outputs: [halves.applied(to: [other, other --> MaxPooling(kernel: (2, 1))])])
      } == "layer 'halves': the two have unlike shapes; it reads (2, 2, 3) and (2, 1, 3)")
  }

  @Test func `a closure that gives another shape than it said is an error`() throws {
    let input = Input(shape: [2])
    let output =
      input
      --> Custom(name: "odd") {
        $0[0]
      } evaluate: { _ in
        NDArray(shape: [1], values: [0])
      }
    let model = try Model(input: input, output: output)
    for engine in EngineKind.allCases {
      let error = thrown {
        try engine.engine(for: model).run(["input": NDArray(shape: [1, 2], values: [1, 2])])
      }
      #expect(
        error?.description
          == "layer 'odd': the closure returned an output of shape (1), but the shape closure returned (2)"
      )
    }
  }

  @Test func `is refused by writers, by name, and nothing is written`() throws {
    let folder = try TemporaryFolder()
    let input = Input(width: 3, height: 2, channels: 1)
    let output =
      input
      --> Custom(name: "twice") {
        $0[0]
      } evaluate: {
        $0[0].map { 2 * $0 }
      }
      --> Dense(neurons: 2, name: "fc1")
    let model = try Model(input: input, output: output, parameters: anything)
    for path in ["out", "out.netpack"] {
      let destination = try Destination(folder.file(path), force: false)
      let plan = try OutputPlan(.model(model), formats: [.archive], elementType: { _ in .float32 })
      let description = ModelWriter.Description(
        producer: .init(name: "netconv", version: "test"),
        source: { Manifest.Source(format: "dsl", file: "", bytes: 0, sha256: "", framework: nil) },
        target: "mps",
        elementType: .float32, isSupported: { _ in true })
      let error = thrown {
        try ModelWriter(plan, to: destination).write(description, progress: { _ in }) {}
      }
      #expect(
        error?.description
          == "layer 'twice': is a custom layer: its closures run here, but cannot be written to a file; "
          + "leave it out of the model, or use a layer that netconv has")
    }
    #expect(try folder.files() == [])
  }
}
