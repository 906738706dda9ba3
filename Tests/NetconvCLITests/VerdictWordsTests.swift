import Datasets
import Foundation
import ModelIR
import TestSupport
import Testing

/// The text of verdicts: the reasons for a failure, the wrong samples, the names of classes.
@Suite("words of verdicts")
struct VerdictWordsTests {
  private static let deepMNIST = Fixtures.sample("deep-mnist/deep-mnist.h5")
  private static let lenet = Fixtures.sample("lenet-blobs")

  /// Writes the first of MNIST's test images as `.npy`, with labels that `label` derives from the correct ones.
  private func writeDigits(
    _ count: Int, in line: CommandLine, _ label: (Int) -> Int
  ) throws {
    let images = try LabeledImages.mnist()
    let pixels = try images.values(of: 0..<count).map { UInt8($0) }
    try line.folder.write(npy("|u1", "(\(count), 28, 28)", pixels), to: "x.npy")
    let labels = try images.targets.classes()[..<count]
    try line.folder.write(
      npy("|u1", "(\(count),)", labels.map { UInt8(label($0)) }), to: "y.npy")
  }

  @Test("classes in another order are said to be that, with the accuracy in it")
  func classOrder() throws {
    let line = try CommandLine()
    try writeDigits(300, in: line) { ($0 + 3) % 10 }
    let result = try line.netconv(
      "verify", Self.deepMNIST, "--images", "x.npy", "--labels", "y.npy")
    #expect(
      result.output.contains("\nhint       the classes are in another order than the outputs"))
    #expect(result.output.contains("3 is output 0"), "\(result.output)")
    #expect(!result.output.contains("--find-preparation"), "\(result.output)")
    let report = try jsonObject(
      line.netconv("verify", Self.deepMNIST, "--images", "x.npy", "--labels", "y.npy", "--json")
        .output.utf8)
    let order = try #require(report["classOrder"] as? [String: Any])
    #expect(order["outputs"] as? [Int] == (0..<10).map { ($0 + 7) % 10 })
    #expect(try #require(order["accuracy"] as? Double) > 0.95)
    // Labels that are right, and labels that say nothing, are in no other order.
    try writeDigits(300, in: line) { $0 }
    let right = try line.netconv(
      "verify", Self.deepMNIST, "--images", "x.npy", "--labels", "y.npy")
    #expect(!right.output.contains("another order"), "\(right.output)")
    var state: UInt64 = 1
    try writeDigits(300, in: line) { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % 10
    }
    let random = try line.netconv(
      "verify", Self.deepMNIST, "--images", "x.npy", "--labels", "y.npy")
    #expect(!random.output.contains("another order"), "\(random.output)")
  }

  @Test("pictures that are wrong are named, and so are classes")
  func names() throws {
    let line = try CommandLine()
    // A 7 among the twos.
    for (file, copy) in [
      ("7/00", "seven/00"), ("7/17", "seven/17"), ("2/01", "two/01"), ("7/00", "two/00"),
    ] {
      let picture = try Data(
        contentsOf: URL(filePath: Fixtures.path("pictures/digits/\(file).png")))
      try line.folder.write(Array(picture), to: "photos/\(copy).png")
    }
    try line.folder.copy(Fixtures.path("pictures/digits.txt"), to: "names.txt")
    let arguments = ["verify", Self.deepMNIST, "--images", "photos", "--labels", "names.txt"]
    let json = try line.netconv(arguments + ["--json", "--min-accuracy", "1"])
    #expect(json.status == 1)
    let report = try jsonObject(json.output.utf8)
    let wrong = try #require(report["wrong"] as? [[String: Any]])
    #expect(wrong.map { $0["name"] as? String } == ["photos/two/00.png"])
    #expect(wrong.map { $0["label"] as? Int } == [2])
    #expect(wrong.map { $0["found"] as? Int } == [7])
    #expect((report["classes"] as? [String])?.prefix(3) == ["zero", "one", "two"])
    #expect(report["schema"] as? String == "urn:netconv:schema:verify:v1")
    #expect(report["netconv"] as? String == "0.1.0")
    #expect(report["passed"] as? Bool == false)
    let failures = try #require(report["failures"] as? [String])
    #expect(failures.count == 1)
    #expect(failures[0].hasSuffix(" is below the 1.0 asked for"), "\(failures)")
    let text = try line.netconv(arguments + ["--confusion"])
    #expect(text.output.contains("\n  3 three"), "\(text.output)")
    #expect(text.output.contains("2 two: 0.5000  7 seven: 1.0000\n"), "\(text.output)")
    // Names that are too few are those of other classes.
    try line.folder.write("seven\ntwo\n", to: "names.txt")
    expectError(
      try line.netconv(arguments), 65,
      "names.txt: names 2 classes, and the network has 10; name each class once")
  }

  @Test("float16 is compared in float16, and said to be")
  func precision() throws {
    let line = try CommandLine()
    let result = try line.netconv(
      "verify", Self.lenet, "--against", Self.lenet, "--precision", "float16", "--limit", "50")
    expectSuccess(result)
    #expect(result.output.contains("\ncompared   in float16 with "), "\(result.output)")
    // Half precision rounds what a convolution gives: no row of float32's table is that far off.
    let distances = result.output.matches(of: #/ conv1 .*? ([0-9.e-]+) /#)
    #expect(distances.contains { (Double($0.1) ?? 0) > 1e-5 }, "\(result.output)")
    let report = try jsonObject(
      line.netconv(
        "verify", Self.lenet, "--against", Self.lenet, "--precision", "float16", "--limit", "50",
        "--json"
      ).output.utf8)
    let comparison = try #require(report["comparison"] as? [String: Any])
    #expect(comparison["precision"] as? String == "float16")
  }

  @Test("with inputs and outputs alone, a mistake in the middle is found by mending it")
  func gap() throws {
    let line = try CommandLine()
    let images = try LabeledImages.mnist()
    let values = try images.values(of: 0..<4).map { $0 / 255 }
    let pixels = NDArray(shape: [4, 28, 28, 1], values: values)
    try writeArchive([("image", pixels)], to: line.folder.file("x.npz"))
    expectSuccess(
      try line.netconv(
        "run", Self.lenet, "--input", "x.npz", "--output", "out.npz", "--quiet"))
    let output = try #require(try NumpyArchive.read(line.folder.file("out.npz")).first?.array)
    try writeArchive(
      [("image", pixels), ("fc2", NDArray(shape: output.shape, values: output.values))],
      to: line.folder.file("reference.npz"))
    expectSuccess(
      try line.netconv("verify", Self.lenet, "--reference", "reference.npz", "--quiet"))
    try line.folder.copy(Self.lenet, to: "wrong")
    try line.replace("(IHW)O", with: "(HWI)O", in: "wrong/model.json")
    let result = try line.netconv("verify", "wrong", "--reference", "reference.npz", "--quiet")
    #expect(result.status == 1)
    #expect(
      result.errors == """
        netconv: 'fc2' is the first layer that was compared and differs from the reference
          fc2: in 'fc1': kernel is (IHW)O read as (HWI)O: the flatten was in C, H, W order
            declare the layout (IHW)O in the source, or write them as (HWI)O

        """)
    let json = try line.netconv("verify", "wrong", "--reference", "reference.npz", "--json")
    #expect(json.status == 1)
    let report = try jsonObject(json.output.utf8)
    let rows = (report["comparison"] as? [String: Any])?["layers"] as? [[String: Any]]
    let last = try #require(rows?.last)
    #expect(last["uncompared"] as? Int == 6)
    #expect((last["diagnosis"] as? [String: Any])?["layers"] as? [String] == ["fc1"])
  }

  @Test(
    "pixels that were fed in another way are found by inputs and outputs alone",
    arguments: [
      "unit": "the pixels are from 0 to 1, expected from -1 to 1",
      "signed": "the pixels are from -1 to 1, expected from 0 to 1",
      "bytes": "the pixels are not scaled: a scale of 1/255 is missing",
      "twice": "the pixels are scaled by 1/255 twice",
      "inverted": "the pixels are inverted: 1 - x",
      "caffe": "the means of ImageNet are not subtracted, as Caffe's models expect",
    ])
  func pixels(kind: String, words: String) throws {
    let line = try CommandLine()
    // Keras gave the outputs, for pixels as they should be.
    let stored = try arrays(Fixtures.path("reference/pixels.npz"))
    let (fed, right) = (
      try #require(stored["fed_\(kind)"]), try #require(stored["right_\(kind)"])
    )
    try writeArchive(
      [
        ("image", NDArray(shape: fed.shape, values: fed.values)),
        ("fc", NDArray(shape: right.shape, values: right.values)),
      ], to: line.folder.file("reference.npz"))
    let result = try line.netconv(
      "verify", Fixtures.path("reference/pixels.h5"), "--reference", "reference.npz", "-q")
    #expect(result.status == 1)
    #expect(result.errors.contains("\n  fc: in 'conv1': \(words)\n"), "\(result.errors)")
  }

  @Test("weights of another training are no damage, and a single value is no other training")
  func changedValues() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    try line.folder.copy(line.folder.file("blobs"), to: "other")
    let bytes = try line.folder.bytes("blobs/conv_W.bin")
    for (count, advice) in [
      (1, "find out which of the two was changed, and use the other's values"),
      (
        48,
        "these are different weights, as after more training: compare with the file that they came from"
      ),
    ] {
      var changed = bytes
      for index in 0..<count {
        // Other mantissas, which no rule explains.
        changed[4 * index] ^= UInt8(truncatingIfNeeded: index &* 37 &+ 11)
        changed[4 * index + 2] ^= UInt8(truncatingIfNeeded: index &* 29 &+ 7) & 0x7f
      }
      try line.folder.write(changed, to: "other/conv_W.bin")
      let result = try line.netconv("verify", "other", "--against", "blobs", "--quiet")
      #expect(result.status == 1)
      #expect(result.errors.contains("\n    \(advice)\n"), "\(result.errors)")
    }
  }
}
