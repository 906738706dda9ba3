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
      "target \(target.name) does not accept \(type.rawValue) kernels; it accepts "
        + target.elementTypes.map(\.rawValue).joined(separator: ", "))
  }
}
