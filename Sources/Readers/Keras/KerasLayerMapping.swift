import ModelIR
import Operators

/// A weight of a Keras layer, and its role in the operator.
struct KerasWeight: Sendable {
  /// The last component of the weight's path, without `:0`.
  let name: String
  /// The names in other versions of Keras.
  var otherNames: [String] = []
  /// The role in the operator; `nil` if the weight is used in training only.
  let role: ParameterRole?

  static let kernel = KerasWeight(name: "kernel", role: .kernel)
  /// The kernel that multiplies the state of a recurrent layer.
  static let recurrentKernel = KerasWeight(name: "recurrent_kernel", role: .recurrent)
  static let bias = KerasWeight(name: "bias", role: .bias)

  /// Returns the gamma and beta of a normalisation that its settings `scale` and `center` enable.
  ///
  /// - Throws: `badData` if either setting is not a Boolean.
  static func scaleAndCenter(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    let scale = try layer.bool("scale", default: true)
    let center = try layer.bool("center", default: true)
    return (scale ? [gamma] : []) + (center ? [KerasWeight(name: "beta", role: .beta)] : [])
  }

  /// The scale factor of a normalisation.
  static let gamma = KerasWeight(name: "gamma", role: .gamma)

  /// Returns the role of a weight in a layer without a mapping, by its name alone.
  static func role(named name: String) -> ParameterRole {
    knownRoles[name] ?? ParameterRole(rawValue: name)
  }

  /// Names with the same meaning in every Keras layer; any other name is a role of its own.
  private static let knownRoles: [String: ParameterRole] = [
    "moving_mean": .mean, "moving_variance": .variance, "depthwise_kernel": .depthwise,
    "pointwise_kernel": .pointwise, "recurrent_kernel": .recurrent,
  ]
}

/// A mapping of Keras layers to an operator; one file per kind of layer in `Layers`.
///
/// Weights are assumed to have the layout of the operator's definition, which is Keras's.
protocol KerasLayerMapping: Sendable {
  /// The Keras classes that are mapped.
  static var classNames: [String] { get }

  /// The operators that they are mapped to, for the documentation.
  static var operators: [any Operator.Type] { get }

  /// The unsupported settings, for the documentation.
  static var refused: [String] { get }

  /// Returns the operator of a layer.
  ///
  /// - Throws: `badData` if the layer uses a setting that cannot be mapped.
  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator

  /// The setting for the axes of the operation, with Keras's default; `nil` if there is none.
  static var axisSetting: (key: String, default: Int)? { get }

  /// Returns the handling of sequence masks; it has no default, because a wrong rule fails silently.
  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule

  /// Returns the exact list of weights that the layer must have.
  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight]
}

extension KerasLayerMapping {
  static var axisSetting: (key: String, default: Int)? { nil }
  static var refused: [String] { [] }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] { [] }
}

/// A mapping of classes over sequences, images and volumes, which differ by name.
protocol KerasSpatialMapping: KerasLayerMapping {
  /// Returns the operator of a layer over the axes of `space`.
  ///
  /// - Throws: `badData` if the layer uses a setting that cannot be mapped.
  static func operation<Space: SpatialAxes>(
    of layer: KerasLayerConfig, _ space: Space.Type
  ) throws(NetconvError) -> any Operator
}

extension KerasSpatialMapping {
  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    try operation(of: layer, layer.spatialAxes)
  }
}

extension KerasLayerConfig {
  /// Returns the required weights of the layer, including those of its wrapper.
  ///
  /// - Throws: `badData` if a setting is invalid.
  func allWeights() throws(NetconvError) -> [KerasWeight] {
    let own = try KerasLayers.mapping(of: className)?.weights(of: self) ?? []
    return wrapper == nil ? own : own + [KerasSpectralNormalization.state]
  }
}

/// All kinds of Keras layers that netconv reads.
enum KerasLayers {
  /// One line per file in `Layers`; a test compares the two.
  static let all: [any KerasLayerMapping.Type] = [
    KerasActivation.self,
    KerasAdaptivePooling.self,
    KerasArithmetic.self,
    KerasArrangement.self,
    KerasAttention.self,
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
    KerasEinsumDense.self,
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
    KerasMultiHeadAttention.self,
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
    KerasReversibleEmbedding.self,
    KerasSeparableConv.self,
    KerasSoftmax.self,
    KerasSpectralNormalization.self,
    KerasThresholdedReLU.self,
    KerasTimeDistributed.self,
    KerasUnitNormalization.self,
    KerasUpSampling.self,
    KerasZeroPadding.self,
  ]

  /// Returns the mapping of a class, or `nil` if it is not supported.
  static func mapping(of className: String) -> (any KerasLayerMapping.Type)? { byClass[className] }

  private static let byClass: [String: any KerasLayerMapping.Type] = {
    var mappings: [String: any KerasLayerMapping.Type] = [:]
    for mapping in all {
      for name in mapping.classNames { mappings[name] = mapping }
    }
    return mappings
  }()
}
