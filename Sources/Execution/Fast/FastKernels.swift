import Lowering
import ModelIR
import Operators

/// The registry of operators with a fast kernel.
enum FastKernels {
  /// All kernels, one line per operator.
  static let all: [any FastKernel.Type] = [
    ActivationKernel.self,
    AdaptivePooling2DKernel<AdaptiveAveragePooling2D>.self,
    AdaptivePooling2DKernel<AdaptiveMaxPooling2D>.self,
    ArgReduceKernel.self,
    AttentionKernel.self,
    AveragePooling2DKernel.self,
    BatchNormalizationKernel.self,
    ConcatenateKernel.self,
    ConstantKernel.self,
    Convolution2DKernel.self,
    Convolution3DKernel.self,
    ConvolutionalLSTMKernel<Line>.self,
    ConvolutionalLSTMKernel<Plane>.self,
    Cropping2DKernel.self,
    DenseKernel.self,
    DepthwiseConvolution2DKernel.self,
    DotKernel.self,
    ElementwiseKernel.self,
    EmbeddingKernel.self,
    GatedLinearUnitKernel.self,
    GatherKernel.self,
    GlobalAveragePooling2DKernel.self,
    GlobalMaxPooling2DKernel.self,
    LocallyConnected2DKernel.self,
    MaskedAverageKernel.self,
    MaskingKernel.self,
    MatMulKernel.self,
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
    PairwiseKernel.self,
    PermuteKernel.self,
    QuantizedKernel.self,
    RecurrentKernel<GRU>.self,
    RecurrentKernel<LSTM>.self,
    RecurrentKernel<SimpleRNN>.self,
    ReduceKernel.self,
    RepeatVectorKernel.self,
    RescalingKernel.self,
    ReverseKernel.self,
    RowKernel<AdaptiveAveragePooling1D, AdaptiveAverageKernel>.self,
    RowKernel<AdaptiveMaxPooling1D, AdaptiveMaxKernel>.self,
    RowKernel<AveragePooling1D, AveragePooling2DKernel>.self,
    RowKernel<Convolution1D, Convolution2DKernel>.self,
    RowKernel<Cropping1D, Cropping2DKernel>.self,
    RowKernel<DepthwiseConvolution1D, DepthwiseConvolution2DKernel>.self,
    RowKernel<GlobalAveragePooling1D, GlobalAveragePooling2DKernel>.self,
    RowKernel<GlobalMaxPooling1D, GlobalMaxPooling2DKernel>.self,
    RowKernel<LocallyConnected1D, LocallyConnected2DKernel>.self,
    RowKernel<MaxPooling1D, MaxPooling2DKernel>.self,
    RowKernel<TransposedConvolution1D, TransposedConvolutionKernel<Plane>>.self,
    RowKernel<ZeroPadding1D, ZeroPadding2DKernel>.self,
    SamplingKernel<CenterCrop>.self,
    SamplingKernel<Resizing>.self,
    SamplingKernel<UpSampling1D>.self,
    SamplingKernel<UpSampling2D>.self,
    ScaleKernel.self,
    ScaledAddKernel.self,
    SliceNormalizationKernel<GroupNormalization>.self,
    SliceNormalizationKernel<LayerNormalization>.self,
    SliceNormalizationKernel<RMSNormalization>.self,
    SliceNormalizationKernel<UnitNormalization>.self,
    SliceKernel.self,
    StepMaskKernel.self,
    TimeDistributedKernel.self,
    TopKKernel.self,
    TransposedConvolutionKernel<Plane>.self,
    TransposedConvolutionKernel<Volume>.self,
    UpSampling3DKernel.self,
    ViewKernel<Flatten>.self,
    ViewKernel<Identity>.self,
    ViewKernel<Reshape>.self,
    VolumeBorderKernel<Cropping3D>.self,
    VolumeBorderKernel<ZeroPadding3D>.self,
    VolumePoolingKernel<AveragePooling3D>.self,
    VolumePoolingKernel<GlobalAveragePooling3D>.self,
    VolumePoolingKernel<GlobalMaxPooling3D>.self,
    VolumePoolingKernel<MaxPooling3D>.self,
    WhereKernel.self,
    ZeroPadding2DKernel.self,
  ]

  /// Returns the kernel for a step with its parameters loaded, or `nil` if its operator has none.
  static func kernel(
    for layer: LoweredLayer, _ level: CPULevel, _ precision: Precision
  ) throws(NetconvError) -> (any FastKernel)? {
    do {
      return try type(for: layer.operation)?.make(
        layer.operation, try layer.loadParameters(precision), level, layer.fusion)
    } catch {
      throw error.inLayer(layer.layer.name)
    }
  }

  /// Returns the kernel type that implements `operation`, if there is one.
  static func type(for operation: any Operator) -> (any FastKernel.Type)? {
    all.first { $0.implements(operation) }
  }
}

extension FastKernel {
  /// Creates a kernel for `operation` if the type implements it.
  static func make(
    _ operation: any Operator, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel,
    _ fusion: Fusion
  ) throws(NetconvError) -> (any FastKernel)? {
    guard let operation = operation as? Implemented else { return nil }
    return try Self(operation, parameters, level, fusion)
  }
}
