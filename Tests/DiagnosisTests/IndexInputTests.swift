import Diagnosis
import Readers
import TestSupport
import Testing

/// Inputs that are indices, whose integers are no pixels.
@Suite("Inputs that are indices")
struct IndexInputTests {
  @Test(
    "are those that a gather's indices are computed from",
    arguments: [
      ("gather-computed", ["x": nil, "i": 5]), ("gather-elements", ["x": nil, "k": 5]),
      ("gather-nd-batch", ["x": nil, "i": nil, "j": nil]), ("arg-max", ["x": nil]),
    ] as [(String, [String: Int?])])
  func indices(fixture: String, counts: [String: Int?]) throws {
    let model = try ReaderRegistry.read(Fixtures.path("onnx/\(fixture).onnx")).model
    for (input, count) in counts {
      let layer = model.layerReadingTokenIDs(of: input)
      #expect((layer == nil) == (input == "x"), "\(input) of \(fixture)")
      if let count { #expect(model.tokenCount(for: input) == count) }
    }
  }
}
