import Foundation
import ModelIR
import TestSupport
import Testing

/// A tensor moved by einops; `Tests/Fixtures/layouts/make_rearrangements.py` writes them.
struct StoredRearrangement: Decodable, Sendable {
  let source: String
  let target: String
  let sizes: [String: Int]
  let flip: [String]
  let pattern: String
  let patternSizes: [String: Int]
  let shape: [Int]
  let values: [Int]
}

@Suite struct EinopsTests {
  private static func stored() throws -> [StoredRearrangement] {
    let file = URL(filePath: Fixtures.path("layouts/rearrangements.json"))
    return try JSONDecoder().decode([StoredRearrangement].self, from: Data(contentsOf: file))
  }

  @Test func `notation and values are those of einops`() throws {
    let cases = try Self.stored()
    #expect(cases.count == 23)
    for stored in cases {
      let comment = Comment(rawValue: "\(stored.source) -> \(stored.target) \(stored.sizes)")
      var sizes: [Axis: Int] = [:]
      for (name, size) in stored.sizes { sizes[try #require(Axis(Character(name)))] = size }
      let flipped = Set(stored.flip.compactMap { Axis(Character($0.uppercased())) })
      let rearrangement = try Rearrangement(
        from: #require(Layout(stored.source)), to: #require(Layout(stored.target)), sizes: sizes,
        reversing: flipped)
      #expect(rearrangement.pattern == stored.pattern, comment)
      #expect(rearrangement.patternSizes == stored.patternSizes, comment)
      #expect(rearrangement.reversed == flipped, comment)
      #expect(try rearrangement.target.shape(sizes) == stored.shape, comment)
      let values = rearrangement.copy.applied(to: ramp(rearrangement.count))
      #expect(values.map { Int($0) } == stored.values, comment)
    }
  }

  @Test func `an axis of one side only is written as 1`() throws {
    let sizes: [Axis: Int] = [.inputChannels: 3, .outputChannels: 4, .height: 1, .width: 1]
    func pattern(_ source: String, _ target: String) throws -> String {
      try Rearrangement(
        from: #require(Layout(source)), to: #require(Layout(target)), sizes: sizes
      ).pattern
    }
    #expect(try pattern("(HWI)O", "OI") == "i o -> o i")
    #expect(try pattern("IO", "O(IHW)") == "i o -> o i")
    #expect(try pattern("HWIO", "OI1") == "1 1 i o -> o i 1")
  }
}
