import ModelIR

/// The errors of this module.
extension NetconvError {
  /// The error for a file in another format.
  package static var notNumpy: NetconvError {
    NetconvError(.badData, "is neither .npy nor .npz; write it with numpy.save or numpy.savez")
  }

  static func wrongNumpyVersion(_ major: UInt8, _ minor: UInt8) -> NetconvError {
    NetconvError(
      .badData, "is .npy of version \(major).\(minor), expected 1.0 to 3.0; it may be damaged")
  }

  static func longNumpyHeader(_ found: Int, limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "is .npy with a header of \(found) bytes, expected at most \(limit); it may be damaged")
  }

  static func wrongNumpyHeader(_ header: String) -> NetconvError {
    NetconvError(.badData, "the header \(quoted(header)) is not valid for NumPy")
  }

  static func wrongNumpyType(_ type: String) -> NetconvError {
    NetconvError(
      .badData, "holds values of type \(quoted(type)), expected numbers such as '<f4' or '|u1'")
  }

  static func pickled(_ type: String) -> NetconvError {
    NetconvError(
      .badData,
      "holds Python objects (type \(quoted(type))), which would have to be unpickled, which may run any "
        + "program; save an array of numbers")
  }

  static func noNumpyType(_ type: ElementType) -> NetconvError {
    NetconvError(
      .usage, "NumPy has no type for \(type.rawValue), so npz cannot hold it; write another format")
  }
}
