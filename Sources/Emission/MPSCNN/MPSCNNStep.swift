import Operators

/// A kernel that writes one image.
struct MPSCNNStep {
  /// What is computed.
  enum Kernel {
    case convolution(Convolution)
    case fullyConnected(FullyConnected)
    case pooling(Pooling)
    /// The text of a neuron's descriptor.
    case neuron(String)
    case softMax
    case logSoftMax
    case normalization(channels: Int, epsilon: Double)
    case add
    /// Images behind one another, with the channels of each.
    case concatenation([Int])
  }

  /// A convolution, or one of each channel with a kernel of its own.
  struct Convolution {
    var window: Window2D
    var channels: Int
    var outputs: Int
    var groups: Int
    var isDepthwise: Bool
    /// Pixels before the first row and column of the image.
    var padding: Corner
    var hasBias: Bool
    /// The text of a neuron's descriptor.
    var neuron: String?
  }

  /// A fully-connected layer.
  struct FullyConnected {
    var image: ImageShape
    var outputs: Int
    var hasBias: Bool
    /// The text of a neuron's descriptor.
    var neuron: String?
  }

  /// One value of each window.
  struct Pooling {
    var isMaximum: Bool
    var window: Window2D
    /// Pixels before the first row and column of the image.
    var padding: Corner
    /// Whether what lies outside is zeros that count.
    var countsZeros: Bool
    /// Whether a window reaches outside.
    var reachesOutside: Bool
  }

  /// Pixels at the left and at the top.
  struct Corner: Equatable {
    var left: Int
    var top: Int
  }

  /// An image that is read or written.
  enum Source: Hashable {
    case input
    case step(Int)
  }

  /// The layer that owns the parameters, or whose kernel it is.
  var layer: String
  /// The layer whose output the image is, the last one of a fusion; `nil` for sums that only the next step reads.
  var result: String?
  var kernel: Kernel
  var reads: [Source]
  var shape: ImageShape
  /// What a comment says about padding; `nil` where nothing surprises.
  var remark: String?
}
