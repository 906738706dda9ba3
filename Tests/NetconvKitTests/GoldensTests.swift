import Digests
import Documents
import Foundation
import ModelIR
import NetconvKit
import TestSupport
import Testing

@Suite("Goldens")
struct GoldensTests {
  private func converted(
    _ source: String, samples: Int = 2, to name: String = "out",
    _ change: (inout ConvertRequest) -> Void = { _ in }
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var request = ConvertRequest(source: source, destination: folder.file(name))
    request.goldens = GoldensRequest(samples: samples)
    change(&request)
    _ = try Netconv.convert(request)
    return folder
  }

  private func document(_ folder: TemporaryFolder) throws -> GoldensDocument {
    try JSONDocument.decode(
      GoldensDocument.self, from: try folder.bytes("out/goldens/goldens.json"))
  }

  @Test("Deep MNIST is within its goldens, as folder and as archive, in either precision")
  func deepMNIST() throws {
    let source = Fixtures.sample("deep-mnist/deep-mnist.h5")
    let folder = try converted(source)
    let goldens = try document(folder)
    #expect(goldens.origin == "mnist")
    #expect(goldens.samples == 2)
    // 28 x 28 x 32 values are too many, ten are not.
    let conv1 = try #require(goldens.layers.first { $0.name == "conv1" })
    #expect(conv1.shape == [28, 28, 32])
    #expect(conv1.positions?.count == 64)
    #expect(conv1.statistics?.count == 2)
    let last = try #require(goldens.layers.last)
    #expect(last.shape == [10])
    #expect(last.positions == nil)
    // The first two images show a 7 and a 2.
    let values = try folder.bytes("out/goldens/outputs.bin").withUnsafeBytes { bytes in
      (0..<20).map { (index: Int) -> Float in
        let bits = bytes.loadUnaligned(fromByteOffset: last.offset + 4 * index, as: UInt32.self)
        return Float(bitPattern: UInt32(littleEndian: bits))
      }
    }
    #expect(values[..<10].firstIndex(of: values[..<10].max() ?? 0) == 7)
    #expect((values[10...].firstIndex(of: values[10...].max() ?? 0) ?? 0) - 10 == 2)

    let archive = try converted(source, to: "out.netpack")
    for path in [folder.file("out"), folder.file("out/model.netpack"), archive.file("out.netpack")]
    {
      for precision in Precision.allCases {
        for engine in EngineKind.allCases {
          let report = try Netconv.verifyGoldens(path, engine: engine, precision: precision)
          #expect(report.passed, "\(path) \(precision) \(engine)")
          #expect(report.layers.count == goldens.layers.count)
        }
      }
    }
  }

  @Test("kernels in half precision have goldens of their own")
  func halfKernels() throws {
    let folder = try converted(Fixtures.sample("lenet-blobs"), samples: 1) {
      $0.elementType = .float16
    }
    let report = try Netconv.verifyGoldens(folder.file("out"))
    #expect(report.passed)
    // What rounding a kernel changes would be far beyond.
    let last = try #require(report.layers.last)
    #expect(try #require(last.tolerance) < 1e-4)
  }

  @Test("inputs from a file are taken in their order, as many as asked for")
  func inputsFromFile() throws {
    let folder = try converted(Fixtures.path("keras/keras3-two-inputs.h5")) {
      $0.goldens = GoldensRequest(
        samples: 1, inputs: Fixtures.path("keras/keras3-two-inputs.npz"))
    }
    let goldens = try document(folder)
    #expect(goldens.origin == "file")
    #expect(goldens.samples == 1)
    #expect(try Netconv.verifyGoldens(folder.file("out")).passed)
  }

  @Test("the same model gives the same bytes; another engine level does not matter")
  func determinism() throws {
    let folder = try TemporaryFolder()
    let source = Fixtures.path("keras/keras3-residual.h5")
    var files: [[String: [UInt8]]] = []
    for level in ["base", "v3", ""] {
      let result = try NetconvProcess.run(
        ["convert", source, "out\(level)", "--goldens", "3", "--quiet"],
        environment: level.isEmpty ? [:] : ["NETCONV_CPU": level], in: folder.path)
      #expect(result.status == 0, "\(result.errors)")
      var bytes: [String: [UInt8]] = [:]
      for name in ["goldens.json", "inputs.bin", "outputs.bin"] {
        bytes[name] = try folder.bytes("out\(level)/goldens/\(name)")
      }
      files.append(bytes)
    }
    #expect(files[0] == files[1])
    #expect(files[0] == files[2])
  }

