import Datasets
import ModelIR

/// Arrays that a fixture holds, by name.
public func arrays(_ path: String) throws -> [String: NumpyArray] {
  Dictionary(uniqueKeysWithValues: try NumpyArchive.read(path).map { ($0.name, $0.array) })
}

/// The largest difference of two lists, as a fraction of the largest expected value.
///
/// - Returns: infinity if the lists differ in length or a value is not a number.
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

/// Numbers as files have them: float32, little-endian.
public func littleEndian(_ values: [Float]) -> [UInt8] {
  values.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
}

/// The index of the first value that is not as expected; `nil` if all are.
///
/// - Parameters:
///   - expected: a NaN among them stands for any NaN.
///   - found: as many as are expected.
///   - tolerance: what a value may be off, in parts of the largest magnitude that is expected.
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
