/// A kernel that writes one image, or some channels of one.
struct MPSCNNStep {
  /// The precision of an intermediate image of a layer.
  enum Part {
    /// float32, so that values are rounded once, when the layer is complete.
    case exact
    /// The precision of layers' outputs.
    case stored
  }

  /// Pixels at the left and at the top.
  struct Corner: Equatable {
    var left: Int
    var top: Int
  }

  /// The identity of an image.
  enum Source: Hashable {
    case input(Int)
    case step(Int)
    /// A concatenation, which several steps write.
    case joined(Int)
  }

  /// The channels of a concatenation that a step writes.
  struct Destination: Equatable {
    /// The index of the concatenation in the plan.
    var image: Int
    /// The first channel, a multiple of 4.
    var channel: Int
  }

  /// The layer that owns the parameters or the kernel.
  var layer: String
  /// The layer whose output the image is, the last one of a fusion; `nil` for an intermediate
  /// image.
  var result: String?
  /// The precision of an intermediate image.
  var part = Part.exact
  /// The suffix after the layer's name, if the layer has several kernels.
  var suffix = ""
  /// The kernel.
  var kernel: any MPSCNNKernel
  var reads: [Source]
  /// The shape of the image, or of the channels of a concatenation, that the step writes.
  var shape: ImageShape
  /// The channels of a concatenation that the step writes, if it has no image of its own.
  var destination: Destination?
  /// A comment on the padding; `nil` if it is symmetric.
  var remark: String?
}
