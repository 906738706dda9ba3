/// How exactly a convolution adds.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsnnconvolutionaccumulatorprecisionoption
public struct MPSNNConvolutionAccumulatorPrecisionOption: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// An option by its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// In half precision.
  ///
  /// The stand-in adds in float32 and rounds the sum once, before the bias.
  public static var half: MPSNNConvolutionAccumulatorPrecisionOption { [] }
  /// In single precision.
  public static var float: MPSNNConvolutionAccumulatorPrecisionOption { .init(rawValue: 1) }
}

/// The weights of a convolution, which it reads when it is made.
///
/// What is optional on Apple's systems has a default here.
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnconvolutiondatasource
public protocol MPSCNNConvolutionDataSource: NSCopying, NSObjectProtocol {
  /// The type of ``weights()``: float32 or float16.
  func dataType() -> MPSDataType
  /// The shape.
  func descriptor() -> MPSCNNConvolutionDescriptor
  /// `[outputChannels][kernelHeight][kernelWidth][inputChannels / groups]`.
  func weights() -> UnsafeMutableRawPointer
  /// A float for each output channel, or none.
  func biasTerms() -> UnsafeMutablePointer<Float>?
  /// Comes first; what is read must be there until ``purge()``.
  func load() -> Bool
  /// Nothing more is read.
  func purge()
  /// A name for tools.
  func label() -> String?
  /// A copy for another device. Optional.
  func copy(with zone: NSZone?, device: (any MTLDevice)?) -> Self
  /// The type of the weights while the kernel runs. Optional, and **float16** without it, even if ``weights()`` are
  /// float32.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnconvolutiondatasource/kernelweightsdatatype()
  func kernelWeightsDataType() -> MPSDataType
}

extension MPSCNNConvolutionDataSource {
  /// The same object.
  public func copy(with zone: NSZone?, device: (any MTLDevice)?) -> Self { self }
  /// Half precision.
  public func kernelWeightsDataType() -> MPSDataType { .float16 }
}

/// What a convolution has read from its data source.
struct LoadedWeights {
  let descriptor: MPSCNNConvolutionDescriptor
  let label: String?
  let kernelType: MPSDataType
  /// Normalised, and of the kernel's type.
  let weights: [Float]
  /// Normalised; empty without.
  let biases: [Float]

  init(_ source: any MPSCNNConvolutionDataSource) {
    precondition(source.load(), "the data source could not load")
    defer { source.purge() }
    guard let copy = source.descriptor().copy() as? MPSCNNConvolutionDescriptor else {
      preconditionFailure("a descriptor that cannot be copied")
    }
    descriptor = copy
    label = source.label()
    kernelType = source.kernelWeightsDataType()
    let given = source.dataType()
    precondition(
      given == .float32 || given == .float16, "weights of type \(given) are not in the stand-in")
    precondition(
      kernelType == .float16 || (kernelType == .float32 && given == .float32),
      "float16 weights need float16 kernels")

    let outputs = copy.outputFeatureChannels
    let component: Component = given == .float16 ? .float16 : .float32
    let pointer = UnsafeRawPointer(source.weights())
    let each = Self.count(copy) / outputs
    let normalization = copy.normalization
    precondition(
      normalization.isEmpty || normalization.count == outputs,
      "normalisation was set before outputFeatureChannels")
    var weights = (0..<outputs * each).map {
      component.load(pointer + $0 * component.size)
        * (normalization.isEmpty ? 1 : normalization[$0 / each].factor)
    }
    if kernelType == .float16 {
      weights.withUnsafeMutableBufferPointer { Component.float16.round($0) }
    }
    self.weights = weights

    let terms = source.biasTerms()
    if terms == nil && normalization.isEmpty {
      biases = []
    } else {
      biases = (0..<outputs).map {
        let bias = terms?[$0] ?? 0
        return normalization.isEmpty
          ? bias : bias * normalization[$0].factor + normalization[$0].addend
      }
    }
  }

  private static func count(_ descriptor: MPSCNNConvolutionDescriptor) -> Int {
    let window = descriptor.kernelHeight * descriptor.kernelWidth * descriptor.outputFeatureChannels
    if descriptor is MPSCNNDepthWiseConvolutionDescriptor { return window }
    return window * descriptor.inputFeatureChannels / descriptor.groups
  }

  /// Bias and activation of a pixel's sums.
  func finish(
    roundingSums: Bool
  ) -> @Sendable (UnsafeMutablePointer<Float>) -> Void {
    let activation = Activation(descriptor.fusedNeuronDescriptor)
    let (count, biases) = (descriptor.outputFeatureChannels, biases)
    return { pixel in
      if roundingSums {
        Component.float16.round(UnsafeMutableBufferPointer(start: pixel, count: count))
      }
      biases.withUnsafeBufferPointer {
        for channel in $0.indices { pixel[channel] += $0[channel] }
      }
      activation.apply(pixel, count)
    }
  }
}