  /// Replaces four bytes of the goldens' values and makes all hashes right again.
  private func change(_ folder: TemporaryFolder, at offset: Int, to value: Float) throws {
    var values = try folder.bytes("out/goldens/outputs.bin")
    withUnsafeBytes(of: value.bitPattern.littleEndian) {
      values.replaceSubrange(offset..<offset + 4, with: $0)
    }
    try folder.write(values, to: "out/goldens/outputs.bin")
    var goldens = try document(folder)
    goldens.outputValues.sha256 = hexadecimal(SHA256.hash(of: values))
    try write(try JSONDocument.encode(goldens), to: folder)
  }

  /// Writes a document of goldens, with its hash in the manifest.
  private func write(_ bytes: [UInt8], to folder: TemporaryFolder) throws {
    try folder.write(bytes, to: "out/goldens/goldens.json")
    var manifest = try Manifest.decode(try folder.bytes("out/manifest.json"))
    manifest.goldens?.sha256 = hexadecimal(SHA256.hash(of: bytes))
    try folder.write(try manifest.encoded(), to: "out/manifest.json")
  }

  @Test("a list that would compare nothing, or is too short, is refused", arguments: [true, false])
  func emptyLists(hasPositions: Bool) throws {
    let folder = try converted(Fixtures.sample("lenet-blobs")) { $0.formats = [.bin] }
    let text = String(decoding: try folder.bytes("out/goldens/goldens.json"), as: UTF8.self)
    // A layer of which all values are kept, so that it has neither list.
    let place = try #require(text.firstRange(of: "\"name\": \"conv2\","))
    let statistics = try document(folder).samples
    let row = #"{"max": 1, "mean": 0, "min": 0, "norm": 1}"#
    let rows = Array(repeating: row, count: hasPositions ? statistics : statistics - 1)
    let lists =
      (hasPositions ? "\"positions\": [], " : "")
      + "\"statistics\": [\(rows.joined(separator: ", "))], "
    try write(
      Array((text[..<place.lowerBound] + lists + text[place.lowerBound...]).utf8), to: folder)
    let error = try #require(throws: NetconvError.self) {
      try Netconv.verifyGoldens(folder.file("out"))
    }
    #expect(error.message.hasPrefix("the goldens were changed after they were written"))
    #expect(error.kind == .badData)
  }

  @Test("another number of values that are not finite is beyond any tolerance")
  func notFiniteCounts() throws {
    let folder = try converted(Fixtures.sample("lenet-blobs")) { $0.formats = [.bin] }
    let text = String(decoding: try folder.bytes("out/goldens/goldens.json"), as: UTF8.self)
    #expect(try Netconv.verifyGoldens(folder.file("out")).passed)
    let place = try #require(text.firstRange(of: "\"norm\": "))
    let changed = text[..<place.lowerBound] + "\"notFinite\": 3, " + text[place.lowerBound...]
    try write(Array(changed.utf8), to: folder)
    let report = try Netconv.verifyGoldens(folder.file("out"))
    #expect(!report.passed)
    #expect(report.layers.first { !$0.passed }?.name == "conv1")
    let some = GoldensDocument.Statistics([1, .infinity, -3, .nan])
    #expect(some == GoldensDocument.Statistics([1, -.infinity, -3, .infinity]))
    #expect((some.min, some.max, some.mean, some.notFinite) == (-3, 1, -1, 2))
    #expect(GoldensDocument.Statistics([.nan]).norm == nil)
  }

  @Test("the first layer beyond its tolerance is named")
  func beyond() throws {
    let folder = try converted(Fixtures.sample("lenet-blobs")) { $0.formats = [.bin] }
    let goldens = try document(folder)
    let layer = try #require(goldens.layers.first { $0.name == "conv2" })
    try change(folder, at: layer.offset + 40, to: 1000)
    let report = try Netconv.verifyGoldens(folder.file("out"))
    #expect(!report.passed)
    #expect(report.firstBeyond == "conv2")
    #expect(report.layers.filter { !$0.passed }.map(\.name) == ["conv2"])
    let result = try NetconvProcess.run(["verify", "out", "--goldens"], in: folder.path)
    #expect(result.status == 1)
    #expect(result.errors == "netconv: the first layer beyond its tolerance is 'conv2'\n")
    #expect(
      result.output.contains("1 of \(goldens.layers.count) layers are beyond their tolerances"))
    let paged = try NetconvProcess.run(
      ["verify", "out", "--goldens", "--quiet", "--html", "p.html"], in: folder.path)
    #expect(paged.status == 1)
    #expect(
      String(decoding: try folder.bytes("p.html"), as: UTF8.self).contains(
        "<p class=\"verdict\">&#39;conv2&#39; is the first layer that is beyond its tolerance.</p>")
    )
  }

  // MARK: - What cannot be replayed

  private func message(_ folder: TemporaryFolder, _ path: String = "out") throws -> String {
    let result = try NetconvProcess.run(["verify", path, "--goldens"], in: folder.path)
    #expect(result.output == "")
    return "\(result.status) \(result.errors)"
  }

  @Test("goldens that are not there, damaged or another model's are told apart")
  func refusals() throws {
    let folder = try converted(Fixtures.sample("lenet-blobs")) { $0.formats = [.bin] }
    let other = try converted(Fixtures.sample("deep-mnist/deep-mnist.h5"))
    try folder.copy(Fixtures.sample("lenet-blobs"), to: "source")
    #expect(
      try message(folder, "source")
        == "64 netconv: error: source: was not written by netconv, so it has no goldens; convert "
        + "it with --goldens N first\n")
    _ = try Netconv.convert(
      ConvertRequest(source: folder.file("source"), destination: folder.file("plain")))
    #expect(
      try message(folder, "plain")
        == "64 netconv: error: plain: holds no goldens; convert the model again with --goldens N\n")

    let document = try folder.bytes("out/goldens/goldens.json")
    let values = try folder.bytes("out/goldens/outputs.bin")
    var damaged = values
    damaged[5] ^= 1
    try folder.write(damaged, to: "out/goldens/outputs.bin")
    let changed =
      "the goldens were changed after they were written; convert the model again with --goldens N\n"
    #expect(
      try message(folder) == "65 netconv: error: goldens/outputs.bin: " + changed)
    try folder.write(values, to: "out/goldens/outputs.bin")
    try folder.write(document + [0x20], to: "out/goldens/goldens.json")
    #expect(try message(folder) == "65 netconv: error: goldens/goldens.json: " + changed)
    try folder.write(
      try other.bytes("out/goldens/goldens.json"), to: "out/goldens/goldens.json")
    #expect(
      try message(folder)
        == "65 netconv: error: goldens/goldens.json: these goldens belong to another model; restore "
        + "the right ones, or convert it again with --goldens N\n")
    try FileManager.default.removeItem(atPath: folder.file("out/goldens/goldens.json"))
    #expect(
      try message(folder)
        == "65 netconv: error: out: the manifest names 'goldens/goldens.json', which is missing; "
        + "convert the model again\n")
  }

  @Test("an unknown size, too few inputs and a missing graph are errors of usage")
  func usage() throws {
    let folder = try TemporaryFolder()
    let arguments = ["convert", Fixtures.path("keras/keras3-two-inputs.h5"), "out"]
    let few = try NetconvProcess.run(
      arguments + [
        "--goldens", "9", "--golden-inputs", Fixtures.path("keras/keras3-two-inputs.npz"),
      ], in: folder.path)
    #expect(few.status == 64)
    #expect(
      few.errors.contains(
        "samples, fewer than the 9 that --goldens needs; pass 2, or add some"))
    let graph = try NetconvProcess.run(
      arguments + ["--goldens", "1", "--weights-only"], in: folder.path)
    #expect(graph.status == 64)
    #expect(
      graph.errors
        == "netconv: error: goldens cannot be computed without the graph; leave out --weights-only or "
        + "--goldens\n")
  }

  @Test("a conversion of a conversion says that it leaves goldens out, and makes new ones")
  func again() throws {
    let folder = try converted(Fixtures.sample("lenet-blobs"))
    let report = try Netconv.convert(
      ConvertRequest(source: folder.file("out"), destination: folder.file("again")))
    #expect(report.goldens == nil)
    #expect(
      report.warnings.map { "\($0)" } == [
        "the source's goldens belong to the source's weights and were not copied; 'goldens' makes "
          + "new ones"
      ])
    var request = ConvertRequest(source: folder.file("out"), destination: folder.file("again"))
    request.goldens = GoldensRequest(samples: 2)
    request.force = true
    #expect(try Netconv.convert(request).warnings.isEmpty)
    // The weights are the same, and so are the goldens.
    #expect(
      try folder.bytes("again/goldens/goldens.json") == folder.bytes("out/goldens/goldens.json"))
    // A folder with goldens is netconv's, and is replaced.
    #expect(try Netconv.convert(request).goldens != nil)
  }
}
