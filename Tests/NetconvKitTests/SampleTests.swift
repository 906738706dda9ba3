import Foundation
import ModelIR
import NetconvKit
import TestSupport
import Testing

@Suite("The samples, end to end")
struct SampleTests {
  @Test("Deep MNIST, converted, verifies at its accuracy")
  func deepMNIST() throws {
    let folder = try TemporaryFolder()
    _ = try Netconv.convert(
      ConvertRequest(
        source: Fixtures.sample("deep-mnist/deep-mnist.h5"), destination: folder.file("out")))
    let report = try Netconv.verify(VerifyRequest(path: folder.file("out")))
    let result = try #require(report.classification)
    #expect(result.count == 10_000)
    // Keras itself recognises 9,953; an image whose two best classes are closer than float32 rounding
    // may fall either way.
    #expect(abs(result.correct - 9_953) <= 1)
    #expect(result.accuracy >= 0.992)
    #expect(report.checkedTensors == 8)
    #expect(report.checkedContainers == ["bin", "archive"])
    #expect(
      result.confusion?.map { $0.reduce(0, +) } == [
        980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009,
      ])
  }

  @Test("LeNet from raw blobs, from its conversion and from its archive verify alike")
  func lenet() throws {
    let folder = try TemporaryFolder()
    let source = Fixtures.sample("lenet-blobs")
    _ = try Netconv.convert(
      ConvertRequest(source: source, destination: folder.file("out.netpack")))
    _ = try Netconv.convert(
      ConvertRequest(source: folder.file("out.netpack"), destination: folder.file("out")))
    let correct = try [source, folder.file("out"), folder.file("out.netpack")].map {
      try #require(Netconv.verify(VerifyRequest(path: $0)).classification).correct
    }
    #expect(Set(correct).count == 1)
    #expect(correct[0] >= 9_800)
  }

  @Test("LeNet's first dense kernel really has to be reordered")
  func lenetDeclaredWrongly() throws {
    let folder = try TemporaryFolder()
    try folder.copy(Fixtures.sample("lenet-blobs"), to: "lenet")
    let document = try String(contentsOfFile: folder.file("lenet/model.json"), encoding: .utf8)
    #expect(document.contains("(IHW)O"))
    try folder.write(document.replacing("(IHW)O", with: "(HWI)O"), to: "lenet/model.json")
    let report = try Netconv.verify(VerifyRequest(path: folder.file("lenet")))
    #expect(try #require(report.accuracy) < 0.5)
  }

  @Test("both engines recognise the same images")
  func engines() throws {
    var request = VerifyRequest(path: Fixtures.sample("lenet-blobs"))
    request.limit = 200
    let fast = try Netconv.verify(request)
    request.engine = .reference
    let reference = try Netconv.verify(request)
    #expect(reference.classification?.confusion == fast.classification?.confusion)
  }

  @Test("a converted folder whose bytes were changed is not converted again")
  func damagedSource() throws {
    let folder = try TemporaryFolder()
    _ = try Netconv.convert(
      ConvertRequest(source: Fixtures.sample("lenet-blobs"), destination: folder.file("out")))
    var bytes = try folder.bytes("out/weights/fc1_W.bin")
    bytes[5] ^= 1
    try folder.write(bytes, to: "out/weights/fc1_W.bin")
    let error = try #require(throws: NetconvError.self) {
      try Netconv.convert(
        ConvertRequest(source: folder.file("out"), destination: folder.file("again")))
    }
    #expect(error.kind == .badData)
    #expect(error.layer == "fc1")
    #expect(!FileManager.default.fileExists(atPath: folder.file("again")))
  }
}
