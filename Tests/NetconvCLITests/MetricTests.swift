import Datasets
import Foundation
import ModelIR
import TestSupport
import Testing

/// The measurements of `Tests/Fixtures/metrics/make_metrics.py`.
private struct Expected: Decodable {
  var count: Int
  var samples: Int?
  var correct: Int?
  var mae: Double?
  var mse: Double?
  var rmse: Double?
  var r2: Double?
  var maeError: Double?
  var mseError: Double?
  var worst: Miss?

  struct Miss: Decodable {
    var sample: Int
    var place: Int
    var error: Double
  }

  static let all: [String: Expected] = {
    let data = try? Data(contentsOf: URL(filePath: Fixtures.path("metrics/expected.json")))
    return data.flatMap { try? JSONDecoder().decode([String: Expected].self, from: $0) } ?? [:]
  }()

  func value(_ metric: String) -> Double? {
    switch metric {
    case "mae": mae
    case "mse": mse
    case "rmse": rmse
    default: r2
    }
  }
}

/// True if two numbers agree within float32 rounding, for layers with a few dozen products.
private func areClose(_ found: Any?, _ expected: Double?) -> Bool {
  guard let found = found as? Double, let expected else { return false }
  return abs(found - expected) <= 2e-5 * max(abs(expected), 0.01)
}

@Suite("verify measures quantities and classes of sequences")
struct MetricTests {
  private static func model(_ name: String) -> String { Fixtures.path("metrics/\(name).h5") }
  private static func data(_ name: String) -> String { Fixtures.path("metrics/\(name).npz") }

  @Test(
    "mae, mse, rmse and r2 are what numpy and Keras measure, with both engines",
    arguments: [
      ("one", "one"), ("one", "one-integers"), ("several", "several"), ("steps", "steps"),
      ("table", "table"),
    ], ["mae", "mse", "rmse", "r2"])
  func quantities(names: (model: String, data: String), metric: String) throws {
    let expected = try #require(Expected.all[names.data])
    for engine in ["fast", "reference"] {
      let result = try NetconvProcess.run([
        "verify", Self.model(names.model), "--images", Self.data(names.data), "--metric", metric,
        "--json", "--engine", engine,
      ])
      expectSuccess(result)
      let report = try jsonObject(result.output.utf8)
      let regression = try #require(report["regression"] as? [String: Any])
      #expect(report["count"] as? Int == expected.count)
      #expect(report["dataset"] as? String == names.data + ".npz")
      #expect(report["accuracy"] == nil && report["correct"] == nil)
      #expect(regression["metric"] as? String == metric)
      #expect(areClose(regression["value"], expected.value(metric)))
      let error = metric == "mae" ? expected.maeError : metric == "mse" ? expected.mseError : nil
      #expect((regression["standardError"] == nil) == (error == nil))
      if error != nil { #expect(areClose(regression["standardError"], error)) }
      let worst = try #require((regression["worst"] as? [[String: Any]])?.first)
      #expect(worst["sample"] as? Int == expected.worst?.sample)
      #expect(worst["place"] as? Int == expected.worst?.place)
      #expect(areClose(worst["error"], expected.worst?.error))
    }
  }

  @Test("the interval of an error is 1.96 standard errors wide on each side, from 30 samples on")
  func intervals() throws {
    let expected = try #require(Expected.all["one"])
    for (metric, mean, error) in [
      ("mae", expected.mae, expected.maeError), ("rmse", expected.mse, expected.mseError),
    ] {
      let result = try NetconvProcess.run([
        "verify", Self.model("one"), "--images", Self.data("one"), "--metric", metric, "--json",
      ])
      let regression = try #require(
        try jsonObject(result.output.utf8)["regression"] as? [String: Any])
      let interval = try #require(regression["interval"] as? [Double])
      let half = 1.959964 * (error ?? 0)
      let ends = [(mean ?? 0) - half, (mean ?? 0) + half]
      for (found, end) in zip(interval, metric == "rmse" ? ends.map { $0.squareRoot() } : ends) {
        #expect(areClose(found, end))
      }
    }
    for arguments in [["--metric", "r2"], ["--metric", "mae", "--limit", "29"]] {
      let result = try NetconvProcess.run(
        ["verify", Self.model("one"), "--images", Self.data("one"), "--json"] + arguments)
      #expect(result.status == 0 && !result.output.contains("\"interval\""))
    }
  }

