import Foundation
import NetconvKit
import TestSupport
import Testing

/// Results and errors of package builds.
@Suite(.enabled(if: StandIns.products != nil), .serialized, .slow)
struct PackageBuildTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func package(
    _ source: String, _ name: String, _ language: EmittedLanguage, takesPictures: Bool = true
  ) throws -> String {
    var request = EmitRequest(
      source: Fixtures.sample(source), destination: folder.file(name), language: language)
    request.name = name
    request.takesPictures = takesPictures
    return try Netconv.emitPackage(request).destination
  }

  /// Code alone: Swift's runtime and the frameworks are libraries of the system, the weights a file.
  @Test(arguments: [(.mpscnn, 120_000), (.mpsgraph, 130_000)] as [(EmittedLanguage, Int)])
  func `the self-test of Deep MNIST without pictures is small`(
    _ language: EmittedLanguage, _ limit: Int
  ) throws {
    let path = try package("deep-mnist/deep-mnist.h5", "DeepMNIST", language, takesPictures: false)
    try StandIns.build(path, options: ["-Xswiftc", "-Osize"])
    let program = "\(path)/.build/release/DeepMNISTSelfTest"
    let stripped = folder.file("stripped")
    let result = try RunningProgram.run(
      ["/usr/bin/env", "strip", "-o", stripped, program], in: path)
    try #require(result.status == 0, "strip is a part of binutils")
    let size = try folder.bytes("stripped").count
    #expect(size > 10_000)
    #expect(size <= limit)
  }

  /// Apple's frameworks have all of these members; `apple-api.json` and the stand-ins do not.
  @Test func `a member that is not in the list does not compile`() throws {
    let path = try package("lenet-blobs", "LeNet", .mpscnn)
    for (file, from, to) in [
      (
        "LeNetKernels", "convolution.accumulatorPrecisionOption = .float",
        "convolution.subPixelScaleFactor = 2"
      ),
      ("LeNet", "makeCommandQueue()", "makeCommandQueue(maxCommandBufferCount: 1)"),
      ("LeNetArchive", "hash.update(bufferPointer: bytes)", "hash.update(data: Data(bytes))"),
    ] {
      let name = "LeNet/Sources/LeNet/\(file).swift"
      let text = String(decoding: try folder.bytes(name), as: UTF8.self)
      try #require(text.contains(from))
      try folder.write(text.replacing(from, with: to), to: name)
    }
    let result = try StandIns.tryToBuild(path)
    #expect(result.status != 0)
    for message in [
      "value of type 'MPSCNNConvolution' has no member 'subPixelScaleFactor'",
      "argument passed to call that takes no arguments",
      "incorrect argument label in call (have 'data:', expected 'bufferPointer:')",
    ] {
      #expect(result.output.contains("error: \(message)"), "\(result.output)")
    }
  }
}
