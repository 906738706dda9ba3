import Datasets
import Foundation
import ModelIR
import TestSupport
import Testing

@Suite("run")
struct RunTests {
  private static let deepMNIST = Fixtures.sample("deep-mnist/deep-mnist.h5")

  @Test("gives the predictions of the framework that trained the model, within 1e-5")
  func predictions() throws {
    let line = try CommandLine()
    let stored = try arrays(Fixtures.path("deep-mnist/outputs.npz"))
    let images = try #require(stored["images"])
    try writeArchive(
      [("images", NDArray(shape: images.shape, values: images.values))],
      to: line.folder.file("images.npz"))
    expectSuccess(try line.netconv("convert", Self.deepMNIST, "out", "--quiet"))
    for engine in ["fast", "reference"] {
      expectSuccess(
        try line.netconv(
          "run", "out", "--input", "images.npz", "--output", "\(engine).npz", "--engine", engine))
      let found = try #require(try arrays(line.folder.file("\(engine).npz"))["fc2"])
      let expected = try #require(stored["fc2"])
      #expect(found.shape == expected.shape)
      // Probabilities; one rounding per addition of 3136 products stays far below.
      #expect(zip(found.values, expected.values).allSatisfy { abs($0 - $1) < 1e-5 })
    }
  }

  private func line() throws -> CommandLine {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    try line.folder.write(zeros("(3, 6, 5, 2)", 180), to: "in.npy")
    return line
  }

  private func zeros(_ shape: String, _ count: Int) -> [UInt8] {
    npy("<f4", shape, [UInt8](repeating: 0, count: 4 * count))
  }