  @Test(
    "classes of sequences and of their steps are counted",
    arguments: ["words", "tags", "masked", "binary"])
  func classes(name: String) throws {
    let expected = try #require(Expected.all[name])
    for metric in [[], ["--metric", "accuracy"]] {
      let result = try NetconvProcess.run(
        ["verify", Self.model(name), "--images", Self.data(name), "--json"] + metric)
      #expect(result.status == 0)
      #expect(
        result.errors
          == (name != "masked"
            ? ""
            : "netconv: warning: the network masks steps, in 'vectors/mask'; every step counts here, including masked "
              + "steps, which Keras's own metrics leave out\n"))
      let report = try jsonObject(result.output.utf8)
      #expect(report["count"] as? Int == expected.count)
      #expect(report["correct"] as? Int == expected.correct)
      #expect(
        report["samples"] as? Int == (expected.count == expected.samples ? nil : expected.samples))
    }
  }

  @Test("several classes of a sample count as one for the interval")
  func dependentClasses() throws {
    let result = try NetconvProcess.run([
      "verify", Self.model("tags"), "--images", Self.data("tags"), "--json",
    ])
    let interval = try #require(try jsonObject(result.output.utf8)["interval"] as? [Double])
    // The solutions x of (p - x)² = z² · x · (1 - x) / n with p = 168 / 204 and n = 34.
    for (x, z) in zip(interval, [1.959964, 1.959964]) {
      let p = 168.0 / 204
      #expect(abs((p - x) * (p - x) - z * z * x * (1 - x) / 34) < 1e-7)
    }
    #expect(interval[0] < interval[1])
  }

  @Test("rows with a single 1 are the classes that numbers are")
  func rows() throws {
    let line = try CommandLine()
    for (name, classes) in [("words", 3), ("tags", 4), ("binary", 2)] {
      let stored = try arrays(Self.data(name))
      let x = try #require(stored["x_test"])
      let y = try #require(stored["y_test"])
      let rows = y.values.flatMap { label in
        (0..<classes).map { Float($0) == label ? Float(1) : 0 }
      }
      let shape = (y.shape.last == 1 ? y.shape.dropLast() : y.shape) + [classes]
      try writeArchive(
        [
          ("x_test", NDArray(shape: x.shape, values: x.values)),
          ("y_test", NDArray(shape: Array(shape), values: rows)),
        ], to: line.folder.file("rows.npz"))
      let result = try line.netconv("verify", Self.model(name), "--images", "rows.npz", "--json")
      expectSuccess(result)
      #expect(
        try jsonObject(result.output.utf8)["correct"] as? Int == Expected.all[name]?.correct)
    }
  }

  @Test("targets may lack an axis of one at the end, or have one too many, and the report says so")
  func trailingAxis() throws {
    let line = try CommandLine()
    let stored = try arrays(Self.data("steps"))
    let x = try #require(stored["x_test"])
    let y = try #require(stored["y_test"])
    var values: [Double] = []
    for (shape, words) in [
      ([31, 5], ", targets (5) taken as (5, 1)"), ([31, 5, 1], ""),
      ([31, 5, 1, 1], ", targets (5, 1, 1) taken as (5, 1)"),
    ] {
      try writeArchive(
        [
          ("x_test", NDArray(shape: x.shape, values: x.values)),
          ("y_test", NDArray(shape: shape, values: y.values)),
        ], to: line.folder.file("y.npz"))
      let text = try line.netconv(
        "verify", Self.model("steps"), "--images", "y.npz", "--metric", "mae")
      expectSuccess(text)
      #expect(text.output.contains("data       y.npz, 31 samples\(words)\n"))
      let json = try line.netconv(
        "verify", Self.model("steps"), "--images", "y.npz", "--metric", "mae", "--json")
      let regression = try jsonObject(json.output.utf8)["regression"] as? [String: Any]
      values.append(try #require(regression?["value"] as? Double))
      #expect(regression?["outputShape"] as? [Int] == [5, 1])
      #expect(regression?["targetShape"] as? [Int] == Array(shape.dropFirst()))
    }
    #expect(Set(values).count == 1)
  }

  @Test("samples may be rows of a vector, and the report says so")
  func flattened() throws {
    let line = try CommandLine()
    let stored = try arrays(Self.data("table"))
    let x = try #require(stored["x_test"])
    let y = try #require(stored["y_test"])
    try writeArchive(
      [
        ("x_test", NDArray(shape: [35, 2, 3], values: x.values)),
        ("y_test", NDArray(shape: y.shape, values: y.values)),
      ], to: line.folder.file("x.npz"))
    let result = try line.netconv(
      "verify", Self.model("table"), "--images", "x.npz", "--metric", "mae", "--max-error", "0.0344"
    )
    expectSuccess(result)
    #expect(
      result.output.hasPrefix(
        "data       x.npz, 35 samples, samples (2, 3) taken as (6)\n"
          + "values     as they are (floats, and quantities follow from them)\n"))
  }

  @Test("the report for people")
  func text() throws {
    let several = try NetconvProcess.run([
      "verify", Self.model("several"), "--images", Self.data("several"), "--metric", "r2",
    ])
    expectSuccess(several)
    let lines = several.output.split(separator: "\n").map(String.init)
    #expect(
      Array(lines.prefix(6)) == [
        "data       several.npz, 11 samples",
        "values     as they are (floats, and the network reads steps)",
        "r2         0.4717",
        "  farthest   at    target   output   error",
        "  ----------------------------------------",
        "         0  (1)  -0.03114   0.3025  0.3336",
      ])
    #expect(lines.last?.wholeMatch(of: /speed      [\d,]+ samples\/s, fast engine/) != nil)
    let one = try NetconvProcess.run([
      "verify", Self.model("one"), "--images", Self.data("one"), "--metric", "mae",
    ])
    expectSuccess(one)
    #expect(one.output.hasPrefix("data       one.npz, 40 samples, targets () taken as (1)\n"))
    #expect(
      one.output.contains(
        "\nmae        0.03949 (95 % interval 0.03042 to 0.04855, standard error 0.004625)\n"))
    let tags = try NetconvProcess.run(["verify", Self.model("tags"), "--images", Self.data("tags")])
    expectSuccess(tags)
    #expect(tags.output.hasPrefix("data       tags.npz, 34 samples with 6 classes each\nvalues "))
    let words = try NetconvProcess.run([
      "verify", Self.model("words"), "--images", Self.data("words"),
    ])
    #expect(
      words.output.hasPrefix(
        "data       words.npz, 36 samples\nvalues     as they are (the network begins with Embedding "
          + "'vectors', which reads token ids)\n"))
  }

  @Test(
    "what is worse than was asked for exits with 1, and the result is still printed",
    arguments: [
      ("mae", "--max-error", "0.04", "0.03", "the mae 0.03949 is not within the 0.03 asked for"),
      ("mse", "--max-error", "0.0024", "0", "the mse 0.002394 is not within the 0.0 asked for"),
      ("rmse", "--max-error", "0.05", "0.04", "the rmse 0.04892 is not within the 0.04 asked for"),
      ("r2", "--min-r2", "0.9", "0.92", "the r2 0.9184 is not as high as the 0.92 asked for"),
    ])
  func verdicts(
    metric: String, option: String, met: String, missed: String, message: String
  ) throws {
    let arguments = [
      "verify", Self.model("one"), "--images", Self.data("one"), "--metric", metric, option,
    ]
    expectSuccess(try NetconvProcess.run(arguments + [met]))
    let text = try NetconvProcess.run(arguments + [missed])
    #expect(text.status == 1 && text.errors == "netconv: \(message)\n")
    #expect(text.output.contains("\n\(metric) "))
    let json = try NetconvProcess.run(arguments + [missed, "--json"])
    #expect(json.status == 1 && json.errors == "")
    #expect(try jsonObject(json.output.utf8)["passed"] as? Bool == false)
  }

  @Test("layers of a network of quantities are compared on the caller's samples")
  func comparison() throws {
    let result = try NetconvProcess.run([
      "verify", Self.model("steps"), "--images", Self.data("steps"), "--metric", "mse",
      "--against", Self.model("steps"), "--json",
    ])
    expectSuccess(result)
    let report = try jsonObject(result.output.utf8)
    let comparison = report["comparison"] as? [String: Any]
    #expect(comparison?["inputs"] as? String == "the first 31 samples of steps.npz")
    #expect(comparison?["samples"] as? Int == 31)
    #expect(report["agreement"] == nil && report["regression"] != nil)
    let tags = try NetconvProcess.run([
      "verify", Self.model("tags"), "--images", Self.data("tags"), "--min-agreement", "1",
      "--against", Self.model("tags"), "--json",
    ])
    expectSuccess(tags)
    let agreement = try jsonObject(tags.output.utf8)["agreement"] as? [String: Any]
    #expect(agreement?["agreeing"] as? Int == 204)
  }
}
