/// The numbers of a normalisation, which the kernel reads when it is made.
///
/// What is optional on Apple's systems has a default here, except the coder's initialiser, which Swift requires.
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnbatchnormalizationdatasource
public protocol MPSCNNBatchNormalizationDataSource: NSCopying, NSObjectProtocol {
  /// How many numbers there are of each kind.
  func numberOfFeatureChannels() -> Int
  /// Factors, or none.
  func gamma() -> UnsafeMutablePointer<Float>?
  /// Addends, or none.
  func beta() -> UnsafeMutablePointer<Float>?
  /// Means.
  func mean() -> UnsafeMutablePointer<Float>?
  /// Variances.
  func variance() -> UnsafeMutablePointer<Float>?
  /// Comes first.
  func load() -> Bool
  /// Nothing more is read.
  func purge()
  /// A name for tools.
  func label() -> String?
  /// Added to the variance. Optional; what it is without is not documented, so that it is needed here.
  func epsilon() -> Float
  /// From an archive.
  init?(coder aDecoder: NSCoder)
}

/// `gamma * (x - mean) / sqrt(variance + epsilon) + beta` for each channel.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnbatchnormalization
open class MPSCNNBatchNormalization: MPSCNNKernel {
  /// Channels of the source and of the result.
  public let numberOfFeatureChannels: Int
  /// Added to the variance.
  open var epsilon: Float
  /// Where the numbers came from.
  public let dataSource: any MPSCNNBatchNormalizationDataSource

  private struct Channel {
    let gamma: Float
    let beta: Float
    let mean: Float
    let variance: Float
  }

  private let numbers: [Channel]
  private let activation: Activation

  /// Without a neuron.
  public convenience init(
    device: any MTLDevice, dataSource: any MPSCNNBatchNormalizationDataSource
  ) {
    self.init(device: device, dataSource: dataSource, fusedNeuronDescriptor: nil)
  }

  /// With a neuron behind it.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnbatchnormalization/init(device:datasource:fusedneurondescriptor:)
  public init(
    device: any MTLDevice, dataSource: any MPSCNNBatchNormalizationDataSource,
    fusedNeuronDescriptor: MPSNNNeuronDescriptor?
  ) {
    precondition(dataSource.load(), "the data source could not load")
    defer { dataSource.purge() }
    self.dataSource = dataSource
    numberOfFeatureChannels = dataSource.numberOfFeatureChannels()
    epsilon = dataSource.epsilon()
    guard let mean = dataSource.mean(), let variance = dataSource.variance() else {
      preconditionFailure("a normalisation by the image's own statistics is not in the stand-in")
    }
    let (gamma, beta) = (dataSource.gamma(), dataSource.beta())
    numbers = (0..<numberOfFeatureChannels).map {
      Channel(
        gamma: gamma?[$0] ?? 1, beta: beta?[$0] ?? 0, mean: mean[$0], variance: variance[$0])
    }
    activation = Activation(
      fusedNeuronDescriptor ?? MPSNNNeuronDescriptor.cnnNeuronDescriptor(with: .none))
    super.init(device: device)
    label = dataSource.label()
  }

  override func checkSizes(source: MPSImage, destination: MPSImage) {
    precondition(
      source.featureChannels >= numberOfFeatureChannels,
      "\(numberOfFeatureChannels) channels are normalised, the source has \(source.featureChannels)"
    )
  }

  override func outputChannels(_ sourceChannels: Int) -> Int { numberOfFeatureChannels }

  override func body() -> Pass.Body {
    { [numbers, epsilon, activation] inputs, output in
      copyPixels(inputs[0], to: output) { pixel in
        for (c, channel) in numbers.enumerated() {
          pixel[c] =
            channel.gamma * (pixel[c] - channel.mean) / (channel.variance + epsilon).squareRoot()
            + channel.beta
        }
        activation.apply(pixel, numbers.count)
      }
    }
  }
}
