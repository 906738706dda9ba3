internal import Memory
import ModelIR
import Pictures

/// The messages of this module's errors.
extension NetconvError {
  static var notIDX: NetconvError {
    NetconvError(
      .badData, "is neither IDX (plain or gzip) nor .npy; pass images and labels in one of these")
  }

  static var labelsBesideArchive: NetconvError {
    NetconvError(
      .badData,
      text:
        "is an .npz, which holds samples with their labels, as 'x_test' and 'y_test'; leave out \(.labels), or pass "
        + "samples as IDX or .npy")
  }

  static var labelsInArchive: NetconvError {
    NetconvError(
      .badData,
      text:
        "is an .npz, but \(.labels) needs one array; pass labels as IDX or .npy, or samples and labels as one .npz, "
        + "as 'x_test' and 'y_test'")
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

  static func tooMuchMemory(_ limit: MemoryLimit) -> NetconvError {
    NetconvError(
      .badData,
      "including this one, the arrays need more than \(limit.words); pass fewer values, or check the "
        + "file")
  }

  static func noImages(_ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "the images have shape \(shape), expected (count, height, width, …); save one array with the images along its "
        + "first axis")
  }

  static func differentCounts(images: Int, labels: Int) -> NetconvError {
    NetconvError(
      .badData, "there are \(labels) labels for \(images) samples; pass the labels of these samples"
    )
  }

  static func missingArrays(_ found: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "holds the arrays \(found.map { quoted($0) }.joined(separator: ", ")), expected "
        + "'x_test' and 'y_test'; rename them")
  }

  static func wrongLabelShape(_ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "the labels have shape \(shape), expected one class per sample; save a number or a one-hot row for each"
    )
  }

  /// The error for labels of a wrong shape; it names the valid shapes if a sample has several
  /// positions.
  static func wrongLabels(
    _ shape: [Int], at places: [Int], of classCount: Int?
  ) -> NetconvError {
    guard places.contains(where: { $0 != 1 }) else { return wrongLabelShape(shape) }
    let expected = shape.prefix(1) + places
    return NetconvError(
      .badData,
      "the labels have shape \(shape), expected \(Array(expected)), one class for each position of the output"
        + (classCount.map { ", or \(Array(expected) + [$0]), one-hot rows" } ?? ""))
  }

  static func wrongLabel(_ value: Double) -> NetconvError {
    let short = Float(value)
    let number = Double(short) == value ? numeral(short) : numeral(value)
    let text: Message =
      "the label \(number) is not a class; classes are integers from 0"
    guard value.isFinite, value != value.rounded() else {
      return NetconvError(.badData, text: text)
    }
    return NetconvError(
      .badData,
      text: text + ", or one-hot rows; for quantities pass \(.metric) mae, mse, rmse or r2")
  }

  static func wrongRow(_ row: Int, ones: Int) -> NetconvError {
    NetconvError(
      .badData,
      "row \(row) of the labels has \(ones == 0 ? "no 1" : ones == 1 ? "other values than 0 and 1" : "\(ones) ones"), "
        + "expected a single 1 among zeros; samples with several classes or none are not supported, so write the number "
        + "of one class for each")
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

  static var noClassFolders: NetconvError {
    NetconvError(
      .badData,
      "holds no folders; put the pictures of each class into a folder of its name, or list them in a "
        + ".csv file")
  }

  static func unknownClass(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "\(quoted(name)) is neither a class index nor one of the labels; pass the names of the classes in "
        + "order with \(.labels)")
  }

  static func pixelsAreNoBytes(_ type: String) -> NetconvError {
    NetconvError(
      .badData,
      text: "holds values of type \(type), not bytes; feed them unchanged with \(.input)")
  }

  static func wrongListLine(_ line: Int, fields: Int) -> NetconvError {
    NetconvError(
      .badData,
      "line \(line) has \(fields) \(fields == 1 ? "field" : "fields"), expected a path and a class, with a comma "
        + "between"
    )
  }

  static func openQuote(_ line: Int) -> NetconvError {
    NetconvError(.badData, "line \(line) has a quotation mark that is not closed")
  }
}
