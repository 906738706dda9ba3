import Foundation
import ModelIR
import TestSupport
import Testing

/// Messages about infinite numbers and NaN.
@Suite("Numbers that are not finite")
struct NotFiniteTests {
  /// The bits of a NaN with a sign and a payload, which Swift would show as `-nan(0x1)`.
  private static let nan: UInt32 = 0xffc0_0001
  private static let infinity: UInt32 = 0x7f80_0000
  private static let minusInfinity: UInt32 = 0xff80_0000

  /// Creates the folders `good` and `bad`, four images whose labels are 0, and the outputs of `good`.
  ///
  /// - Parameters:
  ///   - values: the indices of values in a file of `bad`, `nil` for all of them.
  private func line(_ bits: UInt32, _ name: String, _ values: [Int]?) throws -> CommandLine {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    try line.folder.copy(line.folder.file("blobs"), to: "good")
    try line.folder.copy(line.folder.file("blobs"), to: "bad")
    var bytes = try line.folder.bytes("bad/" + name)
    for index in values ?? Array(0..<bytes.count / 4) {
      withUnsafeBytes(of: bits.littleEndian) {
        bytes.replaceSubrange(4 * index..<4 * index + 4, with: $0)
      }
    }
    try line.folder.write(bytes, to: "bad/" + name)
    let pixels = (0..<240).flatMap { index in
      withUnsafeBytes(of: (Float(index % 17) / 16).bitPattern.littleEndian) { Array($0) }
    }
    try line.folder.write(npy("<f4", "(4, 6, 5, 2)", pixels), to: "x.npy")
    try line.folder.write(npy("|u1", "(4,)", [0, 0, 0, 0]), to: "y.npy")
    return line
  }

  private static let data = ["--images", "x.npy", "--labels", "y.npy", "--scale", "1"]

  private func verify(_ line: CommandLine, _ arguments: String...) throws -> NetconvProcess.Result {
    try NetconvProcess.run(["verify"] + arguments + Self.data, in: line.folder.path)
  }

  // MARK: - Predictions

