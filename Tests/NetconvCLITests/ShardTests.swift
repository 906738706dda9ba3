import Foundation
import TestSupport
import Testing

@Suite("verify --shard and merge")
struct ShardTests {
  private let line: CommandLine

  init() throws {
    line = try CommandLine()
  }

  /// Runs each of `count` shards and merges them, the last first.
  private func merged(
    _ arguments: [String], _ count: Int, _ options: String...
  ) throws -> NetconvProcess.Result {
    var files: [String] = []
    for index in 1...count {
      try write(arguments, index, of: count, to: "s\(index).json")
      files.insert("s\(index).json", at: 0)
    }
    return try line.netconv(["merge"] + files + options)
  }

  private func write(
    _ arguments: [String], _ index: Int, of count: Int, to name: String,
    _ environment: [String: String] = [:]
  ) throws {
    let result = try line.netconv(
      ["verify"] + arguments + ["--shard", "\(index)/\(count)", "--json", "--quiet"],
      environment: environment)
    expectSuccess(result)
    try line.folder.write(result.output, to: name)
  }

  /// A text without the parts that depend on the time.
  private func timeless(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter {
        !$0.contains("imagesPerSecond") && !$0.hasPrefix("speed") && !$0.contains("\"seconds\"")
      }
      .joined(separator: "\n")
  }

  private func expectSame(
    _ arguments: [String], _ counts: [Int], status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let whole = try line.netconv(["verify"] + arguments + ["--json"])
    #expect(whole.status == ExitCode(status), sourceLocation: sourceLocation)
    for count in counts {
      let result = try merged(arguments, count, "--json")
      #expect(timeless(result.output) == timeless(whole.output), sourceLocation: sourceLocation)
      #expect(result.status == ExitCode(status), sourceLocation: sourceLocation)
      #expect(result.errors == "", sourceLocation: sourceLocation)
    }
  }

  private var lenet: String { Fixtures.sample("lenet-blobs") }

  @Test("merged counts, intervals, recall and confusion are those of one run, byte for byte")
  func classes() throws {
    try expectSame([lenet, "--limit", "103"], [1, 2, 7])
    // More shards than images: some have none.
    try expectSame([lenet, "--limit", "5"], [9])
  }

  @Test("so are sweeps, agreement and layers that are compared")
  func others() throws {
    try expectSame([lenet, "--limit", "60", "--sweep", "blur=0:2:1"], [3])
    try line.folder.copy(lenet, to: "net")
    expectSuccess(
      try line.netconv("convert", "net", "int8", "--target", "source", "--dtype", "int8"))
    try expectSame(
      ["int8", "--against", "net", "--limit", "301", "--min-agreement", "0.5"], [4], status: 0)
  }

  @Test("the verdict is that of the merged report, and shards have none")
  func verdict() throws {
    let arguments = [lenet, "--limit", "1000", "--min-accuracy", "1"]
    try expectSame(arguments, [3], status: 1)
    let whole = try line.netconv(["verify"] + arguments)
    #expect(whole.status == 1)
    let result = try merged(arguments, 3)
    #expect(timeless(result.output) == timeless(whole.output))
    #expect(result.errors == whole.errors)
    #expect(result.status == 1)
  }

