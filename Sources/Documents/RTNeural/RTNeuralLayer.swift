import ModelIR

/// The types of layers that RTNeural's loader supports.
///
/// Source: RTNeural/model_loader.h, `parseJson`; python/model_utils.py, `get_layer_type`.
public enum RTNeuralLayerType: String, Sendable, CaseIterable {
  /// A fully-connected layer.
  case dense
  /// A fully-connected layer, as wrapped by Keras.
  case timeDistributedDense = "time-distributed-dense"
  /// A causal convolution over time.
  case conv1d
  /// Gated recurrent units with the reset after the product.
  case gru
  /// Long short-term memory.
  case lstm
  /// A rectifier with learned slopes.
  case prelu
  /// Batch normalisation.
  case batchnorm
  /// An activation.
  case activation
}

/// A layer of RTNeural's JSON, without the values of its weights.
public struct RTNeuralLayer: Sendable, Equatable {
  /// The type of the layer.
  public let type: RTNeuralLayerType
  /// The activation of the layer; empty for none.
  public let activation: String
  /// The shape of the output with the batch, `nil` where a size is unknown.
  public let shape: [Int?]
  /// The integer settings by key, in order; some are written as a list.
  public let settings: [Setting]
  /// The constant added to variances.
  public let epsilon: Double?
  /// The arrays, in the order of Keras's.
  public let weights: [Weight]

  /// An integer setting.
  public struct Setting: Sendable, Equatable {
    /// The key in the JSON.
    public let key: String
    /// The number.
    public let value: Int
    /// True if the number is written as a list with one element, as Keras does for each axis.
    public let isList: Bool
  }

  /// An array.
  public struct Weight: Sendable, Equatable {
    /// The shape, slowest axis first.
    public let shape: [Int]
    /// The tensors whose values the array concatenates; `nil` for zeros, with the same size for each part.
    public let parts: [TensorKey?]
  }
}

/// The contents of RTNeural's JSON for a model, without the values of its weights.
public struct RTNeuralDocument: Sendable, Equatable {
  /// The shape of the input with the batch, `nil` where a size is unknown.
  public let inputShape: [Int?]
  /// The layers in execution order.
  public let layers: [RTNeuralLayer]

  /// The activations that RTNeural's loader supports, by their names.
  ///
  /// Source: RTNeural/model_loader.h, `createActivation`.
  public static let activations = ["tanh", "relu", "sigmoid", "softmax", "elu"]
}
