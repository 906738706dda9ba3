import Digests
import Foundation
import ModelIR
import NetconvKit
import TestSupport
import Testing

/// Packages compiled against the stand-ins for Apple's frameworks, and run.
@Suite(.enabled(if: StandIns.products != nil), .serialized)
struct StandInTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The second; both in `make test-slow`.
  @Test(
    arguments: Sampling.part(
      of: [
        (
          "DeepMNIST", "deep-mnist/deep-mnist.h5",
          ["conv1", "pool1", "conv2", "pool2", "fc1", "fc2"]
        ),
        ("LeNet", "lenet-blobs", ["conv1", "pool1", "conv2", "pool2", "fc1", "fc2"]),
      ], every: 2, from: 1, allIn: .slow))
  func `a package builds as it is, and its layers are right`(
    _ name: String, _ sample: String, _ layers: [String]
  ) throws {
    let path = folder.file(name)
    var request = EmitRequest(
      source: Fixtures.sample(sample), destination: path, language: .mpscnn)
    request.name = name
    let report = try Netconv.emitPackage(request)
    let written = try report.files.map { try folder.bytes("\(name)/\($0)") }
    // What tests need costs seconds, and is the same in each package.
    try StandIns.build(path, options: name == "LeNet" ? ["--build-tests"] : [])
    let result = try StandIns.selfTest(name, in: path)
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.first == "\(name): 4 samples on CPU stand-in")
    #expect(
      lines.dropFirst().dropLast().map { $0.prefix { $0 != ":" } } == layers.map { "  \($0)" })
    #expect(lines.last == "All layers are right.")
    // Building has changed nothing.
    #expect(try report.files.map { try folder.bytes("\(name)/\($0)") } == written)
    try archivesThatAreWrong(path, name)
    try StandIns.expectErrorsOfDevice(name, in: path)
    if name == "LeNet" { try testTarget(path) }
  }

  /// The self-test as a test, which phones can run: it passes, and fails without its test cases.
  private func testTarget(_ path: String) throws {
    func run() throws -> ProgramResult {
      try RunningProgram.run(
        ["/usr/bin/env", "swift", "test", "--skip-build", "-c", "release", "--package-path", path],
        in: path)
    }
    let right = try run()
    #expect(right.status == 0)
    #expect(right.output.contains("Executed 1 test, with 0 failures"))
    let inputs = "\(path)/.build/release/LeNet_LeNetGoldens.resources/goldens/inputs.bin"
    try FileManager.default.removeItem(atPath: inputs)
    let wrong = try run()
    #expect(wrong.status != 0)
    #expect(wrong.output.contains("inputs.bin"))
  }

  /// An archive that is damaged, or holds wrong values under a hash that fits.
  private func archivesThatAreWrong(_ path: String, _ name: String) throws {
    let archive = Archive(try folder.bytes("\(name)/Sources/\(name)/\(name).netpack"))
    let kernel = try archive.range(of: "weights/fc2_W.bin")
    let bias = try archive.range(of: "weights/conv1_b.bin")
    func run(_ bytes: [UInt8]) throws -> ProgramResult {
      try StandIns.selfTest(
        name, in: path,
        [
          try folder.write(bytes, to: "wrong.netpack"),
          try Archive.goldens(of: bytes, in: folder, like: "\(path)/Sources/\(name)Goldens"),
        ])
    }
    var flipped = archive.bytes
    flipped[kernel.lowerBound] ^= 1
    let damaged = try run(flipped)
    #expect(damaged.status == 2)
    #expect(damaged.output.hasSuffix("fc2_W is not what was written\n"))

    let others = archive.replacing(bias, with: Array(repeating: 0, count: bias.count))
    let ofOthers = try StandIns.selfTest(
      name, in: path, [try folder.write(others, to: "other.netpack")])
    #expect(ofOthers.status == 2)
    #expect(
      ofOthers.output.hasSuffix("the test cases are of other weights than those of the archive\n"))

    #expect(try run(archive.bytes.dropLast(100)).status == 2)
    #expect(try run([]).status == 2)

    let withoutBias = try run(others)
    #expect(withoutBias.status == 1)
    #expect(withoutBias.output.contains("The first layer that differs is conv1."))

    // Input channels first, where output channels should be.
    let halves = archive.bytes[kernel]
    let inputs = kernel.count / 20
    let transposed = (0..<kernel.count).map { index in
      let (value, byte) = (index / 2, index % 2)
      return halves[kernel.lowerBound + (value % 10 * inputs + value / 10) * 2 + byte]
    }
    let wrongOrder = try run(archive.replacing(kernel, with: transposed))
    #expect(wrongOrder.status == 1)
    #expect(wrongOrder.output.contains("The first layer that differs is fc2."))

    // Of a network whose windows have as many pixels.
    guard name == "LeNet" else { return }
    let turned = archive.bytes.replacing(
      Array("[8, 5, 3, 1]".utf8), with: Array("[8, 3, 5, 1]".utf8))
    let ofTurned = try StandIns.selfTest(
      name, in: path, [try folder.write(turned, to: "turned.netpack")])
    #expect(ofTurned.status == 2)
    #expect(
      ofTurned.output.hasSuffix("the kernel of conv1 is [8, 3, 5, 1], not [8, 5, 3, 1]\n"))
  }

  static let fixtures = [
    "keras2-batch-norm", "keras2-conv-dilated", "keras2-conv-same", "keras2-conv-strides",
    "keras2-conv-valid", "keras2-dense-rank4", "keras2-flatten-dense", "keras2-functions",
    "keras2-global-pooling", "keras2-merges", "keras2-nested", "keras2-nested-outputs",
    "keras2-pooling", "keras2-residual", "keras2-shared-layer", "keras2-zero-padding",
    "keras3-transposed",
  ]

  /// `EmittedFixtureTests` covers every call in half precision; these tests cover both precisions, all of them in `make proof`.
  @Test(.slow) func `every operator is right in both precisions`() throws {
    var collection = PackageCollection(folder.path)
    let models = try TemporaryFolder()
    let own = [
      try GroupedNetwork.write(to: "grouped", in: models),
      try LongNetwork.write(to: "long", in: models),
      try NumbersNetwork.write(to: "numbers", in: models),
    ]
    let fixtures = Sampling.part(of: Self.fixtures, every: 4, from: 0)
    for (index, source) in (own + fixtures.map { Fixtures.path("keras/\($0).h5") }).enumerated() {
      try collection.add("Half\(index)", source)
      // The kernels are the same; images of floats need not be proved with each.
      guard index == 0 || index >= own.count else { continue }
      try collection.add("Single\(index)", source, precision: .float32)
    }
    try collection.add("Zed", try HostileNetwork.write(to: "hostile", in: try TemporaryFolder()))
    // Apps keep no layers: their images are temporary, and are read as often as they say.
    let plain = ["Half0"]
    for name in plain { try collection.addProgram("Plain", to: name) }
    let tested = collection.names
    try collection.add("Mixed", CustomNetwork.model(), language: .mpscnn)
    try collection.addProgram("CustomLayersMPSCNN", to: "Mixed")
    // In parts, and compiled alone: nobody implements so many.
    try collection.add("Chain", CustomNetwork.chain(HostileNetwork.names), language: .mpscnn)
    try collection.build()
    let mixed = try collection.output(
      of: "CustomLayersMPSCNN", "Mixed",
      [collection.archive("Mixed"), "\(collection.path)/Mixed"])
    #expect(
      mixed == """
        first conv power joined power again narrow blend fc
        blend
        true
        true
        true
        true
        true

        """)
    for name in tested {
      let result = try collection.selfTest(name)
      #expect(result.status == 0, "\(name): \(result.output)")
    }
    for name in plain {
      let output = try collection.output(
        of: "Plain", name, [collection.archive(name), "\(collection.path)/\(name)"])
      #expect(output == String(repeating: "true true\n", count: 4), "\(name)")
    }
    // Weights whose normalisations are apart have values for every kernel of code that has folded them.
    var apart = ConvertRequest(
      source: Fixtures.path("keras/keras2-batch-norm.h5"), destination: models.file("apart"))
    apart.elementType = .float16
    apart.goldens = GoldensRequest(samples: 1)
    _ = try Netconv.convert(apart)
    let result = try collection.selfTest(
      "Half\(own.count)", [models.file("apart/model.netpack"), models.file("apart")])
    #expect(result.status == 2, "\(result.output)")
    #expect(result.output.contains("convert it with --fold-batch-norm"), "\(result.output)")
  }

  @Test(.slow) func `mistakes are found, and the layer is named`() throws {
    var collection = PackageCollection(folder.path)
    let models = try TemporaryFolder()
    let grouped = try GroupedNetwork.write(to: "grouped", in: models)
    for (index, mutation) in Mutation.all.enumerated() {
      let source = mutation.source == Mutation.grouped ? grouped : mutation.source
      try collection.add("Wrong\(index)", source, precision: mutation.precision, edit: mutation)
    }
    try collection.build()
    for (index, mutation) in Mutation.all.enumerated() {
      let result = try collection.selfTest("Wrong\(index)")
      #expect(result.status == 1, "\(mutation): \(result.output)")
      #expect(
        result.output.contains("The first layer that differs is \(mutation.firstWrong).\n"),
        "\(mutation): \(result.output)")
    }
  }
}

