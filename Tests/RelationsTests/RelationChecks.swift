import ModelIR
import Relations
import Testing

/// The relation of each tensor of `b` to `a`, with uninformative names.
func relations(_ a: [TestArray], _ b: [TestArray], threads: Int = 2) throws
  -> WeightRelations
{
  try WeightRelations.find(
    a.enumerated().map { $1.tensor("a\($0)") }, b.enumerated().map { $1.tensor("b\($0)") },
    threads: threads)
}

/// Checks that `b` was found to be made from `a`, and that the relation reproduces it.
@discardableResult
func check(
  _ a: [TestArray], _ b: TestArray, _ what: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> [RelatedPart] {
  let found = try relations(a, [b]).tensors[0].outcome
  guard case .related(let parts) = found else {
    Issue.record("\(what): \(found)", sourceLocation: sourceLocation)
    return []
  }
  let again = made(found, of: a, b.shape)
  try checkMade(parts, of: a, as: b, what, sourceLocation: sourceLocation)
  #expect(again?.values == b.values, "\(what)", sourceLocation: sourceLocation)
  return parts
}

/// Checks that a source made from the parts has the values of `b`, except for rounding.
func checkMade(
  _ parts: [RelatedPart], of a: [TestArray], as b: TestArray, _ what: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let source = RelatedTensorSource(
    parts, of: a.map { $0.tensor("a") }, shape: b.shape, cache: RelatedValues(), id: 0)
  var values = [Float](repeating: .nan, count: b.values.count)
  let half = values.count / 2
  try values.withUnsafeMutableBufferPointer { buffer in
    try source.read(0..<half, into: UnsafeMutableBufferPointer(rebasing: buffer[..<half]))
    try source.read(
      half..<buffer.count, into: UnsafeMutableBufferPointer(rebasing: buffer[half...]))
  }
  let isRounded = parts.allSatisfy { if case .rounded = $0.likeness { true } else { false } }
  let tolerance: Float = isRounded || parts.allSatisfy(\.isExact) ? 0 : 0x1p-20
  let wrong = zip(values, b.values).count {
    !(abs($0 - $1) <= tolerance * max(abs($0), abs($1), 0.05))
  }
  #expect(wrong == 0, "\(what)", sourceLocation: sourceLocation)
}

func permutations(_ count: Int) -> [[Int]] {
  guard count > 0 else { return [[]] }
  return permutations(count - 1).flatMap { rest in
    (0...rest.count).map { place in
      var order = rest
      order.insert(count - 1, at: place)
      return order
    }
  }
}
