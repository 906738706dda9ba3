import Datasets
import Foundation
import ModelIR
import TestSupport
import Testing

@Suite("verify")
struct VerifyTests {
  private static let lenet = Fixtures.sample("lenet-blobs")

  @Test("an accuracy below --min-accuracy exits with 1, and the result is still printed")
  func verdictIsNo() throws {
    let line = try CommandLine()
    let text = try line.netconv(
      "verify", Self.lenet, "--limit", "1000", "--min-accuracy", "1", "--confusion")
    #expect(text.status == 1)
    #expect(
      text.errors.wholeMatch(of: /netconv: the accuracy 0\.9[0-9]+ is below the 1\.0 asked for\n/)
        != nil)
    #expect(text.output.contains("accuracy   0.9"))
    #expect(text.output.contains("rows: the true class; columns: the predicted class"))

    let json = try line.netconv(
      "verify", Self.lenet, "--limit", "1000", "--min-accuracy", "1", "--json")
    #expect(json.status == 1)
    #expect(json.errors == "")
    let report = try jsonObject(json.output.utf8)
    #expect(report["passed"] as? Bool == false)
    #expect(report["count"] as? Int == 1000)
    #expect((report["accuracy"] as? Double).map { (0.9..<1).contains($0) } == true)
  }

  @Test("an accuracy that is met exactly exits with 0")
  func verdictIsYes() throws {
    let line = try CommandLine()
    let first = try line.netconv("verify", Self.lenet, "--limit", "100", "--json")
    let accuracy = try #require(try jsonObject(first.output.utf8)["accuracy"] as? Double)
    expectSuccess(
      try line.netconv(
        "verify", Self.lenet, "--limit", "100", "--min-accuracy", "\(accuracy)", "--quiet"))
  }

  @Test("a model that MNIST does not fit exits with 64 and says what to pass")
  func notMNIST() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    expectError(
      try line.netconv("verify", "blobs"), 64,
      "blobs: has input (6, 5, 2) and output (7), so the built-in MNIST test set (28x28 pixels, 10 "
        + "classes) does not fit; pass your own data with --images FILE --labels FILE")
    try line.folder.copy(Fixtures.path("keras/keras2-two-inputs.h5"), to: "two.h5")
    expectError(
      try line.netconv("verify", "two.h5"), 64,
      "two.h5: has the inputs 'left', 'right'; verify needs one input")
  }

  @Test("outputs that are no vector of classes are refused, whatever their number of values")
  func notClasses() throws {
    let line = try CommandLine()
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": [28, 28, 1]}], "outputs": ["y"],
       "layers": [
        {"name": "p", "operator": "AveragePooling2D", "inputs": ["x"],
         "attributes": {"poolSize": [14, 5], "strides": [14, 5]}},
        {"name": "y", "operator": "Identity", "inputs": ["p"]}]}
      """, to: "m/model.json")
    expectError(
      try line.netconv("verify", "m"), 64,
      "m: returns (2, 5, 1) for each image; verify needs one value for each class, such as (10)")
  }

  @Test("more classes than a confusion matrix is kept for")
  func manyClasses() throws {
    let line = try CommandLine()
    let classes = 100_000
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": [1], "scale": 1}], "outputs": ["d"],
       "layers": [
        {"name": "d", "operator": "Dense", "inputs": ["x"], "attributes": {"units": \(classes)},
         "parameters": [{"role": "kernel", "file": "k.bin", "dtype": "float32", "layout": "IO"}]}]}
      """, to: "m/model.json")
    try line.writeZeros(4 * classes, to: "m/k.bin")
    try line.folder.write(npy("|u1", "(5, 1)", [1, 2, 3, 4, 5]), to: "x.npy")
    try line.folder.write(npy("|u1", "(5,)", [0, 1, 2, 0, 4]), to: "y.npy")
    let result = try line.netconv(
      "verify", "m", "--images", "x.npy", "--labels", "y.npy", "--confusion")
    expectSuccess(result)
    #expect(result.output.contains("accuracy   0.4000 (2 right, "))
    #expect(result.output.hasSuffix("confusion  not shown for more than 1,000 classes\n"))
    let json = try line.netconv(
      "verify", "m", "--images", "x.npy", "--labels", "y.npy", "--json")
    let report = try jsonObject(json.output.utf8)
    #expect(report["count"] as? Int == 5 && report["correct"] as? Int == 2)
    #expect(report["confusion"] == nil)
  }

  @Test("parameters that no memory holds are refused before they are read")
  func hugeParameters() throws {
    let line = try CommandLine()
    // 4 TiB that take no space on the disk.
    try TinyModel.writeLarge(to: line, size: 1 << 20)
    let size = 1 << 20
    try line.folder.write(
      npy("|u1", "(1, \(size))", [UInt8](repeating: 0, count: size)), to: "in.npy")
    try line.folder.write(npy("|u1", "(1,)", [0]), to: "y.npy")
    for (engine, needed) in [("fast", "12 TiB"), ("reference", "16 TiB")] {
      for arguments in [
        ["run", "large", "--input", "in.npy"],
        ["verify", "large", "--images", "in.npy", "--labels", "y.npy"],
      ] {
        let result = try NetconvProcess.run(
          arguments + ["--engine", engine], in: line.folder.path)
        let start =
          "netconv: error: large: loading the parameters needs \(needed) of memory, and there are "
        #expect(result.errors.contains(start), "\(result.errors)")
        #expect(result.errors.hasSuffix("; run the model on a machine with more\n"))
        #expect(result.status == 64)
      }
    }
  }

  /// 64 images that Deep MNIST was run on in its own framework, written in every format.
  private struct Data {
    let line: CommandLine
    let expected: Int

    init() throws {
      line = try CommandLine()
      let stored = try arrays(Fixtures.path("deep-mnist/outputs.npz"))
      let images = try #require(stored["images"]).values.map { UInt8(($0 * 255).rounded()) }
      let labels = try #require(stored["labels"]).values.map { UInt8($0) }
      let outputs = try #require(stored["fc2"]).values
      expected = labels.indices.count { index in
        let row = Array(outputs[index * 10..<index * 10 + 10])
        return row.firstIndex(of: row.max() ?? 0) == Int(labels[index])
      }
      let sizes: [UInt8] = [0, 0, 0, 64, 0, 0, 0, 28, 0, 0, 0, 28]
      try line.folder.write([0, 0, 8, 3] + sizes + images, to: "images.idx")
      try line.folder.write([0, 0, 8, 4] + sizes + [0, 0, 0, 1] + images, to: "images4.idx")
      try line.folder.write([0, 0, 8, 1, 0, 0, 0, 64] + labels, to: "labels.idx")
      try line.folder.write(npy("|u1", "(64, 28, 28)", images), to: "images.npy")
      try line.folder.write(
        npy("<i8", "(64,)", labels.flatMap { [$0, 0, 0, 0, 0, 0, 0, 0] }), to: "labels.npy")
      try writeArchive(
        [
          ("x_test", NDArray(shape: [64, 28, 28], values: images.map { Float($0) / 255 })),
          ("y_test", NDArray(shape: [64], values: labels.map(Float.init))),
        ], to: line.folder.file("data.npz"))
      _ = try line.shell("gzip -k images.idx labels.idx")
    }
  }

  @Test("images and labels are read from IDX, gzip, .npy and .npz, to the same result")
  func formats() throws {
    let data = try Data()
    for (images, labels) in [
      ("images.idx", "labels.idx"), ("images4.idx", "labels.npy"),
      ("images.idx.gz", "labels.idx.gz"), ("images.npy", "labels.npy"), ("data.npz", nil),
    ] {
      let result = try NetconvProcess.run(
        ["verify", Fixtures.sample("deep-mnist/deep-mnist.h5"), "--json", "--images", images]
          + (labels.map { ["--labels", $0] } ?? []), in: data.line.folder.path)
      expectSuccess(result)
      let report = try jsonObject(result.output.utf8)
      #expect(report["count"] as? Int == 64, "\(images)")
      #expect(report["correct"] as? Int == data.expected, "\(images)")
      #expect(report["dataset"] as? String == images)
    }
  }

  @Test("data that does not fit together, or to the model, says what was found")
  func refused() throws {
    let data = try Data()
    let folder = data.line.folder
    try folder.write([0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3], to: "three.idx")
    try folder.write([0, 0, 8, 1, 0, 0, 0, 64] + [UInt8](repeating: 10, count: 64), to: "ten.idx")
    try folder.write([0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 5], to: "short.idx")
    try folder.write([0, 0, 13, 1, 0, 0, 0, 0], to: "floats.idx")
    try folder.write(npy("|u1", "(64, 2, 2)", [UInt8](repeating: 0, count: 256)), to: "small.npy")
    try folder.write(npy("<f4", "(1,)", [0, 0, 0xc0, 0x3f]), to: "half.npy")
    try folder.write(npy("|u1", "(1, 28, 28)", [UInt8](repeating: 0, count: 784)), to: "one.npy")
    try writeArchive(
      [("images", NDArray(shape: [1], values: [0]))], to: folder.file("other.npz"))
    let cases: [(String, String?, Int32, String)] = [
      (
        "images.idx", "three.idx", 65,
        "three.idx: there are 3 labels for 64 samples; pass the labels of these samples"
      ),
      (
        "images.idx", "ten.idx", 65,
        "ten.idx: there is a label 10, but the model has 10 classes, 0 to 9; count classes from 0, or pass data for this model"
      ),
      (
        "images.idx", "images.npy", 65,
        "images.npy: the labels have shape [64, 28, 28], expected one class per sample; save a number or a one-hot row for each"
      ),
      ("short.idx", "labels.idx", 65, "short.idx: holds 16 bytes, its header says 66"),
      (
        "floats.idx", "labels.idx", 65,
        "floats.idx: is IDX of type 0xd, expected unsigned bytes (0x8)"
      ),
      (
        "lenet/model.json", "labels.idx", 65,
        "lenet/model.json: is neither IDX (plain or gzip) nor .npy; pass images and labels in one of "
          + "these"
      ),
      (
        "one.npy", "half.npy", 65,
        "half.npy: the label 1.5 is not a class; classes are integers from 0, or one-hot rows"
          + "; for quantities pass --metric mae, mse, rmse or r2"
      ),
      (
        "small.npy", "labels.idx", 64,
        "small.npy: images of shape (2, 2) do not fit the model's input (28, 28, 1); pass samples of that shape"
      ),
      ("no.idx", "labels.idx", 66, "no.idx: no such file or folder; check the path"),
      ("images.idx", "no.idx", 66, "no.idx: no such file or folder; check the path"),
      (
        "other.npz", nil, 65,
        "other.npz: holds the arrays 'images', expected 'x_test' and 'y_test'; rename them"
      ),
    ]
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("lenet"), withDestinationPath: Self.lenet)
    for (images, labels, status, message) in cases {
      let result = try NetconvProcess.run(
        ["verify", "lenet", "--images", images] + (labels.map { ["--labels", $0] } ?? []),
        in: folder.path)
      expectError(result, status, message)
    }
  }
}
