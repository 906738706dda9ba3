import Datasets
import Foundation
import TestSupport
import Testing

/// `run` and `verify` feed the same values from the same file.
@Suite("run and verify prepare arrays alike")
struct RunPixelTests {
  private let line: CommandLine

  init() throws { line = try CommandLine() }

  /// A network whose output is its input, from 0 to 1 if it has a scale of its own.
  private func writeModel(_ shape: String, isScaling: Bool = false) throws {
    let scale =
      #"{"name": "own", "operator": "Rescaling", "inputs": ["x"], "attributes": {"scale": [0.00392156862745098]}},"#
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": \(shape)}], "outputs": ["y"],
       "layers": [\(isScaling ? scale : "")
         {"name": "y", "operator": "Flatten", "inputs": ["\(isScaling ? "own" : "x")"]}]}
      """, to: "m/model.json")
  }

  private func pixels(_ text: String) -> [Substring] {
    text.split(separator: "\n").filter { $0.hasPrefix("pixels     ") }
  }

  /// The output of a run on `in.npy`, and its messages.
  private func run(
    _ options: String...
  ) throws -> (values: [Float], output: String, errors: String) {
    let result = try NetconvProcess.run(
      ["run", "m", "--input", "in.npy", "--output", "out.npz", "--force"] + options,
      in: line.folder.path)
    #expect(result.status == 0, "\(result.errors)")
    let values = try #require(try arrays(line.folder.file("out.npz"))["y"]).values
    return (values, result.output, result.errors)
  }

  private func verify() throws -> ProgramResult {
    try line.folder.write(npy("|u1", "(2,)", [2, 1]), to: "y.npy")
    return try line.netconv("verify", "m", "--images", "in.npy", "--labels", "y.npy")
  }

  @Test("bytes of a vector are scaled by both, and both warn", arguments: ["|u1", "<i4"])
  func vectors(type: String) throws {
    try writeModel("[6]")
    let numbers: [UInt8] = [0, 10, 255, 7, 51, 3, 9, 204, 1, 2, 3, 4]
    let bytes = type == "|u1" ? numbers : numbers.flatMap { [$0, 0, 0, 0] }
    try line.folder.write(npy(type, "(2, 6)", bytes), to: "in.npy")
    let run = try run()
    #expect(relativeDifference(run.values, numbers.map { Float($0) / 255 }) < 1e-6)
    let verified = try verify()
    #expect(verified.status == 0)
    #expect(pixels(run.output).count == 1)
    #expect(pixels(run.output) == pixels(verified.output))
    let warning =
      "were taken for pixels from 0 to 1; if they are quantities, pass --scale 1\n"
    #expect(run.errors.contains(warning))
    #expect(verified.errors.contains(warning))
    let asTheyAre = try self.run("--scale", "1")
    #expect(asTheyAre.values == numbers.map { Float($0) })
    #expect(asTheyAre.errors == "")
  }

  @Test(
    "floats from 0 to 1 in front of a Rescaling are warned of by both",
    arguments: ["[2, 3]", "[6]"])
  func scaledTwice(shape: String) throws {
    try writeModel(shape, isScaling: true)
    let values: [Float] = [0, 0.1, 1, 0.4, 0.5, 0.2, 0.3, 0.9, 0, 0.2, 0.6, 0.7]
    let size = shape == "[6]" ? "(2, 6)" : "(2, 2, 3)"
    try line.folder.write(npy("<f4", size, littleEndian(values)), to: "in.npy")
    let warning =
      "netconv: warning: no pixel exceeds 1, and the network begins with its own Rescaling 'own', which "
      + "expects larger ones; they may be scaled twice\n"
    let run = try run()
    #expect(run.errors == warning)
    let verified = try verify()
    #expect(verified.errors == warning)
    #expect(pixels(run.output) == pixels(verified.output))
  }

  @Test("images go into a vector row by row, as verify feeds them")
  func rowByRow() throws {
    try writeModel("[6]")
    let values = (0..<12).map { Float($0) / 16 }
    try line.folder.write(npy("<f4", "(2, 2, 3)", littleEndian(values)), to: "in.npy")
    let run = try run()
    #expect(run.values == values)
    #expect(run.output.contains("fed        row by row, as vectors\n"))
    let json = try line.netconv("run", "m", "--input", "in.npy", "--json")
    let inputs = try #require(try jsonObject(json.output.utf8)["inputs"] as? [[String: Any]])
    #expect(inputs.map { $0["rowByRow"] as? Bool } == [true])
    // As many values in another shape are other pixels.
    try writeModel("[3, 2]")
    #expect(try line.netconv("run", "m", "--input", "in.npy").status == 64)
  }
}
