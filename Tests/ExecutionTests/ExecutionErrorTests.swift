import Execution
import Memory
import ModelIR
import Operators
import Testing

@Suite struct ExecutionErrorTests {
  private func sum() throws -> Model {
    try model(Add(), [2, 3], [2, 3])
  }

  private func run(_ kind: EngineKind, _ inputs: [String: NDArray<Float>]) -> String? {
    message { _ = try kind.engine(for: try sum()).run(inputs) }
  }

  @Test(arguments: EngineKind.allCases)
  func `inputs have to fit the model`(kind: EngineKind) throws {
    let two = try NDArray<Float>(shape: [2, 2, 3])
    #expect(
      run(kind, ["x0": two])
        == "there is no array for the input 'x1', which has shape (2, 3)")
    #expect(
      run(kind, ["x0": two, "x1": two, "z": two])
        == "the model has no input 'z'; it has 'x0', 'x1'")
    #expect(
      run(kind, ["x0": two, "x1": try NDArray(shape: [2, 3, 2])])
        == "the array for the input 'x1' has shape (2, 3, 2), expected (None, 2, 3), where the first "
        + "axis is the batch")
    #expect(
      run(kind, ["x0": two, "x1": try NDArray(shape: [2, 3])])
        == "the array for the input 'x1' has shape (2, 3), expected (None, 2, 3), where the first axis "
        + "is the batch")
    #expect(
      run(kind, ["x0": two, "x1": try NDArray(shape: [1, 2, 3])])
        == "the array for the input 'x0' holds 2 samples, the one for 'x1' holds 1 sample; all must "
        + "hold the same number")
  }

  @Test(arguments: EngineKind.allCases)
  func `samples have no axis without places`(kind: EngineKind) throws {
    let layers: [any Operator] = [
      GlobalAveragePooling1D(),
      Resizing(size: Size2D(3, 3), interpolation: .bilinear),
    ]
    for (operation, shape) in zip(layers, [[1, 0, 3], [1, 0, 5, 2]]) {
      let model = try chain(
        [operation],
        input: Shape([Int?](repeating: nil, count: shape.count - 2) + [shape[shape.count - 1]]))
      #expect(
        message { _ = try kind.engine(for: model).run(["x0": try NDArray(shape: shape)]) }
          == "samples for the input 'x0' have shape \(Shape(Array(shape.dropFirst()))), expected no axis "
          + "of size 0")
    }
  }

  @Test func `parameters need memory as they are kept, and the largest while it is read`() throws {
    let layers = try model(Dense(units: 5), [3]).layers
    // 15 weights and 5 biases, and the weights twice more as float32.
    #expect(ParameterMemory(layers, byteCount: 4).bytes == 20 * 4 + 15 * 8)
    #expect(ParameterMemory(layers + layers, byteCount: 8).bytes == 40 * 8 + 15 * 8)
    #expect(
      message {
        try ParameterMemory(layers, byteCount: 4).check(available: MemoryLimit(200, of: .machine))
      } == nil)
    #expect(
      message {
        try ParameterMemory(layers, byteCount: 1 << 30).check(
          available: MemoryLimit(5 << 30, of: .machine))
      }
        == "loading the parameters needs 20 GiB of memory, and there are 5 GiB; run the model on a "
        + "machine with more")
    #expect(ParameterMemory(layers, byteCount: .max).bytes == .max)
    #expect(ParameterMemory.available.bytes > 1 << 26)
  }

  @Test(arguments: EngineKind.allCases)
  func `only layers can be kept`(kind: EngineKind) throws {
    let model = try sum()
    #expect(
      message { _ = try kind.engine(for: model, keeping: ["x0"]) }
        == "the model has no layer 'x0'; it has\n  'y0'")
  }

  @Test(arguments: EngineKind.allCases)
  func `an open size may be too small for a layer`(kind: EngineKind) throws {
    let model = try chain(
      [Convolution2D(outputChannels: 1, kernelSize: Size2D(3, 3))], input: Shape([nil, nil, 1]))
    #expect(
      message { _ = try kind.engine(for: model).run(["x0": try NDArray(shape: [1, 5, 2, 1])]) }
        == "layer 'y0': the output would have shape (3, 0, 1), which is empty; the input (5, 2, 1) is "
        + "too small")
  }

  @Test(arguments: EngineKind.allCases)
  func `open sizes may not fit together`(kind: EngineKind) throws {
    var builder = ModelBuilder(seed: 1)
    let inputs = [builder.input(Shape([nil])), builder.input(Shape([nil]))]
    let output = try builder.add(Add(), inputs)
    let model = try builder.model(outputs: [output])
    #expect(
      message {
        _ = try kind.engine(for: model).run([
          "x0": try NDArray(shape: [1, 2]), "x1": try NDArray(shape: [1, 3]),
        ])
      } == "layer 'y0': the inputs have shapes (2) and (3), which do not fit together")
  }

  @Test(arguments: EngineKind.allCases)
  func `layers beyond all memory are refused`(kind: EngineKind) throws {
    let most = 1 << 20
    let padding = ZeroPadding2D(top: most, bottom: most, left: most, right: most)
    let model = try chain([padding, padding], input: Shape([1, 1, 1]))
    #expect(
      message { _ = try kind.engine(for: model).run(["x0": try NDArray(shape: [1, 1, 1, 1])]) }
        == "layer 'y0': 1 sample of shape (2097153, 2097153, 1) need more than \(MemoryBound.description); run "
        + "on smaller batches or smaller inputs")
  }

  @Test func `zeros around an image that take more than all memory are refused`() throws {
    let model = try chain(
      [
        Convolution2D(
          outputChannels: 1, kernelSize: Size2D(2, 2), dilation: Size2D(1 << 20, 1 << 20),
          padding: .same)
      ], input: Shape([2, 2, 1]))
    #expect(
      message { _ = try FastEngine(model).run(["x0": try NDArray(shape: [1, 2, 2, 1])]) }
        == "layer 'y0': 1 sample of shape (1048578, 1048578, 1) need more than \(MemoryBound.description); run "
        + "on smaller batches or smaller inputs")
  }

  @Test(arguments: EngineKind.allCases)
  func `results beyond all memory are refused`(kind: EngineKind) throws {
    let model = try chain(
      [ZeroPadding2D(top: 5000, bottom: 5000, left: 5000, right: 5000)], input: Shape([1, 1, 1]))
    let batch = try NDArray<Float>(shape: [100, 1, 1, 1])
    #expect(
      message { _ = try kind.engine(for: model).run(["x0": batch]) }
        == (kind == .fast
          ? "100 samples of shape (100020001) need more than \(MemoryBound.description); run on smaller batches "
            + "or smaller inputs"
          : "100 samples of shape (10001, 10001, 1) need more than \(MemoryBound.description); run on smaller "
            + "batches or smaller inputs"))
  }

  @Test func `an array beyond all memory is refused, and one whose size overflows`() {
    #expect(
      message { _ = try NDArray<Double>(shape: [1 << 31, 2]) }
        == "an array of shape (2147483648, 2) needs more than \(MemoryBound.description); run on smaller batches "
        + "or smaller inputs")
    #expect(message { _ = try NDArray<Float>(shape: [1 << 62, 4]) } != nil)
    #expect(message { _ = try NDArray<Float>(shape: [2, -1]) } != nil)
  }

  @Test func `a level that the CPU lacks is refused`() {
    let available = CPULevel.available.map(\.name)
    #expect(available.contains("base"))
    #expect(
      message { _ = try CPULevel.named("v9") }
        == "NETCONV_CPU is 'v9', expected one that this CPU has: "
        + available.joined(separator: ", "))
    for name in available { #expect(message { _ = try CPULevel.named(name) } == nil) }
  }
}
