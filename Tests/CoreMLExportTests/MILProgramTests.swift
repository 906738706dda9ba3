import CoreMLExport
import ModelIR
import Operators
import TestSupport
import Testing

/// Programs of small models, operator by operator.
@Suite struct MILProgramTests {
  /// The program of one layer with the input `x`.
  private func program(
    _ operation: any Operator, _ shape: [Int?], parameters: [ParameterRole: [Float]] = [:],
    layouts: [ParameterRole: Layout] = [:], type: ElementType = .float32
  ) throws -> MILProgram {
    let model = try Model(
      name: "small", inputs: [ModelInput(name: "x", shape: Shape(shape))],
      layers: [
        LayerDefinition(
          name: "layer/y", operation: operation, inputs: ["x"],
          parameters: parameters.mapValues {
            StoredTensor(source: ArraySource($0), layout: nil, shape: nil, path: "values")
          })
      ], outputs: ["layer/y"])
    let arranged = try model.mapTensors { tensor throws(NetconvError) in
      guard let layout = layouts[tensor.spec.role] else { return tensor }
      return try tensor.rearranged(to: layout)
    }
    let stored = Dictionary(
      arranged.tensors.map { ($0.key, (name: "y_\($0.spec.role)", type: type)) }
    ) { first, _ in first }
    return try MILProgram(arranged, stored: stored)
  }

  private func ramp(_ count: Int) -> [Float] { (0..<count).map { Float($0) } }

  /// The operations besides constants.
  private func types(_ program: MILProgram) -> [String] {
    program.operations.map(\.type).filter { $0 != "const" }
  }

  /// The constant that is bound to a parameter of the only operation of a type.
  private func constant(_ program: MILProgram, _ type: String, _ parameter: String) -> MILLiteral? {
    let operation = program.operations.first { $0.type == type }
    let name = operation?.arguments.first { $0.name == parameter }?.values.first
    return program.operations.first { $0.outputs.first?.name == name }?.attributes["val"]
  }

  @Test func `names are identifiers, and the batch is open`() throws {
    let program = try program(Activation(.relu), [5, 7])
    #expect(program.inputs.map(\.name) == ["x"])
    #expect(program.inputs[0].type.shape == [nil, 5, 7])
    #expect(program.outputs.map(\.name) == ["layer_y"])
    #expect(types(program) == ["relu"])
    #expect(program.system == .iOS15)
  }

  // ONNX has all starts before all ends; Core ML both ends of an axis one after the other. Of 5 rows in steps of 2 with a
  // window of 3, one row of zeros is at each end; of 6 columns one at the right.
  @Test func `same padding is that of each end of each axis`() throws {
    let program = try program(
      MaxPooling2D(poolSize: Size2D(3, 3), strides: Size2D(2, 2), padding: .same), [5, 6, 2])
    #expect(types(program) == ["transpose", "max_pool", "transpose"])
    #expect(constant(program, "max_pool", "pad") == .ints([1, 1, 0, 1], [4]))
    #expect(constant(program, "max_pool", "pad_type") == .string("custom"))
  }

  @Test func `an average leaves out what is padded`() throws {
    let program = try program(
      AveragePooling2D(poolSize: Size2D(3, 3), strides: Size2D(2, 2), padding: .same), [5, 6, 2])
    #expect(constant(program, "avg_pool", "exclude_padding_from_average") == .bools([true], []))
  }

  // By default the operation adds 1e-45 to what it takes the logarithm of, and `inverse` 1e-4.
  @Test func `an epsilon is stated, or the operation is one without`() throws {
    let logarithm = try program(Elementwise(.logarithm), [3])
    #expect(constant(logarithm, "log", "epsilon") == .floats([0], []))
    let reciprocal = try program(Elementwise(.reciprocal), [3])
    #expect(types(reciprocal) == ["real_div"])
  }

  @Test func `float16 kernels are widened by a constant of iOS 16`() throws {
    let dense = Dense(units: 4)
    let layouts: [ParameterRole: Layout] = [.kernel: .oi]
    let whole = try program(dense, [5], parameters: [.kernel: ramp(20)], layouts: layouts)
    #expect((types(whole), whole.system) == (["linear"], .iOS15))
    let half = try program(
      dense, [5], parameters: [.kernel: ramp(20)], layouts: layouts, type: .float16)
    #expect((types(half), half.system) == (["constexpr_cast", "linear"], .iOS16))
  }

  @Test func `two transpositions that cancel are none`() throws {
    let model = try Model(
      name: "small", inputs: [ModelInput(name: "x", shape: Shape([4, 4, 2]))],
      layers: [
        LayerDefinition(
          name: "a", operation: MaxPooling2D(poolSize: Size2D(2, 2)), inputs: ["x"], parameters: [:]
        ),
        LayerDefinition(
          name: "b", operation: MaxPooling2D(poolSize: Size2D(2, 2)), inputs: ["a"], parameters: [:]
        ),
      ], outputs: ["b"])
    let program = try MILProgram(model, stored: [:])
    #expect(types(program) == ["transpose", "max_pool", "max_pool", "transpose"])
    let first = try MILProgram(model, stored: [:], channelsFirst: true)
    #expect(types(first) == ["max_pool", "max_pool"])
    #expect(first.inputs[0].type.shape == [nil, 2, 4, 4])
  }

  // Sizes and headers of 64 bytes each: the file's, the kernel's, 80 bytes of values up to 256.
  @Test func `arrays have a header of 64 bytes at a multiple of 64`() throws {
    let program = try program(
      Dense(units: 4), [5], parameters: [.kernel: ramp(20), .bias: ramp(4)],
      layouts: [.kernel: .oi])
    let package = CoreMLPackage(program)
    #expect(package.places.map(\.offset) == [128, 320])
    #expect(package.places.map(\.count) == [80, 16])
    #expect(package.weightCount == 336)
    let header = try #require(package.weights.first { $0.offset == 256 }).bytes
    #expect(header.count == 64)
    #expect(Array(header.prefix(8)) == [0xef, 0xbe, 0xad, 0xde, 2, 0, 0, 0])
    #expect(Array(header[8..<24]) == [16, 0, 0, 0, 0, 0, 0, 0, 0x40, 1, 0, 0, 0, 0, 0, 0])
    #expect(Array(package.weights[0].bytes.prefix(8)) == [2, 0, 0, 0, 2, 0, 0, 0])
  }

  @Test func `a gated recurrent unit is refused by name`() throws {
    let error = thrown {
      try program(
        GRU(units: 2, resetsAfter: true), [3, 2],
        parameters: [
          .kernel: ramp(12), .recurrent: ramp(12), .bias: ramp(6), .recurrentBias: ramp(6),
        ])
    }
    #expect(
      error?.message.contains("gates and biases of gru") == true, "\(String(describing: error))")
  }
}
