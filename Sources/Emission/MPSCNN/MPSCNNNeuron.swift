import ModelIR
import Operators

/// An activation function as MPSCNN has it: a neuron, or a softmax, which is a kernel of its own.
enum MPSCNNNeuron: Equatable {
  /// Nothing is to be done.
  case none
  /// The text of a neuron's descriptor.
  case neuron(String)
  /// `MPSCNNSoftMax`.
  case softMax
  /// `MPSCNNLogSoftMax`.
  case logSoftMax

  /// - Parameter shape: of the values as the model has them.
  /// - Throws: `badData` if no neuron computes this function.
  ///
  /// Source: Apple, MPSCNNNeuronType.h, for the formula and the parameters of each.
  init(
    _ function: ActivationFunction, _ shape: Shape, in image: ImageShape
  ) throws(NetconvError) {
    switch function {
    case .linear: self = .none
    case .relu(let maxValue, let slope, 0):
      self =
        maxValue.map { Self.descriptor(".reLUN", slope, $0) } ?? Self.descriptor(".reLU", slope)
    case .leakyReLU(let slope): self = Self.descriptor(".reLU", slope)
    case .elu(let alpha): self = Self.descriptor(".ELU", alpha)
    case .sigmoid: self = Self.descriptor(".sigmoid")
    case .tanh: self = Self.descriptor(".tanH", 1, 1)
    case .softplus: self = Self.descriptor(".softPlus", 1, 1)
    case .softsign: self = Self.descriptor(".softSign")
    case .hardSigmoid(let slope): self = Self.descriptor(".hardSigmoid", slope, 0.5)
    case .exponential: self = Self.descriptor(".exponential", 1, 0, -1)
    case .gelu(approximate: false): self = Self.descriptor(".geLU")
    case .softmax(let axis):
      try Self.check(axis, shape, image)
      self = .softMax
    case .logSoftmax(let axis):
      try Self.check(axis, shape, image)
      self = .logSoftMax
    default: throw .noNeuron(function)
    }
  }

  /// A softmax goes over the channels of each pixel.
  private static func check(
    _ axis: AxisList, _ shape: Shape, _ image: ImageShape
  ) throws(NetconvError) {
    guard try axis.indices(rank: shape.rank) == [shape.rank - 1],
      shape.rank == 3 || image.isPixel
    else { throw .softmaxNotOverChannels }
  }

  private static func descriptor(_ type: String, _ parameters: Double...) -> MPSCNNNeuron {
    let arguments = zip(["a", "b", "c"], parameters).map { ", \($0): \(SwiftText.number($1))" }
    return .neuron(
      "MPSNNNeuronDescriptor.cnnNeuronDescriptor(with: \(type)\(arguments.joined()))")
  }
}
