import ModelIR

/// The kinds of layers that RTNeural's loader knows.
///
/// Source: RTNeural/model_loader.h, `parseJson`; python/model_utils.py, `get_layer_type`.
public enum RTNeuralLayerType: String, Sendable, CaseIterable {
  /// A fully-connected layer.
  case dense
  /// The same, as Keras wraps it.
  case timeDistributedDense = "time-distributed-dense"
  /// A convolution over time that sees no later step.
  case conv1d
  /// Gated recurrent units with the reset behind the product.
  case gru
  /// Long short-term memory.
  case lstm
  /// A rectifier with learned slopes.
  case prelu
  /// Batch normalisation.
  case batchnorm
  /// An activation alone.
  case activation
}

/// A layer of RTNeural's JSON, without the numbers of its weights.
public struct RTNeuralLayer: Sendable, Equatable {
  /// What it computes.
  public let type: RTNeuralLayerType
  /// Behind it, or of it; empty for none.
  public let activation: String
  /// The shape of its output with the batch, `nil` where a size is open.
  public let shape: [Int?]
  /// Whole numbers under their keys, in order; those of a list in brackets.
  public let settings: [Setting]
  /// What is added to variances.
  public let epsilon: Double?
  /// Its arrays, in the order of Keras's.
  public let weights: [Weight]

  /// A number with its key.
  public struct Setting: Sendable, Equatable {
    /// What the JSON calls it.
    public let key: String
    /// The number.
    public let value: Int
    /// Whether the number is written as a list of one, as Keras has it for each axis.
    public let isList: Bool
  }

  /// One array.
  public struct Weight: Sendable, Equatable {
    /// Its shape, slowest axis first.
    public let shape: [Int]
    /// Tensors whose values follow each other in it; `nil` for zeros, of which each part has as many.
    public let parts: [TensorKey?]
  }
}

/// What RTNeural's JSON says of a model, without the numbers of its weights.
public struct RTNeuralDocument: Sendable, Equatable {
  /// The shape of the input with the batch, `nil` where a size is open.
  public let inputShape: [Int?]
  /// In the order in which they are computed.
  public let layers: [RTNeuralLayer]

  /// The activations that RTNeural's loader knows, by their names there.
  ///
  /// Source: RTNeural/model_loader.h, `createActivation`.
  public static let activations = ["tanh", "relu", "sigmoid", "softmax", "elu"]
}
