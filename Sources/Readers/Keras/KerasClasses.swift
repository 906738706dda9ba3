/// The layers of Keras itself that netconv does not read, to tell them from custom ones.
///
/// Source: `keras.layers` of Keras 3.15 and 2.21, keras/layers of Keras 1.2.2.
enum KerasClasses {
  /// Whether Keras has a layer of this class.
  static func isOwn(_ className: String) -> Bool { names.contains(className) }

  private static let names: Set<String> = [
    "AbstractRNNCell", "AdaptiveAveragePooling1D", "AdaptiveAveragePooling2D",
    "AdaptiveAveragePooling3D", "AdaptiveMaxPooling1D", "AdaptiveMaxPooling2D",
    "AdaptiveMaxPooling3D", "AdditiveAttention", "AtrousConvolution1D", "Attention",
    "AutoContrast", "AveragePooling1D", "AveragePooling3D", "AvgPool1D", "AvgPool3D",
    "Bidirectional", "CategoryEncoding", "ContrastLimitedAdaptiveHistogramEqualization", "Conv1D",
    "Conv1DTranspose", "Conv3D", "Conv3DTranspose", "ConvLSTM1D", "ConvLSTM2D",
    "ConvLSTM2DCell", "ConvLSTM3D", "ConvRecurrent2D", "Convolution1D", "Convolution1DTranspose",
    "Convolution3D", "Convolution3DTranspose", "Cropping1D", "Cropping3D", "CuDNNGRU",
    "CuDNNLSTM", "DenseFeatures", "DepthwiseConv1D", "Discretization", "EinsumDense",
    "Embedding", "Equalization", "FlaxLayer", "GRU", "GRUCell", "GlobalAveragePooling1D",
    "GlobalAveragePooling3D", "GlobalAvgPool1D", "GlobalAvgPool3D", "GlobalMaxPool1D",
    "GlobalMaxPool3D", "GlobalMaxPooling1D", "GlobalMaxPooling3D", "GroupQueryAttention",
    "HashedCrossing", "Hashing", "Highway", "IntegerLookup", "JaxLayer", "LSTM", "LSTMCell",
    "LocallyConnected1D", "LocallyConnected2D", "Masking", "MaxNumBoundingBoxes", "MaxPool1D",
    "MaxPool3D", "MaxPooling1D", "MaxPooling3D", "MaxoutDense", "MelSpectrogram", "Merge",
    "MultiHeadAttention", "Pipeline", "RNN", "ReversibleEmbedding", "STFTSpectrogram",
    "SeparableConv1D", "SeparableConvolution1D", "SimpleRNN", "SimpleRNNCell",
    "SpectralNormalization", "StackedRNNCells", "StringLookup", "TFSMLayer", "TextVectorization",
    "TimeDistributed", "TimeDistributedDense", "TorchModuleWrapper", "UpSampling1D",
    "UpSampling3D", "ZeroPadding1D", "ZeroPadding3D",
  ]
}
