import ModelIR

/// Every operator that netconv knows.
public enum OperatorRegistry {
  /// One line per folder of this module; a test compares the two.
  public static let all: [any Operator.Type] = [
    Activation.self,
    Add.self,
    Average.self,
    AveragePooling2D.self,
    BatchNormalization.self,
    CenterCrop.self,
    Concatenate.self,
    Convolution2D.self,
    Cropping2D.self,
    Dense.self,
    DepthwiseConvolution2D.self,
    Divide.self,
    Dot.self,
    Flatten.self,
    GatedLinearUnit.self,
    GlobalAveragePooling2D.self,
    GlobalMaxPooling2D.self,
    GroupNormalization.self,
    Identity.self,
    LayerNormalization.self,
    MaxPooling2D.self,
    Maximum.self,
    Minimum.self,
    Multiply.self,
    Normalization.self,
    PReLU.self,
    Permute.self,
    RMSNormalization.self,
    RepeatVector.self,
    Rescaling.self,
    Reshape.self,
    Resizing.self,
    Scale.self,
    ScaledAdd.self,
    SeparableConvolution2D.self,
    Subtract.self,
    TransposedConvolution2D.self,
    UnitNormalization.self,
    UpSampling2D.self,
    ZeroPadding2D.self,
  ]

  /// The operator called `name` in documents.
  public static func type(named name: String) -> (any Operator.Type)? {
    all.first { $0.name == name }
  }
}
