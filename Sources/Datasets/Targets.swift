import ModelIR
import Numpy

/// What a model should give for each sample: numbers of classes, rows with a single 1, or quantities.
public struct Targets: Sendable, Equatable {
  /// The number of samples.
  public let count: Int
  /// The size of each axis of one sample's; empty for a single number.
  public let shape: [Int]
  /// All values in C order; only integers of 64 bits are rounded.
  public let values: [Double]
  /// How the values were stored.
  public let elementType: ElementType

  /// Values per sample.
  public var size: Int { shape.reduce(1, *) }

  /// Targets from an array whose first axis is the samples.
  ///
  /// - Throws: `badData` if it has no axis.
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
  /// The class at each place of a model's output, sample by sample.
  ///
  /// An array of numbers has one for each place, and may have an axis of one behind them. An array of rows has one
  /// more axis than there are places, of as many values as classes, and in each row a single 1 among zeros.
  /// - Parameters:
  ///   - places: the axes of the output without that of the classes; none where a sample has one class.
  ///   - classCount: how many classes there are, so that rows are recognised; by default none are.
  /// - Throws: `badData` if a value is no class, or there is not one class for each place.
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

  /// Whether there is a value for each place; where a sample has one class, axes of one do not count.
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
  /// Whether every row along the last axis is a single 1 among zeros.
  package var areRowsOfClasses: Bool {
    guard let width = shape.last, width > 1 else { return false }
    return (try? rows(of: width)) != nil
  }
}

// MARK: - Files

extension Targets {
  /// The targets in the bytes of an `.npy` file.
  ///
  /// - Throws: `badData` if the file is damaged, or holds no numbers.
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
