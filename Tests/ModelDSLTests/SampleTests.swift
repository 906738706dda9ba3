import ModelIR
import NetconvKit
import SampleModels
import TestSupport
import Testing

@Suite struct SampleModelTests {
  @Test func `Deep MNIST in Swift verifies at the accuracy of its checkpoint`() throws {
    let loader = try ParameterLoader.model(Fixtures.sample("deep-mnist/deep-mnist.h5"))
    let model = try DeepMNIST.model(loader)
    #expect(model.parameterCount == 3_274_634)
    let report = try Netconv.verify(model, VerifyRequest(path: "deep-mnist"))
    // 9,953 as Keras says; an image whose two best classes are closer than rounding may fall either way.
    let result = try #require(report.classification)
    #expect(result.count == 10_000)
    #expect(abs(result.correct - 9_953) <= 1)
    #expect(report.checkedTensors == 0)
  }

  @Test func `LeNet in Swift verifies from model.json, from an archive and from loose files`()
    throws
  {
    let folder = try TemporaryFolder()
    let source = Fixtures.sample("lenet-blobs")
    _ = try Netconv.convert(
      ConvertRequest(source: source, destination: folder.file("out")))
    _ = try Netconv.convert(
      ConvertRequest(source: source, destination: folder.file("out.netpack")))
    let loaders = [
      try ParameterLoader.model(source), try ParameterLoader.model(folder.file("out")),
      try ParameterLoader.model(folder.file("out.netpack")),
      try ParameterLoader.folder(folder.file("out/weights")),
    ]
    let results = try loaders.map { loader in
      let report = try Netconv.verify(try LeNet.model(loader), VerifyRequest(path: "lenet"))
      return try #require(report.classification)
    }
    // 0.9919 as Keras says.
    #expect(results.allSatisfy { abs($0.correct - 9_919) <= 1 })
    #expect(Set(results.map(\.confusion)).count == 1)
  }
}
