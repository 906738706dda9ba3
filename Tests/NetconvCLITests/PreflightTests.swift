import TestSupport
import Testing

@Suite("convert --dry-run")
struct PreflightTests {
  /// A dense layer of 2 x 3 and its bias.
  private func line(_ kernel: [Float]) throws -> CommandLine {
    let line = try CommandLine()
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": [2]}], "outputs": ["fc"],
       "layers": [
        {"name": "fc", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 3},
         "parameters": [
          {"role": "kernel", "file": "W.bin", "dtype": "float32", "layout": "IO"},
          {"role": "bias", "file": "b.bin", "dtype": "float32", "layout": "O"}]}]}
      """, to: "m/model.json")
    for (name, values) in [("W", kernel), ("b", [0, 1, -2])] {
      try line.folder.write(
        littleEndian(values),
        to: "m/\(name).bin")
    }
    return line
  }

  @Test("every tensor is listed, and nothing is written")
  func table() throws {
    let line = try line([1 + 0x1p-11, 0x1p-15, 0x1p-26, 4, -0.5, 0])
    let result = try line.netconv("convert", "m", "out", "--dtype", "float16", "--dry-run")
    #expect(
      result.output == """
        m -> out, target mps

          tensor  type         min    max  infinite  subnormal  zero  worst error  RMS error
          ----------------------------------------------------------------------------------
          fc_W    float16  -0.5000  4.000         0          1     1        1.000  0.0001176
          fc_b    float32   -2.000  1.000         0          0     0            0          0

        2 tensors, 24 B if written; errors are relative, and nothing was written

        """)
    #expect(
      result.errors == """
        netconv: warning: 1 tensor holds values that are too small for the type it is written as
          'fc' kernel (W.bin): of 6, 1 become subnormal and 1 zero, as float16

        """)
    #expect(result.status == 0)
    #expect(try line.names() == ["m"])
  }

  @Test("harmless losses of several tensors are one line; the tensors are for --verbose")
  func severalLosses() throws {
    let line = try CommandLine()
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": [2]}], "outputs": ["b"],
       "layers": [
        {"name": "a", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 2},
         "parameters": [{"role": "kernel", "file": "W.bin", "dtype": "float32", "layout": "IO"}]},
        {"name": "b", "operator": "Dense", "inputs": ["a"], "attributes": {"units": 2},
         "parameters": [{"role": "kernel", "file": "W.bin", "dtype": "float32", "layout": "IO"}]}]}
      """, to: "m/model.json")
    try line.folder.write(
      littleEndian([Float(1), 0x1p-15, 0x1p-26, 4]), to: "m/W.bin")
    let text =
      "2 tensors hold values that are too small for the type they are written as: of 8, 2 become subnormal "
      + "and 2 zero"
    for options in [["--dry-run"], []] {
      let brief = try NetconvProcess.run(
        ["convert", "m", "out", "--dtype", "float16", "--force"] + options, in: line.folder.path)
      #expect(brief.errors == "netconv: warning: \(text) (--verbose lists them)\n")
      #expect(brief.status == 0)
      let whole = try NetconvProcess.run(
        ["convert", "m", "out", "--dtype", "float16", "--force", "--verbose"] + options,
        in: line.folder.path)
      #expect(
        whole.errors == """
          netconv: warning: \(text)
            'a' kernel (W.bin): of 4, 1 become subnormal and 1 zero, as float16
            'b' kernel (W.bin): of 4, 1 become subnormal and 1 zero, as float16

          """)
      #expect(whole.status == 0)
    }
    // A document has them all, and embed has no --verbose to point to.
    let json = try line.netconv(
      "convert", "m", "out", "--dtype", "float16", "--force", "--json", "-q")
    #expect(json.output.contains("'b' kernel (W.bin): of 4, 1 become subnormal"))
    try line.folder.write(#"{"dtype": "float16"}"#, to: "options.json")
    let embedded = try line.netconv(
      "embed", "m", "--archive", "m.netpack", "--options", "options.json")
    #expect(embedded.errors == "netconv: warning: \(text)\n")
  }

  @Test("values that would become infinite are in the table, and an error")
  func overflow() throws {
    let line = try line([1e5, 0, 0, 0, -1e6, 0])
    let result = try line.netconv("convert", "m", "out", "--dtype", "float16", "--dry-run")
    #expect(result.output.contains("  fc_W    float16  -1.000e6  100000         2 "))
    #expect(
      result.errors == """
        netconv: error: m: 1 tensor holds finite values that its new type cannot hold; name another type, as in \
        --dtype 'fc=float32', or pass --allow-overflow to write them as infinite
          'fc' kernel (W.bin): 2 of 6 become infinite, the first at index 0, the largest of magnitude \
        1.000e6, as float16

        """)
    #expect(result.status == 65)
    let allowed = try line.netconv(
      "convert", "m", "out", "--dtype", "float16", "--dry-run", "--allow-overflow")
    #expect(allowed.status == 0)
    #expect(allowed.errors.hasPrefix("netconv: warning: 1 tensor holds values that are too large"))
    #expect(try line.names() == ["m"])
  }

  @Test("as JSON, of several sources, the figures of each")
  func several() throws {
    let line = try line([1, 2, 3, 4, 5, 70_000])
    let result = try NetconvProcess.run(
      ["convert", "m", "gone", "--into", "out", "--dtype", "float16", "--dry-run", "--json"],
      in: line.folder.path)
    #expect(result.status == 65)
    let report = try jsonObject(result.output.utf8)
    #expect((report["failures"] as? [[String: Any]])?.count == 2)
    let preflights = try #require(report["preflights"] as? [[String: Any]])
    #expect(preflights.count == 1)
    let tensors = try #require(preflights[0]["tensors"] as? [[String: Any]])
    #expect(tensors[0]["overflowed"] as? Int == 1)
    #expect(tensors[0]["firstOverflowed"] as? Int == 5)
    #expect(tensors[0]["largestOverflowed"] as? Double == 70_000)
    #expect(tensors[0]["sourceDtype"] as? String == "float32")
    #expect(tensors[1]["min"] as? Double == -2)
    #expect(try line.names() == ["m"])
  }

  @Test("what would keep the conversion from being done is an error here too")
  func destination() throws {
    let line = try line([1, 2, 3, 4, 5, 6])
    expectSuccess(try line.netconv("convert", "m", "out", "--quiet"))
    let result = try line.netconv("convert", "m", "out", "--dry-run")
    #expect(result.status == 73)
    expectSuccess(try line.netconv("convert", "m", "out", "--dry-run", "--force", "--quiet"))
  }
}
