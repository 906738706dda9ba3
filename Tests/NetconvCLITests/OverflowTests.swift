import Foundation
import TestSupport
import Testing

@Suite("Values that are too large for the type they are written as")
struct OverflowTests {
  /// A dense layer of 2 x 3 and its bias, as values of `type`.
  private func line(_ type: String, kernel: [UInt8], bias: [UInt8]) throws -> CommandLine {
    let line = try CommandLine()
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": [2]}], "outputs": ["fc"],
       "layers": [
        {"name": "fc", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 3},
         "parameters": [
          {"role": "kernel", "file": "W.bin", "dtype": "\(type)", "layout": "IO"},
          {"role": "bias", "file": "b.bin", "dtype": "\(type)", "layout": "O"}]}]}
      """, to: "m/model.json")
    try line.folder.write(kernel, to: "m/W.bin")
    try line.folder.write(bias, to: "m/b.bin")
    return line
  }

  private func doubles(_ values: [Double]) -> [UInt8] {
    values.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
  }

  private func statistics(_ line: CommandLine, _ tensor: Int) throws -> [String: Any] {
    let manifest = try jsonObject(try line.folder.bytes("out/manifest.json"))
    let tensors = try #require(manifest["tensors"] as? [[String: Any]])
    return try #require(tensors[tensor]["statistics"] as? [String: Any])
  }

  @Test("float16: each tensor is named with the count and the first index, and recorded")
  func half() throws {
    let line = try line(
      "float32", kernel: littleEndian([1, 65_519, 65_520, -70_000, 1e-9, -2]),
      bias: littleEndian([70_000, 0, 1]))
    expectError(
      try line.netconv("convert", "m", "out", "--dtype", "float16"), 65,
      """
      m: 1 tensor holds finite values that its new type cannot hold; name \
      another type, as in --dtype 'fc=float32', or pass --allow-overflow to write them as infinite
        'fc' kernel (W.bin): 2 of 6 become infinite, the first at index 2, the largest of magnitude \
      70000, as float16
      """)
    #expect(try line.names() == ["m"])
    let result = try line.netconv(
      "convert", "m", "out", "--dtype", "float16", "--allow-overflow")
    #expect(
      result.errors == """
        netconv: warning: 1 tensor holds values that are too large for the type they are written as; \
        they became infinite
          'fc' kernel (W.bin): 2 of 6 become infinite, the first at index 2, the largest of magnitude \
        70000, as float16
        netconv: warning: 1 tensor holds values that are too small for the type it is written as
          'fc' kernel (W.bin): of 6, 0 become subnormal and 1 zero, as float16

        """)
    #expect(result.status == 0)
    #expect(
      result.output.contains("; each read back and equal to the source rounded to float16\n"))
    let kernel = try statistics(line, 0)
    #expect(kernel["overflowed"] as? Int == 2)
    #expect(kernel["firstOverflowed"] as? Int == 2)
    #expect(kernel["largestOverflowed"] as? Double == 70_000)
    #expect(kernel["zeroed"] as? Int == 1)
    #expect(kernel["subnormal"] == nil)
    #expect(kernel["worstRelativeError"] as? Double == 1)
    #expect(kernel["nonFinite"] as? Int == 2)
    // As they were written: 65,519 is nearer to 65,504 than to what comes next.
    #expect(kernel["max"] as? Double == 65_504)
    #expect(kernel["min"] as? Double == -2)
    // Biases are always float32.
    let bias = try statistics(line, 1)
    #expect(bias["overflowed"] == nil)
    #expect(bias["max"] as? Double == 70_000)
    let report = try jsonObject(
      try line.netconv(
        "convert", "m", "out", "--dtype", "float16", "--allow-overflow", "--force", "--json"
      ).output.utf8)
    let conversion = try #require((report["conversions"] as? [[String: Any]])?.first)
    #expect((conversion["warnings"] as? [String])?.count == 2)
    // The way on that the message names.
    expectSuccess(
      try line.netconv(
        "convert", "m", "out", "--dtype", "float16", "--dtype", "fc=float32", "--force"))
  }

  @Test("values that are infinite in the source are told apart from those that become it")
  func both() throws {
    let line = try line(
      "float32", kernel: littleEndian([1, .infinity, 1e6, .nan, 3, 1e5]),
      bias: littleEndian([0, 0, 0]))
    let result = try line.netconv(
      "convert", "m", "out", "--dtype", "float16", "--allow-overflow")
    #expect(
      result.errors == """
        netconv: warning: 1 tensor holds values that are infinite or NaN; check how the model was \
        trained and saved
          'fc' kernel (W.bin): 2 of 6, the first at index 1
        netconv: warning: 1 tensor holds values that are too large for the type they are written as; \
        they became infinite
          'fc' kernel (W.bin): 2 of 6 become infinite, the first at index 2, the largest of magnitude \
        1.000e6, as float16

        """)
    #expect(try statistics(line, 0)["nonFinite"] as? Int == 4)
  }

  @Test("float64 that float32 cannot hold")
  func double() throws {
    let line = try line(
      "float64", kernel: doubles([1, 2, 3, 1e300, .infinity, -1e39]), bias: doubles([0, 1e40, 0]))
    expectError(
      try line.netconv("convert", "m", "out"), 65,
      """
      m: 2 tensors hold finite values that their new types cannot hold; pass \
      --allow-overflow to write them as infinite
        'fc' kernel (W.bin): 2 of 6 become infinite, the first at index 3, the largest of magnitude \
      1.000e300, as float32
        'fc' bias (b.bin): 1 of 3 become infinite, the first at index 1, the largest of magnitude \
      1.000e40, as float32
      """)
    let result = try line.netconv("convert", "m", "out", "--allow-overflow")
    #expect(
      result.errors == """
        netconv: warning: 1 tensor holds values that are infinite or NaN; check how the model was \
        trained and saved
          'fc' kernel (W.bin): 1 of 6
        netconv: warning: 2 tensors hold values that are too large for the type they are written as; \
        they became infinite
          'fc' kernel (W.bin): 2 of 6 become infinite, the first at index 3, the largest of magnitude \
        1.000e300, as float32
          'fc' bias (b.bin): 1 of 3 become infinite, the first at index 1, the largest of magnitude \
        1.000e40, as float32

        """)
    #expect(result.output.contains("; each read back and equal to the source\n"))
    // The infinite value comes after one that became infinite.
    #expect(try statistics(line, 0)["firstNonFinite"] as? Int == 3)
  }

  @Test("what fits is not warned of")
  func none() throws {
    let line = try line(
      "float32", kernel: littleEndian([65_504, -65_504, 65_519.9, 0, 0x1p-14, 1]),
      bias: littleEndian([3e38, 0, 0]))
    expectSuccess(try line.netconv("convert", "m", "out", "--dtype", "float16"))
    #expect(try statistics(line, 0)["overflowed"] == nil)
  }

  @Test("bfloat16 ends where float32 does")
  func bfloat() throws {
    let line = try line(
      "float32", kernel: littleEndian([1, 3.4e38, 0, 0, 0, 0]), bias: littleEndian([3.4e38, 0, 0]))
    expectError(
      try line.netconv("convert", "m", "out", "--dtype", "bfloat16", "--target", "source"), 65,
      """
      m: 1 tensor holds finite values that its new type cannot hold; name \
      another type, as in --dtype 'fc=float32', or pass --allow-overflow to write them as infinite
        'fc' kernel (W.bin): 1 of 6 become infinite, the first at index 1, the largest of magnitude \
      3.400e38, as bfloat16
      """)
  }

  @Test("int8: an outlier that leaves no steps to a channel's other values is warned of")
  func imprecise() throws {
    // 300 inputs of one output: the scale of the outlier is 1, and every 0.5 is a tie that becomes 0.
    let line = try CommandLine()
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": [300]}], "outputs": ["fc"],
       "layers": [
        {"name": "fc", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 1},
         "parameters": [{"role": "kernel", "file": "W.bin", "dtype": "float32", "layout": "IO"}]}]}
      """, to: "m/model.json")
    let values = [Float(127)] + [Float](repeating: 0.5, count: 299)
    try line.folder.write(littleEndian(values), to: "m/W.bin")
    let result = try line.netconv("convert", "m", "out", "--dtype", "int8", "--target", "source")
    #expect(result.status == 0)
    // The root of 299 · 0.25 over 127² + 299 · 0.25.
    #expect(
      result.errors == """
        netconv: warning: 1 tensor loses more than the type it is written as explains
          'fc' kernel (W.bin): relative RMS error 0.06792, expected at most 0.02000, as int8

        """)
    let statistics = try statistics(line, 0)
    #expect(statistics["zeroed"] as? Int == 299)
    #expect(statistics["max"] as? Double == 127)
  }
}