  @Test("writes outputs and the layers that were asked for, under their names")
  func layers() throws {
    let line = try line()
    let result = try line.netconv(
      "run", "blobs", "--input", "in.npy", "--output", "out.npz", "--layer", "conv", "--layer",
      "flatten", "--layer", "fc")
    expectSuccess(result)
    #expect(result.output.hasSuffix("written to out.npz\n"))
    let written = try arrays(line.folder.file("out.npz"))
    #expect(
      written.mapValues(\.shape) == ["fc": [3, 7], "conv": [3, 4, 4, 4], "flatten": [3, 64]])
  }

  @Test("an output that is listed twice is written twice")
  func outputTwice() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/bindings/twice.h5"), to: "twice.h5")
    try line.folder.write(
      npy("<f4", "(1, 4)", littleEndian([1, -2, 3, 0.5] as [Float])), to: "in.npy")
    expectSuccess(
      try line.netconv("run", "twice.h5", "--input", "in.npy", "--output", "out.npz"))
    let written = try arrays(line.folder.file("out.npz"))
    #expect(written.mapValues(\.shape) == ["fc": [1, 3], "fc:1": [1, 3]])
    #expect(written["fc"]?.values == written["fc:1"]?.values)
    let single = try line.netconv("run", "twice.h5", "--input", "in.npy", "--output", "out.npy")
    #expect(single.status == 64)
    #expect(single.errors.contains("there are 2 outputs: 'fc', 'fc'"))
  }

  @Test("--repeat reports the median time")
  func repeated() throws {
    let line = try line()
    let result = try line.netconv("run", "blobs", "--input", "in.npy", "--repeat", "3", "--json")
    expectSuccess(result)
    let report = try jsonObject(result.output.utf8)
    #expect((report["medianMilliseconds"] as? Double).map { $0 >= 0 } == true)
    #expect(report["batch"] as? Int == 3)
  }

  @Test("arrays that do not fit are refused with the name of their file")
  func wrongArrays() throws {
    let line = try line()
    let folder = line.folder
    try folder.write(zeros("(3, 5, 6, 2)", 180), to: "turned.npy")
    try folder.write(zeros("(60,)", 60), to: "flat.npy")
    try folder.write(zeros("()", 1), to: "scalar.npy")
    try folder.write(npy("<U1", "(1,)", [65, 0, 0, 0]), to: "text.npy")
    try folder.write(zeros("(3, 6, 5, 2)", 179), to: "short.npy")
    try folder.write("no array", to: "text.txt")
    try writeArchive([], to: folder.file("none.npz"))
    let array = NDArray(shape: [1, 6, 5, 2], values: [Float](repeating: 0, count: 60))
    try writeArchive([("a", array), ("b", array)], to: folder.file("two.npz"))
    let cases: [(String, Int32, String)] = [
      (
        "turned.npy", 64,
        "the array for the input 'image' has shape (3, 5, 6, 2), expected (None, 6, 5, 2), where the "
          + "first axis is the batch"
      ),
      (
        "flat.npy", 64,
        "the array for the input 'image' has shape (60), expected (None, 6, 5, 2), where the first "
          + "axis is the batch"
      ),
      (
        "scalar.npy", 65,
        "tensor 'image': has shape (), expected the batch as its first axis; x[numpy.newaxis] adds one"
      ),
      ("text.npy", 65, "holds values of type '<U1', expected numbers such as '<f4' or '|u1'"),
      ("short.npy", 65, "holds 792 bytes, its header says 796"),
      (
        "text.txt", 65,
        "is neither .npy nor .npz; write it with numpy.save or numpy.savez"
      ),
      (
        "none.npz", 64,
        "there is no array for the input 'image'; found none; give one array that name"
      ),
      (
        "two.npz", 64,
        "holds 2 arrays, but the model has 1 input, 'image'; name the arrays like the inputs, "
          + "or leave out the others"
      ),
      ("no.npy", 66, "no such file or folder; check the path"),
      ("blobs", 66, "is a folder, expected a file"),
    ]
    for (file, status, message) in cases {
      expectError(
        try line.netconv("run", "blobs", "--input", file), status, "\(file): \(message)")
    }
  }

  @Test("arrays go to the inputs of their name, whatever their order")
  func names() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/keras2-two-inputs.h5"), to: "m.h5")
    let stored = try arrays(Fixtures.path("keras/keras2-two-inputs.npz"))
    let inputs = try ["right", "left"].map { name in
      let array = try #require(stored[name])
      return (name, NDArray(shape: array.shape, values: array.values))
    }
    let other = NDArray(shape: [1], values: [Float(0)])
    try writeArchive(inputs + [("other", other)], to: line.folder.file("in.npz"))
    expectSuccess(
      try line.netconv("run", "m.h5", "--input", "in.npz", "--output", "out.npz"))
    let found = try arrays(line.folder.file("out.npz"))
    for name in ["kind", "size"] {
      let values = try #require(found[name]).values
      #expect(relativeDifference(values, try #require(stored[name]).values) < 1e-5)
    }
    try writeArchive([inputs[0]], to: line.folder.file("one.npz"))
    expectError(
      try line.netconv("run", "m.h5", "--input", "one.npz"), 64,
      "one.npz: there is no array for the input 'left'; found 'right'; give one array that name")
  }

  @Test(
    "layers called behind a flatten and elsewhere give Keras's predictions, converted too",
    arguments: ["keras2-shared-flatten", "keras3-shared-flatten"])
  func sharedBehindFlatten(fixture: String) throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/\(fixture).h5"), to: "m.h5")
    let stored = try arrays(Fixtures.path("keras/\(fixture).npz"))
    let inputs = try ["image", "turned", "vector"].map { name in
      let array = try #require(stored[name])
      return (name, NDArray(shape: array.shape, values: array.values))
    }
    try writeArchive(inputs, to: line.folder.file("in.npz"))
    expectSuccess(try line.netconv("convert", "m.h5", "out", "--quiet"))
    for (source, engine) in [("out", "fast"), ("out/model.netpack", "reference")] {
      expectSuccess(
        try line.netconv(
          "run", source, "--input", "in.npz", "--output", "y.npz", "--engine", engine, "--force"))
      let found = try #require(try arrays(line.folder.file("y.npz"))["all"])
      #expect(relativeDifference(found.values, try #require(stored["all"]).values) < 1e-5)
    }
    // What one flatten hides is written for all calls; unlike flattens hide nothing.
    let layouts = try #require(
      try jsonObject(try line.folder.bytes("out/manifest.json"))["tensors"] as? [[String: Any]])
    let shapes = Dictionary(
      uniqueKeysWithValues: layouts.map { ($0["name"] as? String ?? "", $0["shape"] as? [Int]) })
    #expect(shapes["once_W"] == [7, 4, 3, 2])
    #expect(shapes["both_W"] == [5, 1, 1, 24])
  }

  @Test("numbers are shown with four digits, also where rounding carries to the next power")
  func digits() throws {
    let line = try CommandLine()
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": [2]}], "outputs": ["y"],
       "layers": [{"name": "y", "operator": "Identity", "inputs": ["x"]}]}
      """, to: "m/model.json")
    for (low, high, text) in [
      (9.9999e-7, 9.9999, "1.000e-6  10.00"), (9.9994e-7, 9.9994, "9.999e-7  9.999"),
      (9.9996e-5, 999_999, "0.0001000  1.000e6"), (-9.9999e8, 0.1, "-1.000e9  0.1000"),
      (-9999.96, 99_999.6, " -10000  100000"),
    ] as [(Float, Float, String)] {
      let bytes = littleEndian([low, high])
      try line.folder.write(npy("<f4", "(1, 2)", bytes), to: "in.npy")
      let result = try line.netconv("run", "m", "--input", "in.npy")
      #expect(
        result.output.split(separator: "\n").last?.hasSuffix("\(text)           0") == true,
        "\(result.output)")
    }
  }

  @Test("an unknown layer exits with 64")
  func unknownLayer() throws {
    let line = try line()
    for name in ["conv9", "image"] {
      expectError(
        try line.netconv("run", "blobs", "--input", "in.npy", "--layer", name), 64,
        "blobs: there is no layer '\(name)'; netconv inspect lists them")
    }
  }
}
