import ModelIR
import Operators

/// A weight as Keras calls it, and what it is to the operator.
struct KerasWeight: Sendable {
  /// The last part of the weight's path, without `:0`.
  let name: String
  /// What other versions of Keras call it.
  var otherNames: [String] = []
  /// What it is to the operator; `nil` if it matters in training only.
  let role: ParameterRole?

  /// The convolution or matrix kernel.
  static let kernel = KerasWeight(name: "kernel", role: .kernel)
  /// The kernel that the state of a recurrent layer goes through.
  static let recurrentKernel = KerasWeight(name: "recurrent_kernel", role: .recurrent)
  /// The bias.
  static let bias = KerasWeight(name: "bias", role: .bias)

  /// The factor and the offset of a normalisation, as its settings `scale` and `center` want them.
  ///
  /// - Throws: `badData` if one of them is no truth value.
  static func scaleAndCenter(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    let scale = try layer.bool("scale", default: true)
    let center = try layer.bool("center", default: true)
    return (scale ? [gamma] : []) + (center ? [KerasWeight(name: "beta", role: .beta)] : [])
  }

  /// The factor of a normalisation.
  static let gamma = KerasWeight(name: "gamma", role: .gamma)

  /// What a weight is to a layer of a class without a mapping, judged by its name alone.
  static func role(named name: String) -> ParameterRole {
    knownRoles[name] ?? ParameterRole(rawValue: name)
  }

  /// Names that mean the same in every layer of Keras that has them; any other name is a role of its own.
  private static let knownRoles: [String: ParameterRole] = [
    "moving_mean": .mean, "moving_variance": .variance, "depthwise_kernel": .depthwise,
    "pointwise_kernel": .pointwise, "recurrent_kernel": .recurrent,
  ]
}

/// How layers of Keras become an operator; one file per kind of layer in `Layers`.
///
/// Weights are taken to lie in the order in which the operator's definition reads them, which is Keras's.
protocol KerasLayerMapping: Sendable {
  /// The classes that are mapped.
  static var classNames: [String] { get }

  /// What they become, for the documentation.
  static var operators: [any Operator.Type] { get }

  /// Settings that are not read, for the documentation.
  static var refused: [String] { get }

  /// The operator of a layer.
  ///
  /// - Throws: `badData` if the layer uses a setting that cannot be mapped.
  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator

  /// The setting that names the axes along which the layer works, with Keras's default; `nil` if there is none.
  static var axisSetting: (key: String, default: Int)? { get }

  /// What the layer does with the mask of a sequence; there is no default, because a wrong one is silently wrong.
  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule

  /// The weights that the layer must have, no more and no fewer.
  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight]
}

extension KerasLayerMapping {
  static var axisSetting: (key: String, default: Int)? { nil }
  static var refused: [String] { [] }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] { [] }
}

/// A mapping of classes over sequences and over images, which are told apart by their names.
protocol KerasSpatialMapping: KerasLayerMapping {
  /// The operator of a layer over the axes of `space`.
  ///
  /// - Throws: `badData` if the layer uses a setting that cannot be mapped.
  static func operation<Space: SpatialAxes>(
    of layer: KerasLayerConfig, _ space: Space.Type
  ) throws(NetconvError) -> any Operator
}

extension KerasSpatialMapping {
  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    layer.isOfSequences ? try operation(of: layer, Line.self) : try operation(of: layer, Plane.self)
  }
}

extension KerasLayerConfig {
  /// The weights that the layer must have, with those of what it lies in.
  ///
  /// - Throws: `badData` if a setting cannot be read.
  func allWeights() throws(NetconvError) -> [KerasWeight] {
    let own = try KerasLayers.mapping(of: className)?.weights(of: self) ?? []
    return wrapper == nil ? own : own + [KerasSpectralNormalization.state]
  }
}

/// Every kind of Keras layer that netconv reads.
enum KerasLayers {
  /// One line per file in `Layers`; a test compares the two.
  static let all: [any KerasLayerMapping.Type] = [
    KerasActivation.self,
    KerasAdaptivePooling.self,
    KerasArithmetic.self,
    KerasArrangement.self,
    KerasBatchNormalization.self,
    KerasBidirectional.self,
    KerasCenterCrop.self,
    KerasConcatenate.self,
    KerasConv.self,
    KerasConvLSTM.self,
    KerasConvTranspose.self,
    KerasCropping.self,
    KerasCustomScaleLayer.self,
    KerasDense.self,
    KerasDepthwiseConv.self,
    KerasDot.self,
    KerasELU.self,
    KerasEmbedding.self,
    KerasFlatten.self,
    KerasFunctionActivation.self,
    KerasGlobalPooling.self,
    KerasGroupNormalization.self,
    KerasIdentity.self,
    KerasLayerNormalization.self,
    KerasLayerScale.self,
    KerasLeakyReLU.self,
    KerasLocallyConnected.self,
    KerasMasking.self,
    KerasMerge.self,
    KerasNormalization.self,
    KerasPReLU.self,
    KerasPermute.self,
    KerasPooling.self,
    KerasRMSNormalization.self,
    KerasRandomCrop.self,
    KerasReLU.self,
    KerasRecurrent.self,
    KerasRecurrentCell.self,
    KerasReduction.self,
    KerasRepeatVector.self,
    KerasRescaling.self,
    KerasReshape.self,
    KerasResizing.self,
    KerasSeparableConv.self,
    KerasSoftmax.self,
    KerasSpectralNormalization.self,
    KerasThresholdedReLU.self,
    KerasTimeDistributed.self,
    KerasUnitNormalization.self,
    KerasUpSampling.self,
    KerasZeroPadding.self,
  ]

  /// The mapping of a class, or `nil` if netconv does not know it.
  static func mapping(of className: String) -> (any KerasLayerMapping.Type)? { byClass[className] }

  private static let byClass: [String: any KerasLayerMapping.Type] = {
    var mappings: [String: any KerasLayerMapping.Type] = [:]
    for mapping in all {
      for name in mapping.classNames { mappings[name] = mapping }
    }
    return mappings
  }()
}
