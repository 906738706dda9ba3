import Diagnosis
import ModelIR
import Operators
import Testing

/// Small typical networks in whose kernels a mistake can be planted.
struct PlantedNetwork: CustomTestStringConvertible {
  /// The layers between the input and the first kernel, which determine the preprocessing.
  enum Front: String, CaseIterable {
    case nothing
    case signed
    case unit
    case statistics
    case both
    case bytesLessMean
    case normalized
  }

  /// The architecture that the kernels belong to.
  enum Body: String, CaseIterable {
    case plain
    case deep
    case residual
    case mobile
  }

  /// A mistake in a kernel of four axes: height, width, inputs, outputs.
  enum Mistake: String, CaseIterable {
    case exchangedChannels
    case flippedRows
    case swappedKernels
  }

  let front: Front
  let body: Body

  var testDescription: String { "\(front) \(body)" }

  static let all = Front.allCases.flatMap { front in
    Body.allCases.map { PlantedNetwork(front: front, body: $0) }
  }

  /// The network, with a mistake in the convolution at this index; without one by default.
  func model(_ mistake: Mistake? = nil, in convolution: Int = 0) throws -> Model {
    var builder = Builder(mistake: mistake, place: convolution)
    builder.add(front)
    switch body {
    case .plain: for _ in 0..<2 { builder.convolve(6, .relu) }
    case .deep: for _ in 0..<9 { builder.convolve(6, .relu) }
    case .residual:
      builder.normalized(8, size: 3)
      for _ in 0..<3 {
        let before = builder.last
        builder.normalized(8, size: 3)
        builder.normalized(8, size: 3, isActive: false)
        builder.add("sum", Add(), reading: [before, builder.last])
      }
    case .mobile:
      builder.normalized(8, size: 3)
      for _ in 0..<4 {
        builder.normalized(12, size: 1)
        builder.deepen(12)
        builder.normalized(8, size: 1, isActive: false)
      }
    }
    builder.add("pool", GlobalAveragePooling2D())
    builder.dense(5)
    return try builder.model()
  }

  /// The number of convolutions, without depthwise ones.
  var convolutions: Int {
    switch body {
    case .plain: 2
    case .deep: 9
    case .residual: 7
    case .mobile: 9
    }
  }

  /// Builds the layers one by one, with numbers that are the same in each run.
  private struct Builder {
    let mistake: Mistake?
    let place: Int
    private var layers: [LayerDefinition] = []
    private(set) var last = "image"
    private var channels = 3
    private var convolutions = 0
    private var random = SplitMix64(seed: 7)
    /// The magnitude of the input after its scaling.
    private var size: Float = 0.5
    private var front = Front.nothing

    init(mistake: Mistake?, place: Int) {
      (self.mistake, self.place) = (mistake, place)
    }

    mutating func numbers(_ count: Int, around center: Float = 0, by size: Float) -> [Float] {
      (0..<count).map { _ in center + size * (2 * random.fraction() - 1) }
    }

    private static func stored(_ values: [Float]) -> StoredTensor {
      StoredTensor(source: ArraySource(values), layout: nil, shape: nil, path: "values")
    }

    mutating func add(
      _ name: String, _ operation: any Operator, reading inputs: [String]? = nil,
      _ parameters: [ParameterRole: [Float]] = [:]
    ) {
      let name = "\(name)\(layers.count)"
      layers.append(
        LayerDefinition(
          name: name, operation: operation, inputs: inputs ?? [last],
          parameters: parameters.mapValues(Self.stored)))
      last = name
    }

    mutating func add(_ front: Front) {
      self.front = front
      let means = Normalization.Statistics(
        mean: [0.485, 0.456, 0.406], variance: [0.052, 0.050, 0.051])
      switch front {
      case .nothing, .bytesLessMean: break
      case .signed: add("scale", Rescaling(scale: [1 / 127.5], offset: [-1]))
      case .unit: add("scale", Rescaling(scale: [1.0 / 255]))
      case .statistics:
        add(
          "norm",
          Normalization(statistics: .init(mean: [123, 117, 104], variance: [3400, 3300, 3250])))
      case .both:
        add("scale", Rescaling(scale: [1.0 / 255]))
        add("norm", Normalization(statistics: means))
      case .normalized:
        add(
          "norm", BatchNormalization(),
          parameters(channels: 3, mean: [120, 110, 100], variance: [3400, 3300, 3250]))
      }
    }

