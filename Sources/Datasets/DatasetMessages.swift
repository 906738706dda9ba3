import ModelIR

/// The wording of every error that this module throws.
extension NetconvError {
  static var notIDX: NetconvError {
    NetconvError(
      .badData, "is neither IDX (plain or gzip) nor .npy; pass images and labels in one of these")
  }

  static func wrongIDXType(_ code: UInt8) -> NetconvError {
    NetconvError(
      .badData,
      "is IDX of type 0x\(String(code, radix: 16)), expected unsigned bytes (0x8)")
  }

  static func wrongLength(_ found: Int, header: Int, data: Int) -> NetconvError {
    let (expected, overflow) = header.addingReportingOverflow(data)
    return NetconvError(
      .badData, "holds \(found) bytes, its header says \(overflow ? .max : expected)")
  }

  static func tooMuchMemory(_ limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "with this one, the arrays take more than \(limit) bytes of memory; pass fewer values, or the file "
        + "is not what it says")
  }

  static var notNumpy: NetconvError {
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
    NetconvError(.badData, "the header \(quoted(header)) is not one that NumPy writes")
  }

  static func wrongNumpyType(_ type: String) -> NetconvError {
    NetconvError(
      .badData, "holds values of type \(quoted(type)), expected numbers such as '<f4' or '|u1'")
  }

  static func noImages(_ shape: [Int]) -> NetconvError {
    NetconvError(.badData, "the images have shape \(shape), expected (count, height, width, …)")
  }

  static func differentCounts(images: Int, labels: Int) -> NetconvError {
    NetconvError(.badData, "there are \(labels) labels for \(images) images")
  }

  static func missingArrays(_ found: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "holds the arrays \(found.map { quoted($0) }.joined(separator: ", ")), expected "
        + "'x_test' and 'y_test'")
  }

  static func wrongLabelShape(_ shape: [Int]) -> NetconvError {
    NetconvError(.badData, "the labels have shape \(shape), expected one class per image")
  }

  static func wrongLabel(_ value: Float) -> NetconvError {
    NetconvError(.badData, "the label \(value) is no class; classes are whole numbers from 0 on")
  }
}