/// A netpack whose entries can be changed.
struct Archive {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The range of an entry's bytes, which follow its local header, the first occurrence of its name.
  func range(of entry: String) throws -> Range<Int> {
    let data = Data(bytes)
    let name = try #require(data.range(of: Data(entry.utf8)))
    let header = name.lowerBound - 30
    func integer(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[header + offset + $1]) << (8 * $1) }
    }
    let start = name.upperBound + integer(28, 2)
    return start..<start + integer(22, 4)
  }

  /// A folder with the goldens of a package, relabelled as those of the weights in `bytes`, if these can be read.
  static func goldens(
    of bytes: [UInt8], in folder: TemporaryFolder, like original: String
  ) throws -> String {
    guard Data(bytes).range(of: Data("manifest.json".utf8)) != nil,
      let range = try? Archive(bytes).range(of: "manifest.json"),
      let manifest = try JSONSerialization.jsonObject(with: Data(bytes[range])) as? [String: Any],
      let tensors = manifest["tensors"] as? [[String: Any]]
    else { return original }
    let hashes = tensors.compactMap { $0["sha256"] as? String }.joined()
    let copy = folder.file("other-goldens")
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: "\(original)/goldens", toPath: "\(copy)/goldens")
    let text = String(
      decoding: try folder.bytes("other-goldens/goldens/goldens.json"), as: UTF8.self)
    let weights = hexadecimal(SHA256.hash(of: Array(hashes.utf8)))
    try folder.write(
      text.replacing(#/"weights": *"\w+"/#, with: #""weights": "\#(weights)""#),
      to: "other-goldens/goldens/goldens.json")
    return copy
  }

  /// With other values and their hash.
  func replacing(_ range: Range<Int>, with values: [UInt8]) -> [UInt8] {
    var changed = bytes
    changed.replaceSubrange(range, with: values)
    func hash(_ bytes: some Collection<UInt8>) -> String {
      hexadecimal(SHA256.hash(of: Array(bytes)))
    }
    return changed.replacing(Array(hash(bytes[range]).utf8), with: Array(hash(values).utf8))
  }
}
