import Diagnosis
import Execution
import ModelIR
import Operators
import Testing

/// Mistakes that no file can hold, only another framework or the code around a network.
@Suite("Mistakes told from outputs alone")
struct MistakeTests {
  /// Unrelated random numbers.
  private static func numbers(_ shape: [Int], seed: UInt64) throws -> NDArray<Float> {
    var random = SplitMix64(seed: seed)
    return try random.array(shape).map { 2 * $0 - 0.9 }
  }

  /// The finding for a layer that reads `input` and should return `output`.
  private func finding(
    _ operation: any Operator, _ parameters: [ParameterRole: [Float]] = [:],
    input: NDArray<Float>, output: NDArray<Float>
  ) throws -> String? {
    let model = try Model(
      name: "m", inputs: [ModelInput(name: "x", shape: Shape(Array(input.shape.dropFirst())))],
      layers: [
        LayerDefinition(
          name: "layer", operation: operation, inputs: ["x"],
          parameters: parameters.mapValues { StoredTensor($0) })
      ], outputs: ["layer"])
    let comparison = try ModelComparison(
      of: model, on: ["x": input], with: ExpectedActivations(["x": input, "layer": output]))
    let row = try #require(comparison.firstFailure)
    #expect(row.name == "layer")
    return row.explanation?.repair.finding
  }

  /// The output of an operator by its definition.
  private func evaluate(
    _ operation: any Operator, _ parameters: [ParameterRole: NDArray<Float>] = [:],
    _ input: NDArray<Float>
  ) throws -> NDArray<Float> {
    let shape = Array(input.shape.dropFirst())
    let one = NDArray<Double>(shape: shape, values: input.values.map { Double($0) })
    let output = try operation.evaluate(
      [one], parameters.mapValues { $0.converted(to: Double.self) }
    ).converted(to: Float.self)
    return output.reshaped([1] + output.shape)
  }

  /// An image with a border of zeros.
  private func padded(_ image: NDArray<Float>, top: Int, left: Int, bottom: Int, right: Int) throws
    -> NDArray<Float>
  {
    try evaluate(ZeroPadding2D(top: top, bottom: bottom, left: left, right: right), [:], image)
  }