    private mutating func parameters(
      channels: Int, mean: [Float], variance: [Float]
    ) -> [ParameterRole: [Float]] {
      [
        .gamma: numbers(channels, around: 1, by: 0.2), .beta: numbers(channels, by: 0.2),
        .mean: mean, .variance: variance,
      ]
    }

    /// A kernel in the order of `HWIO`.
    private mutating func kernel(_ outputs: Int, size: Int) -> [Float] {
      let fanIn = size * size * channels
      let kernel = numbers(fanIn * outputs, by: (6 / Float(fanIn)).squareRoot())
      defer { convolutions += 1 }
      guard convolutions == place, let mistake else { return kernel }
      var changed = kernel
      for h in 0..<size {
        for w in 0..<size {
          for i in 0..<channels {
            for o in 0..<outputs {
              var (row, input, output) = (h, i, o)
              switch mistake {
              case .exchangedChannels: input = [0: channels - 1, channels - 1: 0][i] ?? i
              case .flippedRows: row = size - 1 - h
              case .swappedKernels: output = [0: 1, 1: 0][o] ?? o
              }
              changed[((h * size + w) * channels + i) * outputs + o] =
                kernel[((row * size + w) * channels + input) * outputs + output]
            }
          }
        }
      }
      return changed
    }

    mutating func convolve(_ outputs: Int, size: Int = 3, _ activation: ActivationFunction) {
      let kernel = kernel(outputs, size: size)
      add(
        "conv",
        Convolution2D(
          outputChannels: outputs, kernelSize: Size2D(size, size), padding: .same,
          activation: activation),
        [.kernel: kernel, .bias: numbers(outputs, by: 0.1)])
      channels = outputs
    }

    /// A convolution without bias, a normalisation, and ReLU.
    mutating func normalized(_ outputs: Int, size: Int, isActive: Bool = true) {
      let kernel = kernel(outputs, size: size)
      var sums = [Float](repeating: 0, count: outputs)
      for (index, value) in kernel.enumerated() { sums[index % outputs] += value * value }
      // What bytes less their mean give, where nothing in front scales them.
      let spread: Float = front == .bytesLessMean && convolutions == 1 ? 73.6 : 1
      add(
        "conv",
        Convolution2D(
          outputChannels: outputs, kernelSize: Size2D(size, size), padding: .same),
        [.kernel: kernel])
      channels = outputs
      let mean = numbers(outputs, by: 0.2 * spread)
      add(
        "bn", BatchNormalization(),
        parameters(channels: outputs, mean: mean, variance: sums.map { $0 * spread * spread }))
      if isActive { add("relu", Activation(.relu6)) }
    }

    /// A depthwise convolution, a normalisation, and ReLU.
    mutating func deepen(_ outputs: Int) {
      add(
        "deep", DepthwiseConvolution2D(kernelSize: Size2D(3, 3), padding: .same),
        [.kernel: numbers(9 * outputs, by: 0.8)])
      let mean = numbers(outputs, by: 0.2)
      let variance = numbers(outputs, around: 1, by: 0.3)
      add(
        "bn", BatchNormalization(),
        parameters(channels: outputs, mean: mean, variance: variance))
      add("relu", Activation(.relu6))
    }

    mutating func dense(_ units: Int) {
      add(
        "fc", Dense(units: units, activation: .softmax(axis: -1)),
        [.kernel: numbers(channels * units, by: 0.8), .bias: numbers(units, by: 0.1)])
    }

    func model() throws -> Model {
      try Model(
        name: "planted",
        inputs: [ModelInput(name: "image", shape: Shape([12, 10, 3]), preprocessing: nil)],
        layers: layers, outputs: [last])
    }
  }
}
