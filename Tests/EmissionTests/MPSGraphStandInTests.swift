import NetconvKit
import TestSupport
import Testing

/// Packages with MPSGraph compiled against the stand-ins for Apple's frameworks, and run.
@Suite(.enabled(if: StandIns.products != nil), .serialized)
struct MPSGraphStandInTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a package builds as it is, and its layers are right`() throws {
    let path = folder.file("LeNet")
    var request = EmitRequest(
      source: Fixtures.sample("lenet-blobs"), destination: path, language: .mpsgraph)
    request.name = "LeNet"
    let report = try Netconv.emitPackage(request)
    let written = try report.files.map { try folder.bytes("LeNet/\($0)") }
    try StandIns.build(path)
    let result = try StandIns.selfTest("LeNet", in: path)
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.first == "LeNet: 4 samples on CPU stand-in")
    #expect(
      lines.dropFirst().dropLast().map { $0.prefix { $0 != ":" } }
        == ["conv1", "pool1", "conv2", "pool2", "flatten", "fc1", "fc2"].map { "  \($0)" })
    #expect(lines.last == "All layers are right.")
    // Building has changed nothing.
    #expect(try report.files.map { try folder.bytes("LeNet/\($0)") } == written)
    try archivesThatAreWrong(path)
    try StandIns.expectErrorsOfDevice("LeNet", in: path)
    // A graph may commit what it is given, and go on with another command buffer: no error is lost.
    for (variables, status) in [
      (["NETCONV_GRAPHS_COMMIT=1"], 0),
      (["NETCONV_GRAPHS_COMMIT=1", "NETCONV_FAILING_COMMIT=1"], 2),
      (["NETCONV_GRAPHS_COMMIT=1", "NETCONV_FAILING_COMMIT=2"], 2),
    ] as [([String], ExitCode)] {
      let result = try RunningProgram.run(
        ["/usr/bin/env"] + variables + ["\(path)/.build/release/LeNetSelfTest"], in: "/")
      #expect(result.status == status, "\(variables)")
    }
    try batches(path)
  }

  /// A batch of several samples has the same outputs as the samples one by one.
  private func batches(_ path: String) throws {
    try folder.write(
      """
      import Foundation
      import LeNet
      import LeNetGoldens
      import Metal

      let device = MTLCreateSystemDefaultDevice()!
      let archive = try LeNetArchive.bundled()
      let network = try LeNet(device: device)
      let goldens = try LeNetGoldens.bundled()
      let inputs = (0..<goldens.samples).map(goldens.input)
      let one = try inputs.map { try network.predict($0) }
      print(try network.predict(inputs.flatMap { $0 }) == one.flatMap { $0 }, Set(one).count)
      do { _ = try network.predict([1, 2, 3]) } catch { print(error) }

      // Parameters from elsewhere.
      var asked: [String] = []
      func values(_ parameter: LeNetParameter) throws -> Data {
        asked.append("\\(parameter.layer) \\(parameter.role) \\(parameter.shape) \\(parameter.isHalf)")
        let tensor = archive.tensor(parameter.layer, parameter.role)!
        return Data(bytes: tensor.pointer, count: parameter.byteCount)
      }
      let other = try LeNet(device: device, optimizationLevel: .level1, values: values)
      print(try other.predict(inputs[1]) == one[1], asked[0], asked[1], asked.count)
      do {
        _ = try LeNet(device: device) { try values($0).dropLast() }
      } catch { print(error) }
      """, to: "LeNet/Sources/LeNetSelfTest/main.swift")
    try StandIns.build(path)
    let result = try StandIns.selfTest("LeNet", in: path)
    #expect(result.status == 0)
    #expect(
      result.output == """
        true 4
        3 values do not fill inputs of [28, 28, 1]
        true conv1 kernel [5, 3, 1, 8] true conv1 bias [8] false 8
        the kernel of conv1 has 240 bytes, not 239

        """)
    func run(_ environment: String...) throws -> ProgramResult {
      try RunningProgram.run(
        ["/usr/bin/env"] + environment + ["\(path)/.build/release/LeNetSelfTest"], in: "/")
    }
    // For each size of a batch once, and elsewhere than on the GPU only if that is asked for.
    let compiled = try run("NETCONV_TRACE_COMMITS=1").output.split(separator: "\n")
      .filter { $0.hasPrefix("compiled") }
    #expect(
      compiled == [
        "compiled for [[1, 28, 28, 1]] at level 0", "compiled for [[4, 28, 28, 1]] at level 0",
        "compiled for [[1, 28, 28, 1]] at level 1",
      ])
    let failed = try run("NETCONV_FAILING_COMMIT=3")
    #expect(failed.status != 0 && failed.output.contains("the stand-in was told to fail"))
  }

  /// An archive that is damaged, or holds wrong values under a hash that fits.
  private func archivesThatAreWrong(_ path: String) throws {
    let archive = Archive(try folder.bytes("LeNet/Sources/LeNet/LeNet.netpack"))
    let kernel = try archive.range(of: "weights/fc2_W.bin")
    let bias = try archive.range(of: "weights/conv1_b.bin")
    func run(_ bytes: [UInt8]) throws -> ProgramResult {
      try StandIns.selfTest(
        "LeNet", in: path,
        [
          try folder.write(bytes, to: "wrong.netpack"),
          try Archive.goldens(of: bytes, in: folder, like: "\(path)/Sources/LeNetGoldens"),
        ])
    }
    var flipped = archive.bytes
    flipped[kernel.lowerBound] ^= 1
    let damaged = try run(flipped)
    #expect(damaged.status == 2)
    #expect(damaged.output.hasSuffix("fc2_W is not what was written\n"))
    #expect(try run(archive.bytes.dropLast(100)).status == 2)

    let withoutBias = try run(archive.replacing(bias, with: Array(repeating: 0, count: bias.count)))
    #expect(withoutBias.status == 1)
    #expect(withoutBias.output.contains("The first layer that differs is conv1."))

    // Output channels first, where input channels should be: 10 outputs of 64 halves.
    let halves = archive.bytes[kernel]
    let transposed = (0..<kernel.count).map { index in
      let (value, byte) = (index / 2, index % 2)
      return halves[kernel.lowerBound + (value % 64 * 10 + value / 64) * 2 + byte]
    }
    let wrongOrder = try run(archive.replacing(kernel, with: transposed))
    #expect(wrongOrder.status == 1)
    #expect(wrongOrder.output.contains("The first layer that differs is fc2."))
  }

  /// Together with the networks of this folder, every operation of the language.
  ///
  /// `make test` uses a subset, since `EmittedFixtureTests` has each call in half precision.
  static let fixtures = [
    "keras2-batch-norm.h5", "keras2-concatenate.h5", "keras2-conv-dilated.h5",
    "keras2-conv-same.h5", "keras2-dense-rank4.h5", "keras2-depthwise.h5",
    "keras2-flatten-bn.h5", "keras2-global-pooling.h5", "keras2-merges.h5",
    "keras2-normalizations.h5", "keras2-pooling.h5", "keras2-prelu.h5", "keras2-reshaping.h5",
    "keras2-residual.h5", "keras2-separable.h5", "keras2-transposed.h5", "keras2-two-inputs.h5",
    "keras2-zero-padding.h5", "keras3-conv1d.h5", "keras3-pooling1d.h5", "keras3-reshaping1d.h5",
  ]

  /// One build for all packages, because the build takes most of the time.
  @Test(.slow) func `every operation is right in both precisions, and mistakes are found`() throws {
    var collection = PackageCollection(folder.path)
    let models = try TemporaryFolder()
    let sources =
      ["deep-mnist/deep-mnist.h5", "lenet-blobs"].map(Fixtures.sample) + [
        try ShapedNetwork.write(to: "shaped", in: models),
        try GroupedNetwork.write(to: "grouped", in: models),
        try SequenceNetwork.write(to: "sequence", in: models),
        try LongNetwork.write(to: "long", in: models),
        try NumbersNetwork.write(to: "numbers", in: models),
      ]
      // That with a transposed convolution among them.
      + Sampling.part(of: Self.fixtures, every: 4, from: 3).map { Fixtures.path("keras/\($0)") }
    for (index, source) in sources.enumerated() {
      try collection.add("Half\(index)", source, language: .mpsgraph)
      // The operations are the same; without rounding they need not be proved with each.
      guard index < 3 || index >= 7 else { continue }
      try collection.add("Single\(index)", source, language: .mpsgraph, precision: .float32)
    }
    try collection.add(
      "Zed", try HostileNetwork.write(to: "hostile", in: models), language: .mpsgraph)
    let right = collection.names
    for (index, mutation) in Mutation.mpsgraph.enumerated() {
      try collection.add(
        "Wrong\(index)", mutation.source, language: .mpsgraph, precision: mutation.precision,
        edit: mutation)
    }
    let transposed = try #require(sources.firstIndex { $0.hasSuffix("keras2-transposed.h5") })
    try collection.addProgram("Batches", to: "Half\(transposed)")
    try collection.add("Mixed", CustomNetwork.model(CustomNetwork.taken), language: .mpsgraph)
    try collection.addProgram("CustomLayersMPSGraph", to: "Mixed")
    // In parts, and compiled alone: nobody implements so many.
    try collection.add("Chain", CustomNetwork.chain(HostileNetwork.names), language: .mpsgraph)
    try collection.build()
    let batches = try collection.output(
      of: "Batches", "Half\(transposed)",
      [collection.archive("Half\(transposed)"), "\(collection.path)/Half\(transposed)"])
    #expect(batches == "true 4\n")
    let mixed = try collection.output(
      of: "CustomLayersMPSGraph", "Mixed",
      [collection.archive("Mixed"), "\(collection.path)/Mixed"])
    let wrong = "the app's layer customLayers gives a tensor of"
    #expect(
      mixed == """
        first, conv, init, joined, init again, narrow, customLayers, flatten_1, fc
        customLayers
        true
        \(wrong) [-1, 5, 4, 1], not [-1, 5, 4, 3]; -1 is the batch
        \(wrong) [-1, 60], not [-1, 5, 4, 3]; -1 is the batch
        \(wrong) [1, 5, 4, 3], not [-1, 5, 4, 3]; -1 is the batch
        the app's layer customLayers gives a tensor of another type than Mixed.format

        """)
    for name in right {
      let result = try collection.selfTest(name)
      #expect(result.status == 0, "\(name): \(result.output)")
    }
    for (index, mutation) in Mutation.mpsgraph.enumerated() {
      let result = try collection.selfTest("Wrong\(index)")
      #expect(result.status == 1, "\(mutation): \(result.output)")
      #expect(
        result.output.contains("The first layer that differs is \(mutation.firstWrong).\n"),
        "\(mutation): \(result.output)")
    }
  }
}
