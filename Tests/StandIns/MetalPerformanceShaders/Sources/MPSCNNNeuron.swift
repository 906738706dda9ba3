/// The function of a neuron, with parameters a, b and c.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnneurontype
public enum MPSCNNNeuronType: Int32, Sendable {
  /// `x`
  case none = 0
  /// `x >= 0 ? x : a * x`
  case reLU = 1
  /// `a * x + b`
  case linear = 2
  /// `1 / (1 + exp(-x))`
  case sigmoid = 3
  /// `min(max(a * x + b, 0), 1)`
  case hardSigmoid = 4
  /// `a * tanh(b * x)`
  case tanH = 5
  /// `abs(x)`
  case absolute = 6
  /// `a * log(1 + exp(b * x))`
  case softPlus = 7
  /// `x / (1 + abs(x))`
  case softSign = 8
  /// `x >= 0 ? x : a * (exp(x) - 1)`
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case ELU = 9
  /// `x >= 0 ? x : a[channel] * x`
  case pReLU = 10
  /// `min(x >= 0 ? x : a * x, b)`
  case reLUN = 11
  /// `pow(a * x + b, c)`
  case power = 12
  /// `pow(c, a * x + b)`; e if c is -1
  case exponential = 13
  /// The logarithm of `a * x + b` to the base c; e if c is -1
  case logarithm = 14
  /// `(1 + erf(x * sqrt(0.5))) * 0.5 * x`
  case geLU = 15
}

/// A neuron's function and its parameters.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsnnneurondescriptor
open class MPSNNNeuronDescriptor: NSObject, NSCopying {
  /// The function.
  open var neuronType = MPSCNNNeuronType.none
  /// The parameter a.
  open var a: Float = 0
  /// The parameter b.
  open var b: Float = 0
  /// The parameter c.
  open var c: Float = 0
  /// Floats, one for each channel: the parameter a of `pReLU`.
  open var data: Data?

  private init(_ type: MPSCNNNeuronType, _ a: Float, _ b: Float, _ c: Float, _ data: Data?) {
    (neuronType, self.a, self.b, self.c, self.data) = (type, a, b, c, data)
  }

  /// A function without parameters.
  ///
  /// What the parameters of other functions are then is not documented: here it is an error.
  open class func cnnNeuronDescriptor(with neuronType: MPSCNNNeuronType) -> MPSNNNeuronDescriptor {
    let withoutParameters: [MPSCNNNeuronType] = [.none, .sigmoid, .absolute, .softSign, .geLU]
    precondition(withoutParameters.contains(neuronType), "give \(neuronType) its parameters")
    return MPSNNNeuronDescriptor(neuronType, 0, 0, 0, nil)
  }

  /// A function of a.
  open class func cnnNeuronDescriptor(
    with neuronType: MPSCNNNeuronType, a: Float
  ) -> MPSNNNeuronDescriptor { MPSNNNeuronDescriptor(neuronType, a, 0, 0, nil) }

  /// A function of a and b.
  open class func cnnNeuronDescriptor(
    with neuronType: MPSCNNNeuronType, a: Float, b: Float
  ) -> MPSNNNeuronDescriptor { MPSNNNeuronDescriptor(neuronType, a, b, 0, nil) }

  /// A function of a, b and c.
  open class func cnnNeuronDescriptor(
    with neuronType: MPSCNNNeuronType, a: Float, b: Float, c: Float
  ) -> MPSNNNeuronDescriptor { MPSNNNeuronDescriptor(neuronType, a, b, c, nil) }

  /// `pReLU`, with a float for each channel.
  open class func cnnNeuronPReLUDescriptor(
    with data: Data, noCopy: Bool
  ) -> MPSNNNeuronDescriptor { MPSNNNeuronDescriptor(.pReLU, 0, 0, 0, data) }

  /// A copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    MPSNNNeuronDescriptor(neuronType, a, b, c, data)
  }
}

/// Applies a neuron's function to each number.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnneuron
open class MPSCNNNeuron: MPSCNNKernel {
  /// The function.
  public let neuronType: MPSCNNNeuronType
  /// The parameter a.
  public let a: Float
  /// The parameter b.
  public let b: Float
  /// The parameter c.
  public let c: Float
  /// The parameter a of each channel.
  public let data: Data?
  private let activation: Activation

  /// The neuron of a descriptor.
  public init(device: any MTLDevice, neuronDescriptor: MPSNNNeuronDescriptor) {
    neuronType = neuronDescriptor.neuronType
    (a, b, c) = (neuronDescriptor.a, neuronDescriptor.b, neuronDescriptor.c)
    data = neuronDescriptor.data
    activation = Activation(neuronDescriptor)
    super.init(device: device)
  }

  override func body() -> Pass.Body {
    { [activation] inputs, output in
      copyPixels(inputs[0], to: output) { activation.apply($0, output.plane.channels) }
    }
  }
}