  @Test("padding on both sides, as PyTorch has it")
  func symmetricPadding() throws {
    let image = try Self.numbers([1, 8, 6, 2], seed: 1)
    let kernel = try Self.numbers([3, 3, 2, 4], seed: 2)
    let same = Convolution2D(
      outputChannels: 4, kernelSize: Size2D(3, 3), strides: Size2D(2, 2), padding: .same)
    let valid = Convolution2D(outputChannels: 4, kernelSize: Size2D(3, 3), strides: Size2D(2, 2))
    let wide = try evaluate(
      valid, [.kernel: kernel], padded(image, top: 1, left: 1, bottom: 1, right: 1))
    #expect(wide.shape == [1, 4, 3, 4])
    #expect(
      try finding(same, [.kernel: kernel.values], input: image, output: wide)
        == "the padding is top 0, bottom 1, left 0, right 1, as in TensorFlow; expected the odd "
        + "pixel before the input, as in Caffe: top 1, bottom 0, left 1, right 0")
  }

  @Test("the mean of a window for its largest value, and the reverse")
  func otherPooling() throws {
    let image = try Self.numbers([1, 6, 9, 2], seed: 4)
    let windows = (size: Size2D(2, 3), strides: Size2D(2, 2))
    let largest = MaxPooling2D(poolSize: windows.size, strides: windows.strides)
    let mean = AveragePooling2D(poolSize: windows.size, strides: windows.strides)
    #expect(
      try finding(largest, input: image, output: evaluate(mean, [:], image))
        == "is MaxPooling2D, expected AveragePooling2D")
    #expect(
      try finding(mean, input: image, output: evaluate(largest, [:], image))
        == "is AveragePooling2D, expected MaxPooling2D")
    let (all, one) = (GlobalMaxPooling2D(), GlobalAveragePooling2D())
    #expect(
      try finding(all, input: image, output: evaluate(one, [:], image))
        == "is GlobalMaxPooling2D, expected GlobalAveragePooling2D")
    #expect(
      try finding(one, input: image, output: evaluate(all, [:], image))
        == "is GlobalAveragePooling2D, expected GlobalMaxPooling2D")
  }

  /// A chain of layers over `input` that starts with a reshape.
  private func chain(reshaping shape: [Int], of input: NDArray<Float>) throws -> Model {
    let names = ["reshape", "pool", "double", "flat"]
    let operations: [any Operator] = [
      Reshape(shape: shape), MaxPooling2D(poolSize: Size2D(1, 1)), Rescaling(scale: [2]), Flatten(),
    ]
    return try Model(
      name: "m", inputs: [ModelInput(name: "x", shape: Shape(Array(input.shape.dropFirst())))],
      layers: zip(names, operations).enumerated().map { index, layer in
        LayerDefinition(
          name: layer.0, operation: layer.1, inputs: [index == 0 ? "x" : names[index - 1]])
      }, outputs: ["flat"])
  }

  @Test("another shape with as many values is a mistake, and what reads it is not judged")
  func otherShape() throws {
    let input = try Self.numbers([2, 4, 6, 1], seed: 5)
    let (right, wrong) = (
      try chain(reshaping: [4, 6, 1], of: input), try chain(reshaping: [6, 4, 1], of: input)
    )
    let expected = try ExpectedActivations(of: right, on: ["x": input], engine: .fast) {}
    let comparison = try ModelComparison(of: wrong, on: ["x": input], with: expected)
    #expect(comparison.rows.map(\.name) == ["x", "reshape"])
    #expect(comparison.unmatched == ["pool", "double", "flat"])
    #expect(
      comparison.rows[1].explanation?.repair.finding
        == "has output shape (6, 4, 1), expected (4, 6, 1): shape is [6, 4, 1], expected [4, 6, 1]")
    // Nobody knows what the source's layers are.
    var saved = expected
    saved.model = nil
    let blind = try ModelComparison(of: wrong, on: ["x": input], with: saved)
    #expect(blind.firstFailure?.name == "reshape")
    #expect(
      blind.firstFailure?.explanation?.repair.finding
        == "has output shape (6, 4, 1), expected (4, 6, 1)")
    // Flat activations are what they were, and axes of one place do not matter.
    saved.values["reshape"] = expected.values["reshape"]?.reshaped([2, 24])
    saved.values["pool"] = expected.values["pool"]?.reshaped([2, 4, 6])
    #expect(
      try ModelComparison(of: right, on: ["x": input], with: saved).rows.allSatisfy(\.passed))
    // As many layers, with another number of values.
    let half = try Model(
      name: "m", inputs: right.inputs,
      layers: [
        LayerDefinition(
          name: "reshape", operation: Cropping2D(top: 0, bottom: 2, left: 0, right: 0),
          inputs: ["x"])
      ], outputs: ["reshape"])
    let cropped = try ModelComparison(of: half, on: ["x": input], with: expected)
    #expect(
      cropped.firstFailure?.explanation?.repair.finding
        == "has output shape (2, 6, 1), expected (4, 6, 1): is Cropping2D, expected Reshape")
  }

  @Test("padding counted in a mean")
  func countedPadding() throws {
    let image = try Self.numbers([1, 5, 5, 2], seed: 3)
    let pooling = AveragePooling2D(
      poolSize: Size2D(3, 3), strides: Size2D(2, 2), padding: .same)
    let counted = try evaluate(
      AveragePooling2D(poolSize: Size2D(3, 3), strides: Size2D(2, 2)), [:],
      padded(image, top: 1, left: 1, bottom: 1, right: 1))
    #expect(
      try finding(pooling, input: image, output: counted)
        == "the padding is excluded from the mean, expected to be included")
  }

  @Test(
    "pixels in another range",
    arguments: [
      (1.0 / 255, 0.0, "the pixels are not scaled: a scale of 1/255 is missing"),
      (255.0, 0.0, "the pixels are scaled by 1/255 twice"),
      (1 / 127.5, -1.0, "the pixels are not scaled to -1 … 1: x/127.5 - 1 is missing"),
      (2.0, -1.0, "the pixels are from 0 to 1, expected from -1 to 1"),
      (-1.0, 1.0, "the pixels are inverted: 1 - x"),
    ])
  func scales(scale: Double, offset: Double, text: String) throws {
    let image = try Self.numbers([1, 5, 4, 1], seed: 4)
    let kernel = try Self.numbers([3, 3, 1, 3], seed: 5)
    let convolution = Convolution2D(outputChannels: 3, kernelSize: Size2D(3, 3))
    let right = image.map { Float(Double($0) * scale + offset) }
    #expect(
      try finding(
        convolution, [.kernel: kernel.values], input: image,
        output: evaluate(convolution, [.kernel: kernel], right)) == text)
  }

  @Test("an image on its side")
  func transposedImage() throws {
    let image = try Self.numbers([1, 5, 5, 1], seed: 6)
    var side = image
    for h in 0..<5 { for w in 0..<5 { side.values[w * 5 + h] = image.values[h * 5 + w] } }
    let kernel = try Self.numbers([2, 3, 1, 3], seed: 7)
    let convolution = Convolution2D(outputChannels: 3, kernelSize: Size2D(2, 3))
    #expect(
      try finding(
        convolution, [.kernel: kernel.values], input: image,
        output: evaluate(convolution, [.kernel: kernel], side))
        == "height and width of the input are swapped")
  }

  @Test(
    "a variance in another form",
    arguments: [
      ("variance holds the standard deviation", 0), ("variance holds one over the variance", 1),
      ("variance and mean are swapped", 2),
    ])
  func statistics(text: String, form: Int) throws {
    let image = try Self.numbers([1, 3, 2, 4], seed: 8)
    let mean = try Self.numbers([4], seed: 9).map { abs($0) + 0.5 }
    let variance = try Self.numbers([4], seed: 10).map { abs($0) + 2 }
    let normalization = BatchNormalization()
    let right = try evaluate(normalization, [.mean: mean, .variance: variance], image)
    let stored = [
      (mean, variance.map { $0.squareRoot() }), (mean, variance.map { 1 / $0 }), (variance, mean),
    ][form]
    let found = try finding(
      normalization, [.mean: stored.0.values, .variance: stored.1.values], input: image,
      output: right)
    #expect(
      found == (form == 2 ? "mean and variance are swapped" : text))
  }

  @Test("a bias that nobody knows is found to be missing")
  func missingBias() throws {
    let image = try Self.numbers([1, 6, 6, 2], seed: 11)
    let kernel = try Self.numbers([3, 3, 2, 3], seed: 12)
    let bias = try Self.numbers([3], seed: 13)
    for activation in [ActivationFunction.linear, .relu, .elu(alpha: 1)] {
      let convolution = Convolution2D(
        outputChannels: 3, kernelSize: Size2D(3, 3), activation: activation)
      #expect(
        try finding(
          convolution, [.kernel: kernel.values], input: image,
          output: evaluate(convolution, [.kernel: kernel, .bias: bias], image))
          == "bias is missing")
    }
  }

  @Test("what follows no known mistake is not explained")
  func noise() throws {
    let image = try Self.numbers([1, 6, 6, 2], seed: 14)
    let kernel = try Self.numbers([3, 3, 2, 3], seed: 15)
    let convolution = Convolution2D(outputChannels: 3, kernelSize: Size2D(3, 3))
    #expect(
      try finding(
        convolution, [.kernel: kernel.values], input: image,
        output: try Self.numbers([1, 4, 4, 3], seed: 16)) == nil)
  }
}
