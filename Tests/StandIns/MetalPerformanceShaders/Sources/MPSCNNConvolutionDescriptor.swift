/// The shape of a convolution and what is fused with it.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnconvolutiondescriptor
open class MPSCNNConvolutionDescriptor: NSObject, NSCopying {
  /// The window's width, odd or even.
  open var kernelWidth = 3
  /// The window's height, odd or even.
  open var kernelHeight = 3
  /// Channels of the source.
  open var inputFeatureChannels = 1
  /// Channels of the result.
  open var outputFeatureChannels = 1
  /// How far apart the windows are.
  open var strideInPixelsX = 1
  /// How far apart the windows are.
  open var strideInPixelsY = 1
  /// Parts of the channels that do not meet; the channels of each are a multiple of 4.
  open var groups = 1
  /// How far apart the window's pixels are; the window is centred with its holes.
  open var dilationRateX = 1
  /// How far apart the window's pixels are; the window is centred with its holes.
  open var dilationRateY = 1
  /// Applied to the result, after normalisation.
  open var fusedNeuronDescriptor = MPSNNNeuronDescriptor.cnnNeuronDescriptor(with: .none)

  /// For each output channel a factor for its weights and its bias, and what is added to the bias.
  private(set) var normalization: [(factor: Float, addend: Float)] = []

  /// A convolution of stride 1 without a neuron.
  public convenience init(
    kernelWidth: Int, kernelHeight: Int, inputFeatureChannels: Int, outputFeatureChannels: Int
  ) {
    self.init()
    (self.kernelWidth, self.kernelHeight) = (kernelWidth, kernelHeight)
    self.inputFeatureChannels = inputFeatureChannels
    self.outputFeatureChannels = outputFeatureChannels
  }

  /// A default descriptor; subclasses of this have the same ways to be made.
  public required override init() { super.init() }

  /// Normalises the result: the arrays have a number for each output channel, and are read now.
  ///
  /// With `I = gamma / sqrt(variance + epsilon)` weights become `w * I` and biases `b * I + beta - I * mean`.
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnconvolutiondescriptor/setbatchnormalizationparametersforinferencewithmean(_:variance:gamma:beta:epsilon:)
  open func setBatchNormalizationParametersForInferenceWithMean(
    _ mean: UnsafePointer<Float>?, variance: UnsafePointer<Float>?, gamma: UnsafePointer<Float>?,
    beta: UnsafePointer<Float>?, epsilon: Float
  ) {
    guard let mean, let variance else {
      preconditionFailure("normalisation needs a mean and a variance")
    }
    normalization = (0..<outputFeatureChannels).map {
      let factor = (gamma?[$0] ?? 1) / (variance[$0] + epsilon).squareRoot()
      return (factor, (beta?[$0] ?? 0) - factor * mean[$0])
    }
  }

  /// A copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = Self()
    (copy.kernelWidth, copy.kernelHeight) = (kernelWidth, kernelHeight)
    copy.inputFeatureChannels = inputFeatureChannels
    copy.outputFeatureChannels = outputFeatureChannels
    (copy.strideInPixelsX, copy.strideInPixelsY) = (strideInPixelsX, strideInPixelsY)
    (copy.dilationRateX, copy.dilationRateY) = (dilationRateX, dilationRateY)
    copy.groups = groups
    copy.fusedNeuronDescriptor = fusedNeuronDescriptor
    copy.normalization = normalization
    return copy
  }

  var window: Convolution.Window {
    Convolution.Window(
      width: kernelWidth, height: kernelHeight, strideX: strideInPixelsX, strideY: strideInPixelsY,
      dilationX: dilationRateX, dilationY: dilationRateY)
  }
}

/// A convolution of each channel with a kernel of its own.
///
/// As many channels come out as go in. Weights are `[outputFeatureChannels][kernelHeight][kernelWidth]`.
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnndepthwiseconvolutiondescriptor
open class MPSCNNDepthWiseConvolutionDescriptor: MPSCNNConvolutionDescriptor {
  /// Output channels for each input channel; the documentation says that only 1 is supported.
  open var channelMultiplier: Int { outputFeatureChannels / inputFeatureChannels }
}
