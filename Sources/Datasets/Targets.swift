import ModelIR
import Numpy

/// The expected outputs of a model: class indices, one-hot rows, or quantities.
public struct Targets: Sendable, Equatable {
  /// The number of samples.
  public let count: Int
  /// The shape of one sample's target; empty for a single number.
  public let shape: [Int]
  /// The values in C order; only 64-bit integers are rounded.
  public let values: [Double]
  /// The dtype of the stored values.
  public let elementType: ElementType

  /// The number of values per sample.
  public var size: Int { shape.reduce(1, *) }

  /// Creates targets from an array with samples along its first axis.
  ///
  /// - Throws: `badData` if the array is a scalar.
  init(shape: [Int], values: [Double], elementType: ElementType) throws(NetconvError) {
    guard let count = shape.first else { throw .wrongLabelShape(shape) }
    self.init(
      count: count, shape: Array(shape.dropFirst()), values: values, elementType: elementType)
  }

  private init(count: Int, shape: [Int], values: [Double], elementType: ElementType) {
    self.count = count
    self.shape = shape
    self.values = values
    self.elementType = elementType
  }

  /// The targets of some samples.
  func chosen(_ samples: [Int]) -> Targets {
    let size = size
    return Targets(
      count: samples.count, shape: shape,
      values: samples.flatMap { values[$0 * size..<($0 + 1) * size] }, elementType: elementType)
  }
}

// MARK: - Classes

extension Targets {
  /// The class at each position of a model's output, sample by sample.
  ///
  /// An array of indices has one per position, possibly with a last axis of size 1. An array of
  /// one-hot rows has an additional axis with the number of classes.
  /// - Parameters:
  ///   - places: The shape of the output without its class axis; empty if a sample has one class.
  ///   - classCount: The number of classes, which is needed to recognise one-hot rows.
  /// - Throws: `badData` if a value is not a class, or if the shape does not match the positions.
  public func classes(
    at places: [Int] = [], of classCount: Int? = nil
  ) throws(NetconvError) -> [Int] {
    for value in values where value != value.rounded(.towardZero) || !value.isFinite {
      throw .wrongLabel(value)
    }
    if Self.fit(shape, places) || shape.last == 1 && Self.fit(shape.dropLast(), places) {
      return try numbers
    }
    guard let classCount, classCount > 1, shape.last == classCount,
      Self.fit(shape.dropLast(), places)
    else { throw .wrongLabels([count] + shape, at: places, of: classCount) }
    return try rows(of: classCount)
  }

  /// True if there is a value per position; if a sample has one class, axes of size 1 are ignored.
  private static func fit(_ shape: some Collection<Int>, _ places: [Int]) -> Bool {
    places.allSatisfy { $0 == 1 } ? shape.allSatisfy { $0 == 1 } : shape.elementsEqual(places)
  }

  private var numbers: [Int] {
    get throws(NetconvError) {
      var classes: [Int] = []
      classes.reserveCapacity(values.count)
      for value in values {
        guard let label = Int(exactly: value), label >= 0 else { throw .wrongLabel(value) }
        classes.append(label)
      }
      return classes
    }
  }

  private func rows(of classCount: Int) throws(NetconvError) -> [Int] {
    var classes: [Int] = []
    for start in stride(from: 0, to: values.count, by: classCount) {
      let row = values[start..<start + classCount]
      let ones = row.indices.filter { row[$0] == 1 }
      guard ones.count == 1, row.allSatisfy({ $0 == 0 || $0 == 1 }) else {
        throw .wrongRow(start / classCount, ones: ones.count)
      }
      classes.append(ones[0] - start)
    }
    return classes
  }
}

extension Targets {
  /// True if all rows along the last axis are one-hot.
  package var areRowsOfClasses: Bool {
    guard let width = shape.last, width > 1 else { return false }
    return (try? rows(of: width)) != nil
  }
}

// MARK: - Files

extension Targets {
  /// Reads targets from the bytes of an `.npy` file.
  ///
  /// - Throws: `badData` if the file is damaged or contains no numbers.
  init(numpy bytes: [UInt8]) throws(NetconvError) {
    let (header, count) = try NumpyArray.checkedHeader(bytes)
    let stored = [Double](unsafeUninitializedCapacity: count) { values, initializedCount in
      bytes.withUnsafeBytes { buffer in
        header.elementType.decode(
          UnsafeRawBufferPointer(rebasing: buffer[header.dataOffset...]), header.byteOrder,
          into: UnsafeMutableBufferPointer(rebasing: values[..<count]))
      }
      initializedCount = count
    }
    try self.init(
      shape: header.shape,
      values: header.isFortran ? NumpyArray.inCOrder(stored, shape: header.shape) : stored,
      elementType: header.elementType)
  }
}

extension NetconvError {
  /// The error for labels of a wrong shape; it names the valid shapes if a sample has several
  /// positions.
  fileprivate static func wrongLabels(
    _ shape: [Int], at places: [Int], of classCount: Int?
  ) -> NetconvError {
    guard places.contains(where: { $0 != 1 }) else { return wrongLabelShape(shape) }
    let expected = shape.prefix(1) + places
    return NetconvError(
      .badData,
      "the labels have shape \(shape), expected \(Array(expected)), one class for each position of the output"
        + (classCount.map { ", or \(Array(expected) + [$0]), one-hot rows" } ?? ""))
  }

  fileprivate static func wrongLabel(_ value: Double) -> NetconvError {
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

  fileprivate static func wrongRow(_ row: Int, ones: Int) -> NetconvError {
    NetconvError(
      .badData,
      "row \(row) of the labels has \(ones == 0 ? "no 1" : ones == 1 ? "other values than 0 and 1" : "\(ones) ones"), "
        + "expected a single 1 among zeros; samples with several classes or none are not supported, so write the number "
        + "of one class for each")
  }
}
