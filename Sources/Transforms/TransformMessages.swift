import ModelIR

extension ParameterKind {
  fileprivate var plural: String {
    switch self {
    case .convolution: "kernels of convolutions"
    case .depthwise: "kernels of depthwise convolutions"
    case .transposedConvolution: "kernels of transposed convolutions"
    case .fullyConnected: "kernels of fully-connected layers"
    case .recurrent: "kernels of recurrent layers"
    case .recurrentConvolution: "kernels of recurrent convolutions"
    case .locallyConnected: "kernels of locally connected layers"
    case .embedding: "embeddings"
    case .vector: "vectors"
    case .unknown: "tensors without a meaning"
    }
  }
}

/// The wording of every error that this module throws.
extension NetconvError {
  static func unknownTarget(_ name: String, known: [String]) -> NetconvError {
    NetconvError(
      .usage, "there is no target \(quoted(name)); known are " + known.joined(separator: ", "))
  }

  static func unconfirmed(
    _ kinds: [ParameterKind], of tensors: [Tensor], target: Target
  ) -> NetconvError {
    NetconvError(
      .usage,
      "target \(target.name): nobody has confirmed the layout of the "
        + kinds.map(\.plural).joined(separator: " and of the ")
        + ", so none is written; choose another target, or convert a model without them",
      details: tensors.map { "\(quoted($0.layer)) \($0.spec.role): \($0.storedLayout)" })
  }

  static func unsupportedElementType(_ type: ElementType, target: Target) -> NetconvError {
    NetconvError(
      .usage,
      "target \(target.name) does not take \(type.rawValue) kernels; it takes "
        + target.elementTypes.map(\.rawValue).joined(separator: ", "))
  }
}
