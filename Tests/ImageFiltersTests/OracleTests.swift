import Datasets
import Foundation
import ImageFilters
import ModelIR
import TestSupport
import Testing

/// Steps against the results of scipy, Pillow, TensorFlow and numpy for the same pictures.
@Suite("steps against other libraries")
struct OracleTests {
  private struct Case: Decodable {
    let input: String
    let steps: [String]
    let output: String
  }

  /// A thousandth of the range; float32 rounds each of a few dozen sums of up to 255.
  ///
  /// Alpha may be small where a colour is divided by it.
  private func tolerance(_ step: Case) -> Float { step.input == "rgba" ? 5e-3 : 1e-3 }

  @Test("every stored picture comes out", arguments: [1, 2])
  func fixtures(threads: Int) throws {
    let stored = try arrays(Fixtures.path("filters/filters.npz"))
    let cases = try JSONDecoder().decode(
      [Case].self, from: Data(contentsOf: URL(filePath: Fixtures.path("filters/cases.json"))))
    #expect(cases.count >= 90)
    for step in cases {
      let input = try #require(stored[step.input])
      let expected = try #require(stored[step.output])
      let picture = Picture(
        height: input.shape[0], width: input.shape[1], channels: input.shape[2],
        hasAlpha: step.input == "rgba", values: input.values)
      let steps = try step.steps.map { try PixelStep(text: $0) }
      let result = try picture.applying(steps, threads: threads)
      #expect(result.shape == expected.shape, "\(step.steps)")
      guard result.shape == expected.shape else { continue }
      let difference = zip(result.values, expected.values).map { abs($0 - $1) }.max() ?? 0
      #expect(difference <= tolerance(step), "\(step.input) \(step.steps)")
      #expect(!difference.isNaN && result.values.allSatisfy(\.isFinite), "\(step.steps)")
    }
  }

  @Test("a batch for a network gets the same values as its pictures")
  func batches() throws {
    let stored = try arrays(Fixtures.path("filters/filters.npz"))
    let input = try #require(stored["rgb"])
    let other = input.values.reversed()
    let texts = ["saturation=0.5", "blur=1.5", "mean=1,2,3", "resize=7x5,area", "gray"]
    let steps = try texts.map { try PixelStep(text: $0) }
    var batch = PixelBatch(shape: input.shape, values: input.values + other)
    try batch.apply(steps)
    let expected = try [input.values, Array(other)].flatMap { values in
      try Picture(
        height: input.shape[0], width: input.shape[1], channels: input.shape[2], values: values
      ).applying(steps).values
    }
    #expect(batch.shape == [5, 7, 1])
    #expect(batch.values == expected)
    var none = PixelBatch(shape: input.shape, values: [])
    try none.apply(steps)
    #expect(none.shape == [5, 7, 1])
  }
}
