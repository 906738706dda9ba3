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
    NetconvError(
      .badData, "the label \(numeral(value)) is no class; classes are whole numbers from 0 on")
  }
}
