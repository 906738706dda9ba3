import Operators

/// A kernel that writes one image.
struct MPSCNNStep {
  /// What is computed.
  enum Kernel {
    case convolution(Convolution)
    case transposedConvolution(Convolution)
    case fullyConnected(FullyConnected)
    case pooling(Pooling)
    /// The text of a neuron's descriptor.
    case neuron(String)
    case softMax
    case logSoftMax
    case normalization(channels: Int, epsilon: Double)
    /// A rectifier with a slope for each channel.
    case slopes(channels: Int)
    /// How often each pixel is repeated.
    case upsampling(Size2D)
    /// What is left out at the left and at the top.
    case crop(Corner)
    case arithmetic(Arithmetic)
    /// Images behind one another, with the channels of each.
    case concatenation([Int])

    /// Whether it reads the numbers of a normalisation.
    var isNormalization: Bool {
      if case .normalization = self { true } else { false }
    }

    /// Whether it copies images into one.
    var isConcatenation: Bool {
      if case .concatenation = self { true } else { false }
    }
  }

  /// A convolution, or one of each channel with a kernel of its own.
  struct Convolution {
    /// What the kernel is called in the archive.
    var role = "kernel"
    var window: Window2D
    var channels: Int
    var outputs: Int
    var groups: Int
    var isDepthwise: Bool
    /// Pixels before the first row and column of the image; of a transposed convolution, of its result.
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

  /// A number from two.
  struct Arithmetic {
    /// The kernel's class behind `MPSCNN`.
    enum Function: String {
      case add = "Add"
      case subtract = "Subtract"
      case multiply = "Multiply"
      case divide = "Divide"
    }

    var function: Function
    /// What both images are multiplied by.
    var scale: Double?
    var limit: Limit?
    var primary = Spread()
    var secondary = Spread()
  }

  /// Where results end.
  enum Limit {
    case atLeastZero
    case atMostZero
  }

  /// Axes along which an image has one value that is used everywhere.
  struct Spread: Equatable {
    var columns = false
    var rows = false
    var channels = false
  }

  /// How an image is stored that is a part of a layer.
  enum Part {
    /// In floats, so that values are rounded once, when the layer is complete.
    case exact
    /// As layers' values are.
    case stored
  }

  /// Pixels at the left and at the top.
  struct Corner: Equatable {
    var left: Int
    var top: Int
  }

  /// An image that is read or written.
  enum Source: Hashable {
    case input(Int)
    case step(Int)
  }

  /// The layer that owns the parameters, or whose kernel it is.
  var layer: String
  /// The layer whose output the image is, the last one of a fusion; `nil` for a part of a layer.
  var result: String?
  /// How a part of a layer is stored.
  var part = Part.exact
  /// What the kernel is called behind its layer's name, where the layer has several.
  var suffix = ""
  var kernel: Kernel
  var reads: [Source]
  var shape: ImageShape
  /// What a comment says about padding; `nil` where nothing surprises.
  var remark: String?
}
