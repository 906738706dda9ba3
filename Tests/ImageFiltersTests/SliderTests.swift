import Foundation
import TestSupport
import Testing

@Suite("the sample with two sliders")
struct SliderTests {
  private struct Report: Decodable {
    let moves: Int
    let passes: [Int]
    let medianMilliseconds: Double
  }

  private func run(_ arguments: String...) throws -> ProgramResult {
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "filter-sliders").path(percentEncoded: false)
    return try RunningProgram([program] + arguments).wait()
  }

  @Test("1,000 moves take no pass in vain")
  func moves() throws {
    let result = try run("move", "--json")
    #expect(result.status == 0)
    let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    #expect(report.moves == 1000)
    // Each slider has 500 places, one after the other. Saturation changes nothing at 3 of them, and 2 of those lie between
    // two that are the same; before the first move it has worked once. The blur follows those 500, but for 2 that meet it
    // at radius 0; of its own 500 the first is where it stood, and 2 are radius 0.
    #expect(report.passes == [1 + 500 - 3 - 2, 1 + 498 + 497])
  }

  @Test("one filter is timed")
  func time() throws {
    let result = try run("time", "blur=2", "20", "30", "--threads", "1", "--repeat", "3")
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("{\"medianMilliseconds\": "))
    #expect(try run("time", "blur=2").status != 0)
    #expect(try run("mvoe").status != 0)
  }
}
