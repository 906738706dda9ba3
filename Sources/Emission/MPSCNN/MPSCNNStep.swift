/// A kernel that writes one image.
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

    /// The step that writes it, if one does.
    var step: Int? {
      if case .step(let step) = self { step } else { nil }
    }
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
  var shape: ImageShape
  /// What a comment says about padding; `nil` where nothing surprises.
  var remark: String?
}
