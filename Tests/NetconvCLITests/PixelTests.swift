import Datasets
import Foundation
import ModelIR
import TestSupport
import Testing

/// The preprocessing of pixels before the network, and the messages about it.
@Suite("pixels")
struct PixelTests {
  private static let lenet = Fixtures.sample("lenet-blobs")
  private static let deepMNIST = Fixtures.sample("deep-mnist/deep-mnist.h5")

  // MARK: - The order of decisions

  /// 64 images that Deep MNIST was run on in its own framework.
  private struct Images {
    let line: CommandLine
    let bytes: [UInt8]
    let labels: [UInt8]

    init() throws {
      line = try CommandLine()
      let stored = try arrays(Fixtures.path("deep-mnist/outputs.npz"))
      bytes = try #require(stored["images"]).values.map { UInt8(($0 * 255).rounded()) }
      labels = try #require(stored["labels"]).values.map { UInt8($0) }
      try line.folder.write(npy("|u1", "(64,)", labels), to: "y.npy")
      try write("x.npy", "(64, 28, 28)", bytes)
    }

    func write(_ name: String, _ shape: String, _ bytes: [UInt8]) throws {
      try line.folder.write(npy("|u1", shape, bytes), to: name)
    }

    func write(_ name: String, _ shape: String, _ values: [Float]) throws {
      try line.folder.write(
        npy(
          "<f4", shape,
          values.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian) { Array($0) } }),
        to: name)
    }

    /// LeNet as a folder of its own, with another input and other layers in front.
    func writeLeNet(input: String, front: String? = nil) throws {
      try FileManager.default.copyItem(
        atPath: PixelTests.lenet, toPath: line.folder.file("lenet"))
      let data = Data(try line.folder.bytes("lenet/model.json"))
      var document = try #require(
        try JSONSerialization.jsonObject(with: data) as? [String: Any])
      document["inputs"] = try [JSONSerialization.jsonObject(with: Data(input.utf8))]
      if let front {
        let added = try #require(
          try JSONSerialization.jsonObject(with: Data(front.utf8)) as? [[String: Any]])
        var layers = try #require(document["layers"] as? [[String: Any]])
        layers[0]["inputs"] = [added.last?["name"] as? String ?? ""]
        document["layers"] = added + layers
      }
      try line.folder.write(
        Array(JSONSerialization.data(withJSONObject: document)), to: "lenet/model.json")
    }

    func verify(
      _ model: String, _ images: String = "x.npy", _ options: String...
    ) throws -> (correct: Int, pixels: String, errors: String) {
      let arguments = ["verify", model, "--images", images, "--labels", "y.npy"] + options
      let text = try NetconvProcess.run(arguments, in: line.folder.path)
      #expect(text.status == 0, "\(text.errors)")
      let json = try NetconvProcess.run(arguments + ["--json"], in: line.folder.path)
      let report = try jsonObject(json.output.utf8)
      let pixels = try #require(report["pixels"] as? [String: Any])
      let lines = text.output.split(separator: "\n").filter { $0.hasPrefix("pixels     ") }
      #expect(lines == ["pixels     \(pixels["text"] as? String ?? "")"])
      let warnings = try #require(pixels["warnings"] as? [String])
      #expect(text.errors == warnings.map { "netconv: warning: \($0)\n" }.joined())
      return (
        report["correct"] as? Int ?? -1, lines.joined().dropFirst(11).description, text.errors
      )
    }
  }

  private static let plainInput = #"{"name": "image", "shape": [28, 28, 1]}"#

  @Test("bytes are multiplied by 1/255, floats are used as they are, and both are right")
  func bytesAndFloats() throws {
    let images = try Images()
    let bytes = try images.verify(Self.deepMNIST)
    #expect(bytes.correct >= 62)
    #expect(bytes.pixels == "multiplied by 1/255 (bytes, and the model records no scale)")
    #expect(bytes.errors == "")
    try images.write("f.npy", "(64, 28, 28)", images.bytes.map { Float($0) / 255 })
    let floats = try images.verify(Self.deepMNIST, "f.npy")
    #expect(floats.correct == bytes.correct)
    #expect(floats.pixels == "as they are (floats, and the model records no scale)")
    #expect(floats.errors == "")
    let named = try images.verify(Self.deepMNIST, "f.npy", "--scale", "1", "--offset", "0.25")
    #expect(named.pixels == "plus 0.25 (--scale and --offset)")
  }

  @Test("floats that exceed 1.5, and bytes that never exceed 1, are warned of")
  func suspicious() throws {
    let images = try Images()
    try images.write("f.npy", "(64, 28, 28)", images.bytes.map { Float($0) })
    let floats = try images.verify(Self.deepMNIST, "f.npy")
    #expect(
      floats.errors
        == "netconv: warning: the pixels are floats up to 255, and were not scaled; if the "
        + "network expects 0 to 1, pass --scale, or save them as bytes\n")
    #expect(try images.verify(Self.deepMNIST, "f.npy", "--scale", "0.0039").errors == "")
    try images.write("b.npy", "(64, 28, 28)", images.bytes.map { $0 > 127 ? UInt8(1) : 0 })
    #expect(
      try images.verify(Self.deepMNIST, "b.npy").errors
        == "netconv: warning: no pixel exceeds 1, although they are integers; if they are scaled already, "
        + "pass --scale 1\n")
    #expect(try images.verify(Self.deepMNIST, "b.npy", "--scale", "1").errors == "")
  }

  @Test("what the model records is for integers; that floats were left alone is warned of")
  func recorded() throws {
    let images = try Images()
    let bytes = try images.verify(Self.lenet)
    #expect(bytes.correct >= 62)
    #expect(bytes.pixels == "multiplied by 1/255 (as the model records)")
    try images.write("f.npy", "(64, 28, 28)", images.bytes.map { Float($0) / 255 })
    let floats = try images.verify(Self.lenet, "f.npy")
    #expect(floats.correct == bytes.correct)
    #expect(floats.pixels == "as they are (floats; what the model records is for integers)")
    #expect(
      floats.errors
        == "netconv: warning: the model records for pixels: multiplied by 1/255; that is for integers, "
        + "and was not applied to these floats\n")
  }

  @Test(
    "a network that begins with its own Rescaling gets pixels as they are, behind a padding too")
  func ownLayer() throws {
    let images = try Images()
    let expected = try images.verify(Self.lenet).correct
    try images.writeLeNet(
      input: #"{"name": "image", "shape": [26, 26, 1]}"#,
      front: """
        [{"name": "pad", "operator": "ZeroPadding2D", "inputs": ["image"],
          "attributes": {"padding": [[1, 1], [1, 1]]}},
         {"name": "same", "operator": "Identity", "inputs": ["pad"]},
         {"name": "own", "operator": "Rescaling", "inputs": ["same"],
          "attributes": {"scale": [0.00392156862745098]}}]
        """)
    // The margins of these images are empty.
    let inner = images.bytes.indices.filter {
      (1...26).contains($0 / 28 % 28) && (1...26).contains($0 % 28)
    }
    try images.write("inner.npy", "(64, 26, 26)", inner.map { images.bytes[$0] })
    let found = try images.verify("lenet", "inner.npy")
    #expect(found.correct == expected)
    #expect(found.pixels == "as they are (the network begins with its own Rescaling 'own')")
    #expect(found.errors == "")
    try images.write("f.npy", "(64, 26, 26)", inner.map { Float(images.bytes[$0]) / 255 })
    #expect(
      try images.verify("lenet", "f.npy").errors
        == "netconv: warning: no pixel exceeds 1, and the network begins with its own Rescaling 'own', "
        + "which expects larger ones; they may be scaled twice\n")
  }

  @Test("raw blobs that record nothing are run on a guess, and say so; an empty list is a record")
  func guessed() throws {
    let images = try Images()
    try images.writeLeNet(input: Self.plainInput)
    let found = try images.verify("lenet")
    #expect(found.pixels == "multiplied by 1/255 (bytes, and the model records no scale)")
    let warning =
      "netconv: warning: model.json records no scale; that pixels are multiplied by 1/255 is a guess; "
      + "record \"scale\" or \"preprocessing\" there, or pass --scale\n"
    #expect(found.errors == warning)
    expectSuccess(try images.line.netconv("convert", "lenet", "out", "--quiet"))
    #expect(try images.verify("out").errors == warning)
    try images.line.replace(
      #""shape""#, with: #""preprocessing":[],"shape""#, in: "lenet/model.json")
    let recorded = try images.verify("lenet")
    #expect(recorded.pixels == "as they are (as the model records)")
    #expect(recorded.errors == "")
  }

  // MARK: - Shapes

  @Test("images of another shape with as many values are refused, and the call that helps is named")
  func otherShapes() throws {
    let images = try Images()
    let folder = images.line.folder
    try folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": [4, 2, 3], "scale": 1}], "outputs": ["y"],
       "layers": [{"name": "y", "operator": "Flatten", "inputs": ["x"]}]}
      """, to: "m/model.json")
    try folder.write(npy("|u1", "(1,)", [2]), to: "y.npy")
    let cases = [
      (
        "(1, 3, 4, 2)", "images of shape (3, 4, 2)",
        "; the channels are first: move them last with numpy.moveaxis(x, 1, -1)"
      ),
      ("(1, 2, 4, 3)", "images of shape (2, 4, 3)", "; pass samples of that shape"),
      ("(1, 8, 3)", "images of shape (8, 3)", "; pass samples of that shape"),
      (
        "(1, 24)", "images of shape (24)",
        "; if they are flattened row by row, numpy.reshape(x, (-1, 4, 2, 3)) reshapes them"
      ),
    ]
    for (shape, found, hint) in cases {
      try images.write("x.npy", shape, Array(0..<24))
      expectError(
        try images.line.netconv("verify", "m", "--images", "x.npy", "--labels", "y.npy"), 64,
        "x.npy: \(found) do not fit the model's input (4, 2, 3)\(hint)")
    }
    try images.write("x.npy", "(1, 3, 4, 2)", Array(0..<24))
    expectError(
      try images.line.netconv("run", "m", "--input", "x.npy"), 64,
      "x.npy: the array for the input 'x' has shape (1, 3, 4, 2), expected (None, 4, 2, 3), where the "
        + "first axis is the batch; the channels are first: move them last with numpy.moveaxis(x, 1, "
        + "-1)")
    try images.write("x.npy", "(1, 4, 2, 3)", Array(0..<24))
    expectSuccess(
      try images.line.netconv("verify", "m", "--images", "x.npy", "--labels", "y.npy", "-q"))
  }

  @Test("a plain vector takes images row by row, and an axis of one channel may be missing")
  func vectors() throws {
    let line = try CommandLine()
    try line.folder.write(npy("|u1", "(2,)", [2, 5]), to: "y.npy")
    for (input, images) in [
      ("[6]", "(2, 2, 3)"), ("[6]", "(2, 1, 2, 3)"), ("[null]", "(2, 2, 3)"),
      ("[2, 3, 1]", "(2, 2, 3)"), ("[2, 3]", "(2, 2, 3, 1)"), ("[1, 2, 3]", "(2, 2, 3)"),
    ] {
      try line.folder.write(
        """
        {"format": "netconv-model", "version": 1, "name": "m",
         "inputs": [{"name": "x", "shape": \(input), "scale": 1}], "outputs": ["y"],
         "layers": [{"name": "y", "operator": "\(input == "[null]" ? "Identity" : "Flatten")", "inputs": ["x"]}]}
        """, to: "m/model.json")
      // The largest value stands where the label says.
      try line.folder.write(
        npy("|u1", images, [0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 9]), to: "x.npy")
      guard input != "[null]" else { continue }
      let result = try line.netconv("verify", "m", "--images", "x.npy", "--labels", "y.npy")
      expectSuccess(result)
      #expect(result.output.contains("accuracy   1.0000"), "\(input) \(images)")
    }
  }

  @Test("images that are not finite are refused; run counts them")
  func notFinite() throws {
    let images = try Images()
    var values = images.bytes.map { Float($0) / 255 }
    values[784 * 3 + 5] = .nan
    values[784 * 7] = .infinity
    try images.write("f.npy", "(64, 28, 28)", values)
    expectError(
      try images.line.netconv(
        "verify", Self.deepMNIST, "--images", "f.npy", "--labels", "y.npy"), 65,
      "f.npy: sample 3 holds nan, and 2 values are not finite in all; check the program that wrote them"
    )
    try images.write("g.npy", "(64, 28, 28, 1)", values)
    let run = try images.line.netconv("run", Self.lenet, "--input", "g.npy", "--json")
    #expect(run.status == 0)
    #expect(
      run.errors
        == "netconv: warning: the input 'image' holds 2 values that are not finite\n")
    let inputs = try #require(try jsonObject(run.output.utf8)["inputs"] as? [[String: Any]])
    #expect(inputs.map { $0["nonFinite"] as? Int } == [2])
  }

  // MARK: - run

  @Test("run prepares bytes as verify does, and feeds floats as they stand")
  func run() throws {
    let images = try Images()
    try images.write("b.npy", "(64, 28, 28, 1)", images.bytes)
    try images.write("f.npy", "(64, 28, 28, 1)", images.bytes.map { Float($0) / 255 })
    func outputs(_ arguments: String...) throws -> (text: String, values: [Float]) {
      let result = try NetconvProcess.run(
        ["run", Self.lenet, "--output", "o.npz"] + arguments, in: images.line.folder.path)
      expectSuccess(result)
      let values = try #require(try arrays(images.line.folder.file("o.npz"))["fc2"]).values
      try FileManager.default.removeItem(atPath: images.line.folder.file("o.npz"))
      let first = result.output.split(separator: "\n").first.map(String.init)
      return (first ?? "", values)
    }
    let floats = try outputs("--input", "f.npy")
    #expect(
      floats.text == "pixels     as they are (floats; what the model records is for integers)")
    let bytes = try outputs("--input", "b.npy")
    #expect(bytes.text == "pixels     multiplied by 1/255 (as the model records)")
    // A product and a quotient differ in their last bit.
    #expect(relativeDifference(bytes.values, floats.values) < 1e-5)
    let raw = try outputs("--input", "b.npy", "--scale", "1")
    #expect(raw.text == "pixels     as they are (--scale)")
    // A thousand times what a last bit may make.
    #expect(relativeDifference(raw.values, floats.values) > 1e-2)
  }

  @Test("run warns of floats that look as if a record had been forgotten")
  func forgotten() throws {
    let images = try Images()
    try images.write("f.npy", "(64, 28, 28, 1)", images.bytes.map { Float($0) })
    let result = try images.line.netconv("run", Self.lenet, "--input", "f.npy")
    #expect(
      result.errors
        == "netconv: warning: the model records for pixels: multiplied by 1/255; that is for integers, "
        + "and was not applied to these floats\n")
    #expect(result.status == 0)
  }
}
