import ModelIR
import Operators
import Testing

/// Layers on integers; outputs of TensorFlow Lite are compared in the tests of its reader.
@Suite struct QuantizedTests {
  private static func quantization(_ type: ElementType, _ scale: Float, _ zeroPoint: Int = 0)
    -> Quantization
  {
    QuantizedSamples.quantization(type, scale, zeroPoint)
  }

  private static let bytes = quantization(.int8, 1)

  private func output(
    _ layer: Quantized, _ values: [Double], kernel: [Double]? = nil, bias: [Double]? = nil
  ) throws -> [Double] {
    var parameters: [ParameterRole: NDArray<Double>] = [:]
    if let kernel {
      parameters[.kernel] = NDArray(shape: [values.count, 1], values: kernel)
    }
    if let bias { parameters[.bias] = NDArray(shape: [1], values: bias) }
    return try layer.evaluate([NDArray(shape: [values.count], values: values)], parameters).values
  }

  @Test func `a change of the scale rounds halves up`() throws {
    let layer = Quantized(
      Identity(), inputs: [Self.quantization(.int8, 0.5)], output: Self.bytes)
    #expect(try output(layer, [1.5, -1.5, 1, -1, 0.5, -0.5]) == [2, -1, 1, -1, 1, 0])
  }

  @Test func `real numbers are rounded half away from zero, and limited`() throws {
    let layer = Quantized(
      Identity(), inputs: [], output: Self.quantization(.uint8, 0.5, 100), limits: nil)
    #expect(
      try output(layer, [0.25, -0.25, 0.2, 1000, -1000, 1e30]) == [0.5, -0.5, 0, 77.5, -50, 77.5])
  }

  // 1/4 is a mantissa of one half, of which 1 becomes 1, and a division by 2, after which it is 1 again.
  @Test func `convolutions round twice, fully-connected layers once`() throws {
    let output = Self.quantization(.int8, 4)
    let dense = Quantized(
      Dense(units: 1), inputs: [Self.bytes], output: output, kernelScales: [1])
    #expect(try self.output(dense, [1], kernel: [1]) == [0])
    #expect(try self.output(dense, [-2], kernel: [1]) == [-4])
    let convolution = Quantized(
      Convolution2D(outputChannels: 1, kernelSize: Size2D(1, 1)), inputs: [Self.bytes],
      output: output, kernelScales: [1])
    let pixel = NDArray(shape: [1, 1, 1], values: [1.0])
    let kernel = NDArray(shape: [1, 1, 1, 1], values: [1.0])
    #expect(try convolution.evaluate([pixel], [.kernel: kernel]).values == [4])
  }

  // 2²⁴ + 511 lies halfway between two floats, of which the bias has the larger one.
  @Test func `a bias beyond 24 bits is exact`() throws {
    let input = Self.quantization(.int16, 1)
    let output = Self.quantization(.int16, 1024)
    let bias = [Double(Float(0x1p24 + 511))]
    for (remainder, expected) in [(-1, 0x1p24), (0, 0x1p24 + 1024)] {
      let layer = Quantized(
        Dense(units: 1), inputs: [input], output: output, kernelScales: [1],
        biasRemainders: [remainder])
      #expect(try self.output(layer, [0], kernel: [0], bias: bias) == [expected])
    }
  }

  @Test func `rows of real numbers have scales of their own`() throws {
    let layer = Quantized(Dense(units: 1), inputs: [], output: nil, kernelScales: [0.5])
    let rows = NDArray(shape: [2, 2], values: [127.0, 12.4, -254, 3.1])
    let kernel = NDArray(shape: [2, 1], values: [1.0, 0.5])
    let result = try layer.evaluate([rows], [.kernel: kernel]).values
    // 127 · 2 + 12 · 1 of a scale of 1; -127 · 2 + 2 · 1 of a scale of 2; all times 0.5.
    #expect(result == [133, -252])
  }

  // MARK: - Errors

  @Test(
    arguments: [
      ("a number between two integers", [0.4], [1.0], "is not one of the numbers"),
      ("an integer out of range", [128], [1], "is not one of the numbers"),
      ("a kernel between two integers", [1], [0.5], "expected multiples of its scale"),
      ("NaN", [Double.nan], [1], "NaN"),
      (
        "sums of more than 32 bits", [Double](repeating: 127, count: 140_000),
        [Double](repeating: 127, count: 140_000), "exceeds the bits"
      ),
    ])
  func `what has no exact integer is an error`(
    name: String, values: [Double], kernel: [Double], words: String
  ) throws {
    let layer = Quantized(
      Dense(units: 1), inputs: [Self.bytes], output: Self.bytes, kernelScales: [1])
    let error = #expect(throws: NetconvError.self) {
      try output(layer, values, kernel: kernel)
    }
    #expect(error?.description.contains(words) == true, "\(name)")
    #expect(error?.kind == .badData)
  }

  @Test(
    arguments: [
      Quantized(Flatten(), inputs: [bytes], output: bytes),
      Quantized(Activation(.softplus), inputs: [bytes], output: bytes),
      Quantized(Identity(), inputs: [bytes, bytes], output: bytes),
      Quantized(Identity(), inputs: [bytes], output: bytes, limits: -129...0),
      Quantized(Dense(units: 2), inputs: [bytes], output: bytes),
      Quantized(Dense(units: 2), inputs: [bytes], output: bytes, kernelScales: [1, 1, 1]),
      Quantized(Dense(units: 2), inputs: [bytes], output: bytes, kernelScales: [.nan]),
      Quantized(
        Dense(units: 2), inputs: [bytes], output: bytes, kernelScales: [1], biasRemainders: [1]),
      Quantized(
        Dense(units: 2), inputs: [quantization(.uint8, 1)], output: bytes, kernelScales: [1]),
      Quantized(Identity(), inputs: [], output: nil),
    ])
  func `layers that no kernel computes are errors`(layer: Quantized) {
    #expect(throws: NetconvError.self) { try layer.outputShape(for: [Shape([3])]) }
  }

  @Test func `scales and zero points are checked`() {
    for (type, scale, zeroPoint): (ElementType, Float, Int) in [
      (.int8, 0, 0), (.int8, -1, 0), (.int8, .infinity, 0), (.int8, .nan, 0), (.int8, 1, 128),
      (.uint8, 1, -1), (.int32, 1, 0), (.float32, 1, 0),
    ] {
      #expect(throws: NetconvError.self) {
        try Quantization(type: type, scale: scale, zeroPoint: zeroPoint)
      }
    }
  }
}
