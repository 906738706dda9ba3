import Datasets
import ModelIR

/// The arrays of a fixture by name.
public func arrays(_ path: String) throws -> [String: NumpyArray] {
  Dictionary(uniqueKeysWithValues: try NumpyArchive.read(path).map { ($0.name, $0.array) })
}

/// The largest difference of two lists, relative to the largest expected value.
///
/// - Returns: Infinity if the lengths differ or a value is not finite.
public func relativeDifference(_ found: [Float], _ expected: [Float]) -> Double {
  guard found.count == expected.count else { return .infinity }
  let largest = expected.reduce(0) { max($0, abs($1)) }
  var difference = 0.0
  for (a, b) in zip(found, expected) {
    guard a.isFinite, b.isFinite else { return .infinity }
    difference = max(difference, Double(abs(a - b)))
  }
  return difference / Double(max(largest, .leastNormalMagnitude))
}

/// The bytes of numbers as little-endian float32.
public func littleEndian(_ values: [Float]) -> [UInt8] {
  values.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
}

/// The index of the first value that differs; `nil` if none does.
///
/// - Parameters:
///   - expected: The expected values; a NaN matches any NaN.
///   - found: The actual values, with the same count.
///   - tolerance: The allowed distance, relative to the largest expected magnitude.
public func firstDifference(
  _ expected: [Float], _ found: [Float], relativeToLargest tolerance: Float
) -> Int? {
  var largest: Float = 0
  for value in expected where value.isFinite { largest = max(largest, abs(value)) }
  for (index, (a, b)) in zip(expected, found).enumerated() {
    let isRight = a.isNaN ? b.isNaN : a == b || abs(a - b) <= tolerance * largest
    if !isRight { return index }
  }
  return nil
}
