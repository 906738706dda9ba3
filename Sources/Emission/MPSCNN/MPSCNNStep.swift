/// A kernel that writes one image, or some channels of one.
struct MPSCNNStep {
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
    /// A concatenation, which several steps write.
    case joined(Int)
  }

  /// Where in a concatenation a step writes.
  struct Destination: Equatable {
    /// Which of the plan's concatenations.
    var image: Int
    /// The first channel, a multiple of 4.
    var channel: Int
  }

  /// The layer that owns the parameters, or whose kernel it is.
  var layer: String
  /// The layer whose output the image is, the last one of a fusion; `nil` for a part of a layer.
  var result: String?
  /// How a part of a layer is stored.
  var part = Part.exact
  /// What the kernel is called behind its layer's name, where the layer has several.
  var suffix = ""
  /// What is computed.
  var kernel: any MPSCNNKernel
  var reads: [Source]
  /// What is written: all of an image of its own, or of a concatenation these channels.
  var shape: ImageShape
  /// Where it writes, if it has no image of its own.
  var destination: Destination?
  /// What a comment says about padding; `nil` where nothing surprises.
  var remark: String?
}
