import Foundation
import TestSupport
import Testing

@Suite("verify measures numbers that are hard to measure")
struct MetricArithmeticTests {
  private let line: CommandLine

  init() throws {
    line = try CommandLine()
    // What goes in comes out.
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": [2]}], "outputs": ["y"],
       "layers": [{"name": "y", "operator": "Identity", "inputs": ["x"]}]}
      """, to: "m/model.json")
  }

  private func write(_ outputs: [Float], _ targets: [Double]) throws {
    let doubles = targets.flatMap { value in
      withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
    }
    try line.folder.write(
      npy("<f4", "(\(outputs.count / 2), 2)", littleEndian(outputs)), to: "x.npy")
    try line.folder.write(npy("<f8", "(\(targets.count / 2), 2)", doubles), to: "y.npy")
  }

  private func verify(_ metric: String, _ options: String...) throws -> NetconvProcess.Result {
    try NetconvProcess.run(
      ["verify", "m", "--images", "x.npy", "--labels", "y.npy", "--metric", metric] + options,
      in: line.folder.path)
  }

  private func value(_ metric: String) throws -> Double? {
    let result = try verify(metric, "--json")
    expectSuccess(result)
    return (try jsonObject(result.output.utf8)["regression"] as? [String: Any])?["value"] as? Double
  }

  @Test("targets are not rounded to float32")
  func doubles() throws {
    try write([0, 0, 0, 0], [0.1, 0.1, 0.3, 0.1])
    // Of float32, the nearest to 0.15 is 6e-9 away; sums of Doubles are off by some roundings.
    let mae = try #require(try value("mae"))
    #expect(abs(mae - 0.15) < 1e-15)
  }

  @Test("r2 of numbers far from 0 is as that of the same numbers near it")
  func offsets() throws {
    // Outputs 0, 64, 128, 192 and 0, 192, 128, 64; every fourth target is 32 more than it.
    let outputs: [Float] = [0, 0, 64, 192, 128, 128, 192, 64]
    let targets: [Double] = [32, 0, 64, 192, 128, 128, 192, 96]
    // First column: 1024 over the squared distances of (32, 64, 128, 192) from 104, 15104; second: 1024 over those of
    // (0, 192, 128, 96) from 104, 19200.
    let expected = 1 - (1024.0 / 15104 + 1024.0 / 19200) / 2
    for offset in [0, 0x1p29, -0x1p29] {
      try write(outputs.map { $0 + Float(offset) }, targets.map { $0 + offset })
      let found = try #require(try value("r2"))
      // Around 2^29 a mean is rounded to 2^-24, which moves sums of squares by some 1e-11 of themselves.
      #expect(abs(found - expected) < 1e-10)
      #expect(try value("mse") == 256)
    }
  }

  @Test("r2 needs targets that differ, and two samples")
  func constantTargets() throws {
    try write([0, 1, 2, 3], [0.5, 7, 0.5, 8])
    expectError(
      try verify("r2"), 65,
      "y.npy: the targets at [0] of every sample are 0.5, so r2 is undefined; pass --metric mae, mse or rmse"
    )
    #expect(try value("mae") == (0.5 + 6 + 1.5 + 5) / 4)
    expectError(
      try verify("r2", "--limit", "1"), 65,
      "y.npy: one sample has no coefficient of determination; pass --metric mae, mse or rmse")
    let single = try verify("mse", "--limit", "1", "--json")
    expectSuccess(single)
    #expect(!single.output.contains("standardError"))
  }

  @Test("an output that is not finite makes the metric none, and the verdict no")
  func notFinite() throws {
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": [2]}], "outputs": ["y"],
       "layers": [{"name": "y", "operator": "Scale", "inputs": ["x"],
         "parameters": [{"role": "gamma", "file": "s.bin", "dtype": "float32", "layout": "C"}]}]}
      """, to: "m/model.json")
    try line.folder.write(littleEndian([1e30, 1]), to: "m/s.bin")
    try write([0, 1, 1e30, 3, 0, 5], [0, 1, 0, 3, 0, 4])
    for (options, status) in [([], 1), (["--allow-not-finite"], 0)] as [([String], Int32)] {
      let result = try NetconvProcess.run(
        ["verify", "m", "--images", "x.npy", "--labels", "y.npy", "--metric", "mae"] + options,
        in: line.folder.path)
      #expect(result.status == ExitCode(status))
      #expect(
        result.errors
          == (status == 0
            ? ""
            : "netconv: 1 of 3 predictions are not finite; find the first such layer with netconv run --layer, or pass "
              + "--allow-not-finite\n"))
      #expect(result.output.contains("\nmae        nan\n"))
      #expect(
        result.output.contains(
          "\nnot finite 1 of 3 predictions: an output is infinite or NaN, so the metric has no value\n"
        ))
    }
    let json = try verify("mae", "--allow-not-finite", "--max-error", "1", "--json")
    #expect(json.status == 1)
    let report = try jsonObject(json.output.utf8)
    #expect(report["nonFinite"] as? Int == 1)
    #expect((report["regression"] as? [String: Any])?["value"] is NSNull)
  }
}
