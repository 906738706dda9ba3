import ModelIR
import Operators

/// An activation function in MPSCNN: a neuron, which another kernel can apply, or separate kernels.
enum MPSCNNNeuron: Equatable {
  /// The identity.
  case none
  /// The source text of a neuron's descriptor.
  case fused(String)
  /// Several neurons, one after another.
  case chain([String])
  /// The value multiplied by the result of the neurons.
  case gate([String])
  /// `MPSCNNSoftMax`.
  case softMax
  /// `MPSCNNLogSoftMax`.
  case logSoftMax

  /// - Parameter shape: The shape of the values in the model.
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
        .fused(
          maxValue.map { Self.descriptor(".reLUN", slope, $0) } ?? Self.descriptor(".reLU", slope))
    case .leakyReLU(let slope): self = .fused(Self.descriptor(".reLU", slope))
    case .elu(let alpha): self = .fused(Self.descriptor(".ELU", alpha))
    case .sigmoid: self = .fused(Self.descriptor(".sigmoid"))
    case .tanh: self = .fused(Self.descriptor(".tanH", 1, 1))
    case .softplus: self = .fused(Self.descriptor(".softPlus", 1, 1))
    case .softsign: self = .fused(Self.descriptor(".softSign"))
    case .hardSigmoid(let slope): self = .fused(Self.descriptor(".hardSigmoid", slope, 0.5))
    case .exponential: self = .fused(Self.descriptor(".exponential", 1, 0, -1))
    case .gelu(approximate: false): self = .fused(Self.descriptor(".geLU"))
    case .silu: self = .gate([Self.descriptor(".sigmoid")])
    case .hardSilu: self = .gate([Self.descriptor(".hardSigmoid", 1.0 / 6, 0.5)])
    case .mish:
      self = .gate([Self.descriptor(".softPlus", 1, 1), Self.descriptor(".tanH", 1, 1)])
    case .selu:
      self = .chain([
        Self.descriptor(".ELU", 1.6732632423543772),
        Self.descriptor(".linear", 1.0507009873554805, 0),
      ])
    case .softmax(let axis):
      try Self.check(axis, shape, image)
      self = .softMax
    case .logSoftmax(let axis):
      try Self.check(axis, shape, image)
      self = .logSoftMax
    default: throw .noNeuron(function)
    }
  }

  /// Checks that a softmax runs over the channels of each pixel.
  private static func check(
    _ axis: AxisList, _ shape: Shape, _ image: ImageShape
  ) throws(NetconvError) {
    guard try axis.indices(rank: shape.rank) == [shape.rank - 1],
      shape.rank == 3 || image.isPixel
    else { throw .softmaxNotOverChannels }
  }

  /// The source text of a neuron's descriptor.
  static func descriptor(_ type: String, _ parameters: Double...) -> String {
    let arguments = zip(["a", "b", "c"], parameters).map { ", \($0): \(SwiftText.number($1))" }
    return "MPSNNNeuronDescriptor.cnnNeuronDescriptor(with: \(type)\(arguments.joined()))"
  }
}

extension NetconvError {
  fileprivate static var softmaxNotOverChannels: NetconvError {
    NetconvError(.badData, "a softmax over other axes than the channels")
  }
}