  @Test("a prediction that is no number is never right, though the first class is the label")
  func neverRight() throws {
    let line = try line(Self.nan, "fc_b.bin", nil)
    let text = try verify(line, "bad", "--min-accuracy", "0.99", "--confusion")
    #expect(text.status == 1)
    #expect(
      text.errors == """
        netconv: 4 of 4 predictions are not finite; find the first such layer with netconv run --layer, or pass \
        --allow-not-finite
        netconv: the accuracy 0.0000 is below the 0.99 asked for

        """)
    #expect(text.output.contains("accuracy   0.0000 (0 right, "))
    #expect(
      text.output.contains(
        """

        not finite 4 of 4 predictions: an output is NaN, or the largest is infinite; none is right
        recall     0.0000 on average, least 0.0000 for class 0

        """))
    #expect(
      text.output.contains(
        "columns: the predicted class; 4 that are not finite are left out\n"))

    let json = try verify(line, "bad", "--json")
    #expect(json.status == 1)
    let report = try jsonObject(json.output.utf8)
    #expect(report["nonFinite"] as? Int == 4)
    #expect(report["correct"] as? Int == 0)
    #expect(report["passed"] as? Bool == false)
    #expect((report["recall"] as? [Any])?.first as? Double == 0)
    #expect((report["confusion"] as? [[Int]])?.joined().reduce(0, +) == 0)
  }

  @Test("--allow-not-finite asks for nothing but what is asked for")
  func allowed() throws {
    let line = try line(Self.nan, "fc_b.bin", [2])
    let result = try verify(line, "bad", "--allow-not-finite")
    expectSuccess(result)
    #expect(result.output.contains("\nnot finite 4 of 4 predictions: "))
    #expect(try verify(line, "bad", "--allow-not-finite", "--min-accuracy", "0").status == 0)
    #expect(try verify(line, "bad", "--allow-not-finite", "--min-accuracy", "0.1").status == 1)
  }

  @Test("an infinite output that is the largest is no class, one that is not the largest is fine")
  func infinities() throws {
    let largest = try verify(try line(Self.infinity, "fc_b.bin", [0]), "bad")
    #expect(largest.status == 1)
    #expect(largest.output.contains("\nnot finite 4 of 4 predictions: "))
    let least = try verify(try line(Self.minusInfinity, "fc_b.bin", [6]), "bad", "--json")
    expectSuccess(least)
    #expect(try jsonObject(least.output.utf8)["nonFinite"] as? Int == 0)
    #expect(try verify(try line(Self.minusInfinity, "fc_b.bin", nil), "bad").status == 1)
  }

  @Test("a network with one output sees no class either")
  func oneOutput() throws {
    // An infinite sum is 1 behind the sigmoid.
    for (bits, count) in [(Self.nan, 4), (Self.infinity, 0), (0, 0)] as [(UInt32, Int)] {
      let line = try line(bits, "fc_b.bin", nil)
      try line.folder.write(
        TinyModel.document.replacing(
          #""units": 7"#, with: #""units": 1, "activation": "sigmoid""#), to: "bad/model.json")
      try line.folder.write(
        Array(try line.folder.bytes("bad/fc_b.bin").prefix(4)), to: "bad/fc_b.bin")
      try line.folder.write(
        Array(try line.folder.bytes("bad/fc_W.bin").prefix(256)), to: "bad/fc_W.bin")
      let result = try verify(line, "bad", "--json")
      let report = try jsonObject(result.output.utf8)
      #expect(report["nonFinite"] as? Int == count)
      #expect(result.status == (count == 0 ? 0 : 1))
      if count > 0 { #expect(report["correct"] as? Int == 0) }
    }
  }

  @Test("two networks that see no class do not agree")
  func agreement() throws {
    let line = try line(Self.nan, "fc_b.bin", nil)
    let text = try verify(line, "bad", "--against", "bad", "--min-agreement", "0.5")
    #expect(text.status == 1)
    #expect(
      text.output.contains(
        """
        agreement  0.0000 of the predictions are the same; none flipped; 4 not finite in one model or both
          image  label         was  margin          is  margin
          ----------------------------------------------------
              0      0  not finite       -  not finite       -

        """))
    #expect(text.errors.contains("netconv: the agreement 0.0000 is below the 0.5 asked for\n"))
    let json = try verify(line, "bad", "--against", "bad", "--json")
    #expect(json.status == 1)
    let agreement = try #require(
      try jsonObject(json.output.utf8)["agreement"] as? [String: Any])
    #expect(agreement["nonFinite"] as? Int == 4)
    #expect(agreement["agreeing"] as? Int == 0)
    let flip = try #require((agreement["flips"] as? [[String: Any]])?.first)
    for key in ["expected", "found", "expectedMargin", "foundMargin"] {
      #expect(flip[key] is NSNull, "\(key)")
    }
  }

  // MARK: - Layers

  @Test("a layer of which nothing is finite, here as there, was not compared")
  func layers() throws {
    let line = try line(Self.nan, "fc_b.bin", nil)
    let text = try verify(line, "bad", "--against", "bad")
    #expect(text.status == 1)
    #expect(text.output.contains("  all 28 not finite in both\n\nlayers "), "\(text.output)")
    #expect(
      text.output.hasSuffix(
        """
        layers     3 of 4 are within their tolerance; 1 of 4 not compared: both are not finite
        end to end fc: max abs -, mean abs -, cosine -; all 28 not finite in both

        """), "\(text.output)")
    #expect(
      text.errors.hasSuffix(
        """
        netconv: 'fc' is the first layer that cannot be compared: both are not finite; --allow-not-finite accepts that
          fc: all 28 not finite in both

        """), "\(text.errors)")
    expectSuccess(try verify(line, "bad", "--against", "bad", "--allow-not-finite"))

    let json = try verify(line, "bad", "--against", "bad", "--json")
    #expect(json.status == 1)
    let comparison = try #require(
      try jsonObject(json.output.utf8)["comparison"] as? [String: Any])
    #expect(comparison["firstFailure"] as? String == "fc")
    let last = try #require((comparison["layers"] as? [[String: Any]])?.last)
    let difference = try #require(last["difference"] as? [String: Any])
    #expect(difference["nonFinite"] as? Int == 28)
    #expect(difference["count"] as? Int == 28)
    #expect(difference["maximumAbsolute"] is NSNull)
    #expect(difference["meanAbsolute"] is NSNull)
    #expect(difference["maximumULPs"] is NSNull)
    #expect(difference["cosine"] == nil)
    #expect(last["diagnosis"] == nil)
  }

  @Test("a value that is finite in one network only is beyond every tolerance")
  func oneSide() throws {
    let line = try line(Self.nan, "fc_b.bin", [3])
    for (a, b, found, expected) in [
      ("bad", "good", "nan", "-0.953125"), ("good", "bad", "-0.953125", "nan"),
    ] {
      let result = try verify(line, a, "--against", b, "--allow-not-finite", "--tolerance", "1e9")
      #expect(result.status == 1)
      #expect(result.output.contains("  4 not finite and unlike\n"), "\(result.output)")
      #expect(
        result.errors.contains(
          "  fc: 1 of 7 values of bias differ from the source's; the first is at o=3, \(found), expected "
            + "\(expected)\n"), "\(result.errors)")
    }
  }

  // MARK: - Other reports

  @Test("tensors that are equal, and not finite in both, are said to be so")
  func diff() throws {
    let line = try line(Self.nan, "conv_b.bin", [1, 2])
    let equal = try line.netconv("diff", "bad", "bad")
    expectSuccess(equal)
    #expect(
      equal.output.contains(
        "\nnote: conv bias: 2 of 4 values are not finite, the same in both\n"))
    // Another payload is no other number.
    var bytes = try line.folder.bytes("bad/conv_b.bin")
    try line.folder.copy(line.folder.file("bad"), to: "other")
    bytes[4] = 7
    try line.folder.write(bytes, to: "other/conv_b.bin")
    let payload = try line.netconv("diff", "bad", "other")
    expectSuccess(payload)
    #expect(
      payload.output.contains(
        "\nconv bias: equal up to the signs of zeros and the bits of NaN values\n"))
    let changed = try line.netconv("diff", "bad", "good", "--json")
    #expect(changed.status == 1)
    let tensors = try #require(
      try jsonObject(changed.output.utf8)["tensors"] as? [[String: Any]])
    let difference = try #require(tensors[1]["difference"] as? [String: Any])
    #expect(difference["nonFinite"] as? Int == 2)
  }

  @Test("float64 numbers whose squares Double cannot hold are compared")
  func hugeNumbers() throws {
    let line = try line(Self.nan, "conv_b.bin", [0])
    let document = TinyModel.document.replacing(
      #""file": "conv_b.bin", "dtype": "float32""#,
      with: #""file": "conv_b.bin", "dtype": "float64""#)
    for (folder, value) in [("good", 1.7e308), ("bad", -1.7e308)] {
      try line.folder.write(document, to: folder + "/model.json")
      let bytes = [value, 1, 2, 3].flatMap { value in
        withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
      }
      try line.folder.write(bytes, to: folder + "/conv_b.bin")
    }
    let text = try line.netconv("diff", "good", "bad")
    #expect(text.status == 1)
    #expect(text.output.contains("the largest distance is inf "), "\(text.output)")
    #expect(text.output.contains("cosine unknown: the values are too large\n"), "\(text.output)")
    let json = try line.netconv("diff", "good", "bad", "--json")
    #expect(json.status == 1)
    let tensors = try #require(try jsonObject(json.output.utf8)["tensors"] as? [[String: Any]])
    #expect((tensors[1]["difference"] as? [String: Any])?["maximumAbsolute"] is NSNull)
  }

  @Test("goldens of which nothing is finite say nothing about a layer")
  func goldens() throws {
    let line = try line(Self.nan, "fc_b.bin", nil)
    expectSuccess(try line.netconv("convert", "bad", "out", "--goldens", "2", "-q"))
    let text = try line.netconv("verify", "out", "--goldens")
    #expect(text.status == 1)
    #expect(text.output.contains("  14 not finite in both\n"), "\(text.output)")
    #expect(
      text.output.hasSuffix(
        "2 layers are within their tolerances; 1 of 3 not compared: both are not finite\n"))
    #expect(
      text.errors == """
        netconv: the first layer that cannot be compared is 'fc': both are not finite; --allow-not-finite accepts that

        """)
    expectSuccess(try line.netconv("verify", "out", "--goldens", "--allow-not-finite"))
    let json = try line.netconv("verify", "out", "--goldens", "--json")
    #expect(json.status == 1)
    let layer = try #require(
      (try jsonObject(json.output.utf8)["layers"] as? [[String: Any]])?.last)
    #expect(layer["nonFinite"] as? Int == 14)
    #expect(layer["difference"] is NSNull)
  }

  @Test("a dry run counts and warns of what a conversion warns of")
  func preflight() throws {
    let line = try line(Self.infinity, "conv_W.bin", [4, 9])
    let text = try line.netconv("convert", "bad", "out", "--dry-run", "--dtype", "float16")
    #expect(text.status == 0)
    #expect(
      text.errors == """
        netconv: warning: 1 tensor holds values that are infinite or NaN; check how the model was \
        trained and saved
          'conv' kernel (conv_W.bin): 2 of 48

        """)
    let json = try line.netconv("convert", "bad", "out", "--dry-run", "--json", "-q")
    let reports = try #require(
      try jsonObject(json.output.utf8)["preflights"] as? [[String: Any]])
    let tensors = try #require(reports[0]["tensors"] as? [[String: Any]])
    #expect(tensors.map { $0["nonFinite"] as? Int } == [2, 0, 0, 0])
  }

  @Test("what a loader saw is shown as a number that is none")
  func probe() throws {
    let line = try CommandLine()
    expectSuccess(try line.netconv("probe", "probe", "-q"))
    var all = try arrays(line.folder.file("probe/probe.npz")).map {
      (name: $0.key, array: NDArray(shape: $0.value.shape, values: $0.value.values))
    }
    let conv = try #require(all.firstIndex { $0.name == "conv" })
    all[conv].array.values[0] = Float(bitPattern: Self.nan)
    try writeArchive(all, to: line.folder.file("probe/seen.npz"))
    let result = try line.netconv("probe", "--check", "probe/seen.npz")
    #expect(result.status == 1)
    #expect(
      result.output.contains(
        #/conv gives: 1 of [0-9]+ values differ, the first at index 0: nan, expected /#),
      "\(result.output)")
    #expect(try line.netconv("probe", "--check", "probe/seen.npz", "--json").status == 1)
  }

  // MARK: - All of them

  /// Every verb that reports, with an input that is not finite.
  private static let reports: [[String]] = [
    ["verify", "bad"] + data, ["verify", "bad", "--confusion", "--precision", "float16"] + data,
    ["verify", "bad", "--against", "bad"] + data, ["verify", "bad", "--against", "good"] + data,
    ["verify", "good", "--against", "bad"] + data, ["verify", "bad", "--against", "bad"],
    ["verify", "bad", "--reference", "saved.npz"], ["verify", "good", "--reference", "bad.npz"],
    ["verify", "out", "--goldens"],
    ["run", "bad", "--input", "x.npy", "--layer", "conv"],
    ["run", "good", "--input", "notfinite.npy", "--layer", "conv"],
    ["run", "bad", "--input", "x.npy", "--engine", "reference", "--precision", "float16"],
    ["diff", "bad", "bad"], ["diff", "bad", "good"], ["diff", "good", "bad"],
    ["diff", "bad", "out"], ["inspect", "bad", "--stats"], ["inspect", "out", "--stats"],
    ["convert", "bad", "dry", "--dry-run"],
    ["convert", "bad", "dry", "--dry-run", "--target", "torch", "--dtype", "bfloat16"],
    ["convert", "bad", "dry", "--dry-run", "--target", "source", "--dtype", "int8"],
    ["convert", "bad", "new", "--force", "--goldens", "1"],
    ["convert", "bad", "new", "--force", "--target", "onnx", "--dtype", "float16"],
  ]

  @Test(
    "no report fails of it, and none shows the bits",
    arguments: [nan, infinity, minusInfinity],
    [("conv_W.bin", [0]), ("fc_b.bin", nil)] as [(String, [Int]?)])
  func walk(bits: UInt32, place: (name: String, values: [Int]?)) throws {
    let line = try line(bits, place.name, place.values)
    var pixels = try line.folder.bytes("x.npy")
    withUnsafeBytes(of: bits.littleEndian) {
      pixels.replaceSubrange(pixels.count - 4..<pixels.count, with: $0)
    }
    try line.folder.write(pixels, to: "notfinite.npy")
    expectSuccess(
      try line.netconv("run", "good", "--input", "x.npy", "--layer", "conv", "--output", "o.npz"))
    try saveActivations(in: line)
    #expect(try line.netconv("convert", "bad", "out", "--goldens", "1", "-q").status == 0)
    for arguments in Self.reports {
      for isJSON in [false, true] {
        let result = try NetconvProcess.run(
          arguments + (isJSON ? ["--json"] : []), in: line.folder.path)
        let name = arguments.joined(separator: " ")
        #expect([0, 1, 65].contains(result.status), "\(name): \(result.status) \(result.errors)")
        for text in [result.output, result.errors] {
          #expect(!text.contains("nan("), "\(name): \(text)")
          #expect(!text.contains("-nan"), "\(name): \(text)")
        }
        if isJSON, result.status != 65 {
          #expect(!(try jsonObject(result.output.utf8)).isEmpty, "\(name)")
        }
        // What is said to be 1 or 0 is of finite numbers, some of them at least.
        for row in result.output.split(separator: "\n") where row.contains("all ") {
          #expect(!row.contains("cosine 1") && !row.contains("1.0000000"), "\(name): \(row)")
        }
      }
    }
  }

  /// Writes the activations of `good`: unchanged to `saved.npz`, and to `bad.npz` with one that is not finite.
  private func saveActivations(in line: CommandLine) throws {
    let outputs = try arrays(line.folder.file("o.npz"))
    let image = try arrays(line.folder.file("x.npy"))
    var all = (image.map { ("image", $0.value) } + outputs.map { ($0.key, $0.value) }).map {
      (name: $0.0, array: NDArray(shape: $0.1.shape, values: $0.1.values))
    }
    try writeArchive(all, to: line.folder.file("saved.npz"))
    all[1].array.values[0] = .nan
    try writeArchive(all, to: line.folder.file("bad.npz"))
  }
}
