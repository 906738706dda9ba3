internal import Memory
import ModelIR
import Pictures

/// The messages of this module's errors.
extension NetconvError {
  static func wrongLength(_ found: Int, header: Int, data: Int) -> NetconvError {
    let (expected, overflow) = header.addingReportingOverflow(data)
    return NetconvError(
      .badData, "holds \(found) bytes, its header says \(overflow ? .max : expected)")
  }

  static func noImages(_ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "the images have shape \(shape), expected (count, height, width, …); save one array with the images along its "
        + "first axis")
  }

  static func wrongLabelShape(_ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "the labels have shape \(shape), expected one class per sample; save a number or a one-hot row for each"
    )
  }
}

// MARK: - Pictures

extension NetconvError {
  static var noPictures: NetconvError {
    NetconvError(
      .badData,
      "holds no picture; netconv reads files that end in "
        + PictureFormat.endings.map { "." + $0 }.joined(separator: ", "))
  }
}
