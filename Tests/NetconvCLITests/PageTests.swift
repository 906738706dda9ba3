import Foundation
import TestSupport
import Testing

/// `--html` as its user sees it.
@Suite("--html")
struct PageTests {
  private func tiny(document: String = TinyModel.document) throws -> CommandLine {
    let line = try CommandLine()
    try TinyModel.write(to: line, document: document)
    _ = try line.folder.copy(line.folder.file("blobs"), to: "other")
    return line
  }

  private func page(_ line: CommandLine, _ name: String = "p.html") throws -> String {
    String(decoding: try line.folder.bytes(name), as: UTF8.self)
  }

  /// The JSON of a page's element.
  private func json(_ id: String, of page: String) throws -> String {
    let parts = page.components(separatedBy: "<script type=\"application/json\" id=\"\(id)\">")
    try #require(parts.count == 2)
    return try #require(parts[1].components(separatedBy: "</script>").first)
  }

  /// The size of a page in bytes, without data.
  private func frame(_ page: String) throws -> Int {
    try page.utf8.count - json("report", of: page).utf8.count
      - json("page-data", of: page).utf8.count
  }

  /// Expects the numbers on a page to equal those of the printed report, to the last digit.
  private func expectSameNumbers(
    _ page: String, _ printed: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let shown = try json("report", of: page)
    #expect(
      shown.replacing("\\u003c", with: "<").replacing("\\u003e", with: ">")
        .replacing("\\u0026", with: "&") == printed, sourceLocation: sourceLocation)
  }

  @Test("a page of inspect has the numbers of --json, and says where it is")
  func inspect() throws {
    let line = try tiny()
    let text = try line.netconv("inspect", "blobs", "--html", "p.html")
    expectSuccess(text)
    #expect(text.output.hasSuffix("\nwritten to p.html\n"))
    let printed = try line.netconv("inspect", "blobs", "--stats", "--json")
    try expectSameNumbers(try page(line), printed.output)
    #expect(try frame(try page(line)) < 300_000)
    expectSuccess(try line.netconv("inspect", "blobs", "--json", "--html", "q.html"))
    #expect(try page(line, "q.html") == page(line))
  }

  @Test("a page of inspect counts values into bars, and zeros")
  func histogram() throws {
    let line = try tiny()
    // 7 values: -2, four zeros of both signs, 1, and one that is not a number.
    try line.folder.write(
      littleEndian([-2, 0, -0.0, 1, 0, 0, Float.nan]), to: "blobs/fc_b.bin")
    _ = try line.netconv("inspect", "blobs", "--html", "p.html")
    let data = try jsonObject(json("page-data", of: page(line)).utf8)
    let tensors = try #require(data["tensors"] as? [[String: Any]])
    let bias = try #require(tensors.last)
    let found = try #require(bias["histogram"] as? [String: Any])
    let counts = try #require(found["counts"] as? [Int])
    #expect(counts.count == 48)
    #expect(counts[0] == 1 && counts[47] == 1)
    // Zero is two thirds of the way from -2 to 1.
    #expect(counts[32] == 4)
    #expect(counts.reduce(0, +) == 6)
    #expect(bias["zeros"] as? Int == 4)
    #expect(
      try page(line).contains("&#39;fc bias&#39; has 1 value that is infinite or NaN"))
  }

  @Test("what smaller types do to values was worked out by hand")
  func smallerTypes() throws {
    let line = try tiny()
    // 70,000 is past float16's 65,504; 1e-7 becomes subnormal there, 1e-9 zero. bfloat16 holds all of them.
    try line.folder.write(
      littleEndian([70_000, 1e-7, 1e-9, 1, 1, 1, 1]), to: "blobs/fc_b.bin")
    expectSuccess(try line.netconv("inspect", "blobs", "--html", "p.html"))
    let data = try jsonObject(json("page-data", of: page(line)).utf8)
    let bias = try #require((data["tensors"] as? [[String: Any]])?.last)
    let types = try #require(bias["types"] as? [[String: Any]])
    #expect(types.map { $0["dtype"] as? String } == ["float16", "bfloat16"])
    #expect(types[0]["overflowed"] as? Int == 1)
    #expect(types[0]["subnormal"] as? Int == 1)
    #expect(types[0]["zeroed"] as? Int == 1)
    #expect(types[1]["overflowed"] as? Int == 0)
    #expect(types[1]["zeroed"] as? Int == 0)
  }

  @Test("no name of a model is markup, in any of the pages")
  func hostileNames() throws {
    let name = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\\u202e'&"
    let document = TinyModel.document.replacing("\"conv\"", with: "\"\(name)\"")
      .replacing("\"tiny\"", with: "\"\(name)\"")
    let line = try tiny(document: document)
    try line.folder.write(
      littleEndian([Float](repeating: 1, count: 4)), to: "other/conv_b.bin")
    let runs = [
      ["inspect", "blobs"], ["diff", "blobs", "other"], ["relate", "blobs", "other"],
      ["verify", "blobs", "--against", "other"],
    ]
    for run in runs {
      let result = try line.netconv(run + ["--html", "\(run[0]).html"])
      #expect(result.status == 0 || result.status == 1, "\(run): \(result.errors)")
      let page = try page(line, run[0] + ".html")
      #expect(page.matches(of: #/(?i)<script/#).count == 3, "\(run)")
      #expect(page.matches(of: #/(?i)<\/script/#).count == 3, "\(run)")
      #expect(!page.contains("<img"), "\(run)")
      // It is there, as data.
      #expect(page.contains(#"\u003cimg src=x onerror=alert(2)\u003e"#), "\(run)")
    }
  }

  @Test("a verdict that is no exits with 1, and the page is there")
  func verdicts() throws {
    let line = try tiny()
    let bytes = try line.folder.bytes("other/fc_W.bin")
    try line.folder.write(Array(bytes[4...]) + bytes[..<4], to: "other/fc_W.bin")
    for run in [["diff", "blobs", "other"], ["verify", "other", "--against", "blobs"]] {
      let result = try line.netconv(run + ["--json", "--html", "p-\(run[0]).html"])
      #expect(result.status == 1)
      let page = try page(line, "p-\(run[0]).html")
      try expectSameNumbers(page, result.output)
      #expect(page.contains("class=\"lead bad\""))
      #expect(try frame(page) < 300_000)
    }
    #expect(
      try page(line, "p-verify.html").contains(
        "&#39;fc&#39; is the first layer that differs from the reference"))
    let diff = try jsonObject(json("page-data", of: page(line, "p-diff.html")).utf8)
    let maps = try #require(diff["maps"] as? [Any])
    #expect(maps.count == 4)
    // fc's kernel, 7 outputs of 64 values, of which only that one differs.
    #expect(maps.map { $0 is NSNull } == [true, true, false, true])
    let map = try #require(maps[2] as? [String: Any])
    #expect(map["rowAxis"] as? String == "O" && map["columnAxes"] as? String == "HWI")
    #expect(map["rows"] as? Int == 7 && map["columns"] as? Int == 64)
  }

  @Test("equal networks give pages too")
  func equal() throws {
    let line = try tiny()
    for run in [
      ["diff", "blobs", "other"], ["relate", "blobs", "other"],
      ["verify", "other", "--against", "blobs"],
    ] {
      let result = try line.netconv(run + ["--json", "--html", "p-\(run[0]).html"])
      expectSuccess(result)
      let page = try page(line, "p-\(run[0]).html")
      try expectSameNumbers(page, result.output)
      #expect(page.contains("class=\"lead good\""))
    }
  }

  @Test("a page shows the one value that was changed where it lies")
  func changedValue() throws {
    let line = try tiny()
    var bytes = try line.folder.bytes("other/conv_W.bin")
    // OIHW of (4, 2, 3, 2): the value at O 1, I 1, H 2, W 0 is number 12 + 6 + 4 = 22. In OHWI it is in the row of O 1,
    // as number 2 * 4 + 0 * 2 + 1 = 9 of 12. One bit of it is one ULP.
    bytes[4 * 22] ^= 1
    try line.folder.write(bytes, to: "other/conv_W.bin")
    #expect(try line.netconv("diff", "blobs", "other", "--html", "p.html").status == 1)
    let data = try jsonObject(json("page-data", of: page(line)).utf8)
    let map = try #require((data["maps"] as? [Any])?[0] as? [String: Any])
    let levels = try #require((map["levels"] as? String).flatMap { Data(base64Encoded: $0) })
    #expect(levels.count == 4 * 12)
    // 8 times the logarithm of 2.
    #expect(levels.enumerated().filter { $0.element > 0 }.map(\.offset) == [12 + 9])
    #expect(levels[12 + 9] == 8)
  }

  @Test("verify shows the images that were not recognised, and the numbers of --json")
  func verify() throws {
    let line = try CommandLine()
    let source = Fixtures.sample("deep-mnist/deep-mnist.h5")
    let result = try line.netconv(
      "verify", source, "--limit", "1000", "--sweep", "blur=0:2:1", "--json", "--html", "p.html")
    expectSuccess(result)
    try expectSameNumbers(try page(line), result.output)
    let report = try jsonObject(result.output.utf8)
    let data = try jsonObject(json("page-data", of: page(line)).utf8)
    let wrong = try #require(data["wrong"] as? [[String: Any]])
    let correct = try #require(report["correct"] as? Int)
    #expect(data["wrongCount"] as? Int == 1000 - correct)
    #expect(wrong.count == min(48, 1000 - correct))
    for example in wrong {
      let outputs = try #require(example["outputs"] as? [[String: Any]])
      let values = outputs.compactMap { $0["value"] as? Double }
      #expect(outputs.first?["label"] as? Int == example["found"] as? Int)
      #expect(example["found"] as? Int != example["label"] as? Int)
      #expect(values.count == 3 && values == values.sorted(by: >))
      let margin = try #require(example["margin"] as? Double)
      #expect(abs(margin - (values[0] - values[1])) < 1e-6)
      let picture = try #require(example["picture"] as? [String: Any])
      #expect(picture["width"] as? Int == 28 && picture["height"] as? Int == 28)
    }
  }

  @Test("relate aligns graphs by the values of tensors, and says which layer each tensor is of")
  func relate() throws {
    let line = try tiny()
    let document = try String(decoding: line.folder.bytes("other/model.json"), as: UTF8.self)
    try line.folder.write(document.replacing(#""conv""#, with: #""first""#), to: "other/model.json")
    // All values of a kernel are others.
    try line.change("other/fc_W.bin") { values in
      for index in values.indices { values[index] = Float(index * 37 % 127) / 32 + 7 }
    }
    let result = try line.netconv("relate", "blobs", "other", "--json", "--html", "p.html")
    #expect(result.status == 1)
    try expectSameNumbers(try page(line), result.output)
    let data = try jsonObject(json("page-data", of: page(line)).utf8)
    let aligned = try #require(data["graphs"] as? [String: Any])
    let graph = try #require(aligned["graph"] as? [String: Any])
    let nodes = try #require(graph["nodes"] as? [[String: Any]])
    #expect(nodes.allSatisfy { $0["side"] == nil })
    #expect((aligned["renamed"] as? [String: String])?.values.sorted() == ["first"])
    let names = { (key: String) in
      try #require(data[key] as? [Int]).map { nodes[$0]["name"] as? String }
    }
    #expect(try names("nodes") == ["conv", "conv", "fc", "fc"])
    #expect(try names("unusedNodes") == ["fc"])
    let report = try jsonObject(result.output.utf8)
    #expect((report["tensors"] as? [Any])?.count == 4)
  }

  @Test("of pictures in folders, a page has the names of the classes")
  func classNames() throws {
    let line = try CommandLine()
    for name in ["cat", "dog"] {
      try line.folder.write(
        try Array(Data(contentsOf: URL(filePath: Fixtures.path("pictures/gray-8.png")))),
        to: "set/\(name)/1.png")
    }
    _ = try line.netconv(
      "verify", Fixtures.sample("deep-mnist/deep-mnist.h5"), "--images", "set", "--html", "p.html")
    let data = try jsonObject(json("page-data", of: page(line)).utf8)
    #expect(data["classes"] as? [String] == ["cat", "dog"])
  }

  @Test("a page of goldens has the numbers of --json, and the layers as a graph")
  func goldens() throws {
    let line = try CommandLine()
    try line.convertLeNet("--goldens", "2")
    let result = try line.netconv("verify", "out", "--goldens", "--json", "--html", "p.html")
    expectSuccess(result)
    try expectSameNumbers(try page(line), result.output)
    #expect(try page(line).contains("class=\"lead good\""))
    let data = try jsonObject(json("page-data", of: page(line)).utf8)
    let nodes = try #require((data["graph"] as? [String: Any])?["nodes"] as? [[String: Any]])
    #expect(nodes.first?["type"] as? String == "Input")
    let layers = try #require(jsonObject(result.output.utf8)["layers"] as? [[String: Any]])
    let names = Set(nodes.compactMap { $0["name"] as? String })
    #expect(layers.allSatisfy { names.contains($0["name"] as? String ?? "") })
  }

  @Test("a file that stands there is replaced with --force, if it is a page")
  func replacing() throws {
    let line = try tiny()
    for run in [
      ["inspect", "blobs"], ["diff", "blobs", "other"], ["relate", "blobs", "other"],
      ["verify", "blobs", "--against", "other"],
    ] {
      let name = run[0] + ".html"
      expectSuccess(try line.netconv(run + ["--quiet", "--html", name]))
      expectError(
        try line.netconv(run + ["--html", name]), 73,
        "\(name): is a file; choose another path, or pass --force to replace an earlier output")
      expectSuccess(try line.netconv(run + ["--quiet", "--html", name, "--force"]))
      try line.folder.write("<!doctype html>\n<p>notes", to: "notes-" + name)
      let result = try line.netconv(run + ["--html", "notes-" + name, "--force"])
      #expect(result.status == 73)
      #expect(result.output == "")
      #expect(try page(line, "notes-" + name) == "<!doctype html>\n<p>notes")
    }
    #expect(try line.names().filter { $0.hasPrefix(".") } == [])
  }

  @Test("what is read is never replaced, whatever it is called")
  func inputs() throws {
    let line = try tiny()
    _ = try line.shell("ln blobs/fc_b.bin hard.html; ln -s other/model.json soft.html")
    let before = try line.folder.bytes("blobs/fc_b.bin")
    for (run, output, input) in [
      (["inspect", "blobs"], "hard.html", "blobs/fc_b.bin"),
      (["diff", "blobs", "other"], "soft.html", "other/model.json"),
      (["relate", "blobs", "other"], "hard.html", "blobs/fc_b.bin"),
      (["verify", "other", "--against", "blobs"], "hard.html", "blobs/fc_b.bin"),
    ] {
      for options in [[], ["--force"]] {
        expectError(
          try line.netconv(run + ["--html", output] + options), 64,
          "\(output): is '\(input)', which this run reads; an output never replaces an input, so choose another path"
        )
      }
    }
    #expect(try line.folder.bytes("blobs/fc_b.bin") == before)
  }

  @Test("a place that cannot be is refused before anything is read")
  func places() throws {
    let line = try tiny()
    expectError(
      try line.netconv("inspect", "blobs", "--html", "no/p.html"), 73,
      "no: the folder does not exist; create it first")
    expectError(
      try line.netconv("inspect", "nothing", "--html", "no/p.html"), 73,
      "no: the folder does not exist; create it first")
    for (arguments, message) in [
      (["inspect", "blobs", "--html", ""], "--html is empty, expected a path"),
      (["inspect", "blobs", "--force"], "--force needs --html FILE"),
      (["diff", "blobs", "other", "--force"], "--force needs --html FILE"),
      (["verify", "blobs", "--force"], "--force needs --html FILE"),
      (
        ["inspect", "blobs", "--scaffold", "--html", "p.html"],
        "--scaffold prints a model.json and nothing else; leave out --html"
      ),
    ] {
      let result = try line.netconv(arguments)
      #expect(
        result.errors.hasPrefix("netconv: error: \(message)\n"), "\(arguments): \(result.errors)")
      #expect(result.status == 64)
    }
  }
}
