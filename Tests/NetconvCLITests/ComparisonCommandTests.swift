import Datasets
import Files
import Foundation
import ModelIR
import TestSupport
import Testing

@Suite("netconv verify --against and --reference")
struct ComparisonCommandTests {
  private static let lenet = Fixtures.sample("lenet-blobs")

  /// LeNet with its description changed.
  private func lenet(
    in folder: TemporaryFolder, replacing text: String, with other: String
  ) throws -> String {
    try folder.copy(Self.lenet, to: "lenet")
    let document = try String(contentsOfFile: folder.file("lenet/model.json"), encoding: .utf8)
    try #require(document.contains(text))
    try folder.write(document.replacing(text, with: other), to: "lenet/model.json")
    return folder.file("lenet")
  }

  @Test("a flatten in another order is named, with what to change")
  func flattenOrder() throws {
    let folder = try TemporaryFolder()
    let wrong = try lenet(in: folder, replacing: "(IHW)O", with: "(HWI)O")
    let result = try NetconvProcess.run(
      ["verify", wrong, "--against", Self.lenet, "--limit", "100"])
    #expect(result.status == 1)
    #expect(
      result.errors == """
        netconv: 'fc1' is the first layer that differs from the reference
          fc1: kernel is (IHW)O read as (HWI)O: the flatten was in C, H, W order
            declare the layout (IHW)O in the source, or write them as (HWI)O

        """)
    #expect(result.output.contains("layers     1 of 8 beyond their tolerance"))
  }

  @Test(
    "values that lie elsewhere, and a bias that does nothing, are said so that what to do follows",
    arguments: [
      (
        [Float(0)], 0, "bias is stored 1 value later in its file than it was read",
        "read bias 1 value later"
      ),
      (
        [], 1, "bias is stored 1 value earlier in its file than it was read",
        "read bias 1 value earlier"
      ),
      ([], 4, "bias is 0 everywhere", "write bias"),
    ])
  func bias(before: [Float], dropped: Int, finding: String, advice: String) throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    try line.folder.copy(line.folder.file("blobs"), to: "wrong")
    let bytes = try line.folder.bytes("blobs/conv_b.bin")
    let shifted = [UInt8](repeating: 0, count: 4 * before.count) + bytes.dropFirst(4 * dropped)
    try line.folder.write(
      Array((shifted + [UInt8](repeating: 0, count: 16)).prefix(16)), to: "wrong/conv_b.bin")
    let result = try line.netconv("verify", "wrong", "--against", "blobs")
    #expect(result.status == 1)
    #expect(
      result.errors == """
        netconv: 'conv' is the first layer that differs from the reference
          conv: \(finding)
            \(advice)

        """)
  }

  @Test("the right model agrees, layer by layer and image by image")
  func agreement() throws {
    let folder = try TemporaryFolder()
    _ = try NetconvProcess.run(["convert", Self.lenet, folder.file("out")])
    let result = try NetconvProcess.run([
      "verify", folder.file("out"), "--against", Self.lenet, "--limit", "100", "--min-agreement",
      "1",
    ])
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(
      result.output.contains("agreement  1.0000 of the predictions are the same; none flipped"))
    #expect(result.output.contains("layers     all 8 are within their tolerance"))
    #expect(
      result.output.contains("end to end fc2: max abs 0, mean abs 0, cosine 1.000000000"))
  }

  @Test("a scale of the pixels that is missing shows at the input")
  func inputScale() throws {
    let folder = try TemporaryFolder()
    let document = try String(contentsOfFile: "\(Self.lenet)/model.json", encoding: .utf8)
    let recorded = try #require(document.firstMatch(of: #/"scale"\s*:\s*[0-9.e-]+/#)).output
    let wrong = try lenet(in: folder, replacing: String(recorded), with: "\"scale\": 1")
    let result = try NetconvProcess.run([
      "verify", wrong, "--against", Self.lenet, "--limit", "100", "--min-agreement", "0.99",
    ])
    #expect(result.status == 1)
    #expect(
      result.errors.contains(
        """
        netconv: 'image' is the first layer that differs from the reference
          image: the pixels are not scaled: a scale of 1/255 is missing
            multiply the pixels by 1/255
        """))
  }

  @Test("predictions that flip are listed, and count against --min-agreement")
  func flips() throws {
    let folder = try TemporaryFolder()
    let wrong = try lenet(in: folder, replacing: "(IHW)O", with: "(HWI)O")
    let result = try NetconvProcess.run([
      "verify", wrong, "--against", Self.lenet, "--limit", "100", "--min-agreement", "0.9",
    ])
    #expect(result.status == 1)
    #expect(result.errors.contains("is below the 0.9 asked for"))
    #expect(result.output.contains("  image  label  was"))
  }

  // MARK: - Saved activations

  /// A network with its own activations, saved as another framework would.
  private func saved(
    _ change: (inout [(name: String, array: NDArray<Float>)]) -> Void = { _ in },
    in folder: TemporaryFolder
  ) throws -> String {
    var random = SystemRandomNumberGenerator()
    let image = NDArray<Float>(
      shape: [2, 28, 28, 1],
      values: (0..<1568).map { _ in Float.random(in: 0..<1, using: &random) })
    try Data(NumpyArray.encode(image)).write(to: URL(filePath: folder.file("image.npy")))
    let run = try NetconvProcess.run([
      "run", Self.lenet, "--input", folder.file("image.npy"), "--layer", "conv1", "--layer", "fc1",
      "--output", folder.file("run.npz"), "--force",
    ])
    try #require(run.status == 0, "\(run.errors)")
    var all: [(name: String, array: NDArray<Float>)] = [("image", image)]
    for (name, array) in try arrays(folder.file("run.npz")).sorted(by: { $0.key < $1.key }) {
      all.append((name, NDArray(shape: array.shape, values: array.values)))
    }
    change(&all)
    let path = folder.file("activations.npz")
    try? FileManager.default.removeItem(atPath: path)
    try NumpyArchive.write(all, to: try OutputFile(creating: path))
    return path
  }

  @Test("activations of a part of the layers are enough")
  func activations() throws {
    let folder = try TemporaryFolder()
    let path = try saved(in: folder)
    let result = try NetconvProcess.run(["verify", Self.lenet, "--reference", path])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("not compared: pool1, conv2, pool2, flatten"))
    #expect(result.output.contains("layers     all 4 are within their tolerance"))
  }

  @Test("activations name the layer and the mistake without the source")
  func wrongActivations() throws {
    let folder = try TemporaryFolder()
    let path = try saved(in: folder)
    let wrong = try lenet(in: folder, replacing: "(IHW)O", with: "(HWI)O")
    let result = try NetconvProcess.run(["verify", wrong, "--reference", path])
    #expect(result.status == 1)
    #expect(
      result.errors.contains(
        "  fc1: kernel is (IHW)O read as (HWI)O: the flatten was in C, H, W order"))
  }

  @Test("bad references are refused with what to do")
  func badReferences() throws {
    let folder = try TemporaryFolder()
    let check = {
      (change: @escaping (inout [(name: String, array: NDArray<Float>)]) -> Void, text: String) in
      let path = try saved(change, in: folder)
      let result = try NetconvProcess.run(["verify", Self.lenet, "--reference", path])
      #expect(result.status == 65)
      #expect(result.errors == "netconv: error: \(path): \(text)\n")
    }
    try check(
      { $0[1].name = "convolution" },
      "holds 1 array without a layer of that name; the model 'lenet' has the layers that netconv "
        + "inspect lists\n  'convolution'")
    try check(
      { $0.removeFirst() },
      "lacks the values of the input 'image'; save the network's inputs under that name")
    try check(
      { $0 = [$0[0]] },
      "holds inputs, but no layer's output; save some under the layers' names")
    try check(
      { $0[1].array = $0[1].array.reshaped([2, 8, 24, 26]) },
      "layer 'conv1': has shape (2, 8, 24, 26), expected (2, 24, 26, 8); the channels are first: "
        + "move them last with numpy.moveaxis(x, 1, -1)")
    try check(
      { $0[1].array.values[5] = .nan },
      "layer 'conv1': holds nan at index 5; a reference has to be finite, so look for the layer "
        + "where that begins")
  }

  @Test(
    "wrong usage",
    arguments: [
      (
        ["--against", "a", "--reference", "b"],
        "--against and --reference exclude each other; pass one"
      ),
      (["--min-agreement", "0.9"], "--min-agreement needs --against"),
      (
        ["--against", "a", "--min-agreement", "2"],
        "--min-agreement 2.0 is not a fraction from 0 to 1; 99 % is 0.99"
      ),
      (["--against", "a", "--samples", "0"], "--samples 0 is less than 1"),
      (["--against", "a", "--tolerance", "-1"], "--tolerance"),
    ])
  func usage(arguments: [String], text: String) throws {
    let result = try NetconvProcess.run(["verify", Self.lenet] + arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains(text))
  }

  @Test("outputs with other names are compared by their order, and never none at all")
  func otherOutputs() throws {
    let line = try CommandLine()
    for (name, outputs, function) in [
      ("a", ["act"], "tanh"), ("b", ["out"], "tanh"), ("c", ["out"], "relu"),
      ("d", ["one", "two"], "tanh"),
    ] {
      let layers = outputs.map {
        #"{"name": "\#($0)", "operator": "Activation", "inputs": ["image"], "attributes": {"function": "\#(function)"}}"#
      }
      try line.folder.write(
        """
        {"format": "netconv-model", "version": 1, "name": "\(name)", "outputs": \(outputs),
         "inputs": [{"name": "image", "shape": [6, 4, 3]}], "layers": [\(layers.joined(separator: ", "))]}
        """, to: "\(name)/model.json")
    }
    let equal = try line.netconv("verify", "b", "--against", "a")
    #expect(equal.status == 0)
    #expect(equal.output.contains("out (act)") && equal.output.contains("end to end out"))
    let different = try line.netconv("verify", "c", "--against", "a")
    #expect(different.status == 1)
    #expect(different.errors.contains("'out' is the first layer that differs from the reference"))
    let none = try line.netconv("verify", "d", "--against", "a")
    #expect(none.status == 65)
    #expect(none.errors.contains("no output can be compared: the outputs here are 'one', 'two'"))
  }

  @Test("another network cannot be fed alike")
  func otherInputs() throws {
    let other = Fixtures.path("keras/keras2-two-inputs.h5")
    let result = try NetconvProcess.run(["verify", Self.lenet, "--against", other])
    #expect(result.status == 64)
    #expect(result.errors.contains("name a network with the same inputs"))
  }
}
