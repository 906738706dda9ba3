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
