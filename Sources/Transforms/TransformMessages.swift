import ModelIR

/// The texts of all errors that this module throws.
extension NetconvError {
  static func unknownTarget(_ name: String, known: [String]) -> NetconvError {
    NetconvError(
      .usage, "there is no target \(quoted(name)); known are " + known.joined(separator: ", "))
  }

  static func unsupportedElementType(_ type: ElementType, target: Target) -> NetconvError {
    NetconvError(
      .usage,
      "target \(target.name) does not take \(type.rawValue) kernels; it takes "
        + target.elementTypes.map(\.rawValue).joined(separator: ", "))
  }
}
