import ModelIR
import Operators

/// The operators that have a fast kernel.
enum FastKernels {
  /// One line per operator.
  static let all: [any FastKernel.Type] = [
    ActivationKernel.self,
    AveragePooling2DKernel.self,
    BatchNormalizationKernel.self,
    ConcatenateKernel.self,
    Convolution2DKernel.self,
    Cropping2DKernel.self,
    DenseKernel.self,
    DepthwiseConvolution2DKernel.self,
    DotKernel.self,
    GatedLinearUnitKernel.self,
    GlobalAveragePooling2DKernel.self,
    GlobalMaxPooling2DKernel.self,
    MaxPooling2DKernel.self,
    MergeKernel<Add>.self,
    MergeKernel<Average>.self,
    MergeKernel<Divide>.self,
    MergeKernel<Maximum>.self,
    MergeKernel<Minimum>.self,
    MergeKernel<Multiply>.self,
    MergeKernel<Subtract>.self,
    NormalizationKernel.self,
    PReLUKernel.self,
    PermuteKernel.self,
    RepeatVectorKernel.self,
    RescalingKernel.self,
    SamplingKernel<CenterCrop>.self,
    SamplingKernel<Resizing>.self,
    SamplingKernel<UpSampling2D>.self,
    ScaleKernel.self,
    ScaledAddKernel.self,
    SliceNormalizationKernel<GroupNormalization>.self,
    SliceNormalizationKernel<LayerNormalization>.self,
    SliceNormalizationKernel<RMSNormalization>.self,
    SliceNormalizationKernel<UnitNormalization>.self,
    TransposedConvolution2DKernel.self,
    ViewKernel<Flatten>.self,
    ViewKernel<Identity>.self,
    ViewKernel<Reshape>.self,
    ZeroPadding2DKernel.self,
  ]

  /// The kernel for a step with its parameters loaded, or `nil` if its operator has none.
  static func kernel(
    for layer: LoweredLayer, _ level: CPULevel, _ precision: Precision
  ) throws(NetconvError) -> (any FastKernel)? {
    do {
      return try type(for: layer.operation)?.make(layer, level, precision)
    } catch {
      throw error.inLayer(layer.layer.name)
    }
  }

  /// What implements `operation`, if anything does.
  static func type(for operation: any Operator) -> (any FastKernel.Type)? {
    all.first { $0.implements(operation) }
  }
}

extension FastKernel {
  fileprivate static func implements(_ operation: any Operator) -> Bool {
    operation is Implemented
  }

  fileprivate static func make(
    _ layer: LoweredLayer, _ level: CPULevel, _ precision: Precision
  ) throws(NetconvError) -> (any FastKernel)? {
    guard let operation = layer.operation as? Implemented else { return nil }
    return try Self(operation, try layer.loadParameters(precision), level, layer.fusion)
  }
}