  @Test(
    "errors of quantities do not depend on which samples are summed together",
    arguments: ["mae", "mse", "rmse", "r2"])
  func quantities(metric: String) throws {
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": [2]}], "outputs": ["y"],
       "layers": [{"name": "y", "operator": "Identity", "inputs": ["x"]}]}
      """, to: "m/model.json")
    // From 1e-12 to 1e12 in one list: added in another order, rounded sums are others.
    let outputs = (0..<82).map { (index: Int) -> Float in
      Float(sin(Double(index) * 1.7) * pow(10, Double(index % 25) - 12))
    }
    let targets = (0..<82).map { (index: Int) -> Double in
      cos(Double(index) * 2.3) * pow(10, Double(index * 7 % 25) - 12)
    }
    let doubles = targets.flatMap { value in
      withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
    }
    try line.folder.write(npy("<f4", "(41, 2)", littleEndian(outputs)), to: "x.npy")
    try line.folder.write(npy("<f8", "(41, 2)", doubles), to: "y.npy")
    try expectSame(
      ["m", "--images", "x.npy", "--labels", "y.npy", "--metric", metric], [2, 3, 5, 41, 60])
    guard metric == "mae" else { return }
    // Correctly rounded: as exact fractions give it.
    let result = try line.netconv(
      "verify", "m", "--images", "x.npy", "--labels", "y.npy", "--metric", "mae", "--json")
    let value = try #require(
      (try jsonObject(result.output.utf8)["regression"] as? [String: Any])?["value"] as? Double)
    var expected = 0.0
    for sample in stride(from: 0, to: 82, by: 2) {
      let errors = (sample..<sample + 2).map { abs(Double(outputs[$0]) - targets[$0]) }
      expected += (errors[0] + errors[1]) / 2
    }
    expected /= 41
    // 41 additions, each rounded.
    #expect(abs(value - expected) <= 41 * expected.ulp)
  }

  @Test("a shard that is run again gives the same, but for its time")
  func again() throws {
    try write([lenet, "--limit", "50"], 2, of: 3, to: "one.json")
    try write([lenet, "--limit", "50"], 2, of: 3, to: "other.json")
    let one = String(decoding: try line.folder.bytes("one.json"), as: UTF8.self)
    let other = String(decoding: try line.folder.bytes("other.json"), as: UTF8.self)
    #expect(timeless(one) == timeless(other))
  }

  @Test("shards that are missing, there twice, or of another number of shards are named")
  func numbers() throws {
    try write([lenet, "--limit", "20"], 1, of: 3, to: "a.json")
    try write([lenet, "--limit", "20"], 2, of: 3, to: "b.json")
    try write([lenet, "--limit", "20"], 2, of: 2, to: "c.json")
    expectError(
      try line.netconv("merge", "b.json", "a.json"), 65,
      "b.json: belongs to a run of 3 shards, and one is missing: 3")
    expectError(
      try line.netconv("merge", "b.json"), 65,
      "b.json: belongs to a run of 3 shards, and these are missing: 1, 3")
    expectError(
      try line.netconv("merge", "b.json", "a.json", "./b.json"), 65,
      "./b.json: is shard 2 of 3, and so is b.json; leave one out")
    expectError(
      try line.netconv("merge", "a.json", "c.json"), 65,
      "c.json: is shard 2 of 2, but a.json is one of 3")
    expectError(
      try line.netconv("merge", "a.json", "no.json"), 66,
      "no.json: no such file or folder; check the path")
  }

  @Test("shards of another model, other data, options or version are named")
  func foreign() throws {
    try line.folder.copy(lenet, to: "net")
    try write(["net", "--limit", "20"], 1, of: 2, to: "a.json")
    try write(["net", "--limit", "21"], 2, of: 2, to: "limit.json")
    try write(["net", "--limit", "20", "--scale", "0.1"], 2, of: 2, to: "scale.json")
    try write(["net", "--limit", "20", "--engine", "reference"], 2, of: 2, to: "engine.json")
    try write(["net", "--limit", "20"], 2, of: 2, to: "version.json")
    // The one of the run, not the one of the document.
    try line.replace("\n    \"netconv\": \"", with: "\n    \"netconv\": \"9", in: "version.json")
    try line.flip("net/fc2_b.bin", at: 0)
    try write(["net", "--limit", "20"], 2, of: 2, to: "model.json")
    for (name, text) in [
      ("limit", "limit 21 here, 20 there"), ("scale", "scale 0.1 here, none there"),
      ("engine", "engine reference here, fast there"),
      ("version", "version of netconv 90.1.0 here, 0.1.0 there"),
      ("model", "model "),
    ] {
      let result = try line.netconv("merge", "a.json", name + ".json")
      #expect(
        result.errors.hasPrefix(
          "netconv: error: \(name).json: belongs to a different run than a.json: \(text)"))
      #expect(result.output == "")
      #expect(result.status == 65)
    }
  }

  @Test("what is no shard, or half of one, is refused by name")
  func damage() throws {
    try write([lenet, "--limit", "20"], 1, of: 1, to: "a.json")
    let bytes = try line.folder.bytes("a.json")
    try line.folder.write([], to: "empty.json")
    expectError(
      try line.netconv("merge", "empty.json"), 65,
      "empty.json: is empty; its run has not ended, so run that shard again")
    try line.folder.write(Array(bytes.prefix(bytes.count / 2)), to: "half.json")
    let half = try line.netconv("merge", "half.json")
    #expect(half.errors.hasPrefix("netconv: error: half.json: is not JSON: "))
    #expect(half.status == 65)
    let whole = try line.netconv("verify", lenet, "--limit", "20", "--json")
    try line.folder.write(whole.output, to: "whole.json")
    expectError(
      try line.netconv("merge", "whole.json"), 65,
      "whole.json: is not the report of a shard; a report of the whole run, or of another verb, cannot be "
        + "merged")
    for (old, new) in [
      ("\"correct\": ", "\"correct\": 9"), ("\"classCount\": 10", "\"classCount\": 11"),
      ("\"placeCount\": 1", "\"placeCount\": 0"),
      ("\"placeCount\": 1", "\"placeCount\": 9223372036854775807"),
      ("\"seconds\": ", "\"seconds\": 1e-300, \"x\": "),
    ] {
      try line.folder.write(bytes, to: "changed.json")
      try line.replace(old, with: new, in: "changed.json")
      expectError(
        try line.netconv("merge", "changed.json"), 65,
        "changed.json: its numbers are inconsistent; run that shard again")
    }
  }

  @Test("what cannot be run in parts is refused")
  func refusals() throws {
    let stateful = Fixtures.path("keras/keras2-stateful.h5")
    let result = try line.netconv(
      "verify", stateful, "--images", "x.npy", "--labels", "y.npy", "--shard", "1/2", "--json")
    #expect(
      result.errors.contains("is stateful: its output for a sample depends on earlier samples"))
    #expect(result.status == 64)
    for (arguments, text) in [
      (["--shard", "1/2"], "--shard needs --json, whose output netconv merge reads"),
      (
        ["--shard", "1/2", "--json", "--find-preparation"],
        "--find-preparation needs all samples, and no --shard"
      ),
      (
        ["--shard", "1/2", "--json", "--confusion"],
        "--confusion needs netconv merge, and not --shard"
      ),
      (
        ["--shard", "3/2", "--json"],
        "The value '3/2' is invalid for '--shard <i/n>': expected I/N with 1 ≤ I ≤ N, such as 2/8 "
          + "for the second of eight"
      ),
    ] {
      let result = try line.netconv(["verify", lenet] + arguments)
      #expect(result.errors.hasPrefix("netconv: error: \(text)\n"))
      #expect(result.status == 64)
    }
  }

  @Test("convert --into takes shards of the sources, into the folders of all of them")
  func conversions() throws {
    try line.folder.copy(lenet, to: "one/net")
    try line.folder.copy(lenet, to: "two/net")
    try line.folder.copy(lenet, to: "other")
    let sources = ["one/net", "two/net", "other"]
    for index in [2, 1, 3, 4] {
      expectSuccess(
        try line.netconv(
          ["convert"] + sources + ["--into", "all", "--shard", "\(index)/4", "--quiet"]))
    }
    expectSuccess(try line.netconv(["convert"] + sources + ["--into", "whole", "--quiet"]))
    #expect(try line.names(in: "all") == ["net", "net-2", "other"])
    #expect(try line.contents(of: "all") == line.contents(of: "whole"))
    // One that was killed is run again.
    let old = try line.contents(of: "all")
    expectSuccess(
      try line.netconv(
        ["convert"] + sources + ["--into", "all", "--shard", "2/4", "--quiet", "--force"]))
    #expect(try line.contents(of: "all") == old)
    let result = try line.netconv("convert", "other", "out", "--shard", "1/2")
    #expect(result.errors.hasPrefix("netconv: error: --shard needs --into DIR\n"))
    #expect(result.status == 64)
  }
}
