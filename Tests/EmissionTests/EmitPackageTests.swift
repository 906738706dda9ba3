import Foundation
import ModelIR
import NetconvKit
import TestSupport
import Testing

/// Packages as folders: whole or not at all.
@Suite struct EmitPackageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func request(_ source: String = Fixtures.sample("lenet-blobs")) -> EmitRequest {
    var request = EmitRequest(
      source: source, destination: folder.file("out"), language: .mpscnn)
    request.name = "LeNet"
    return request
  }

  @Test(
    arguments: [Precision.float16, .float32],
    [("mpscnn", "mps"), ("mpsgraph", "mpsgraph")])
  func `the folder holds the files, and goldens apart from the archive`(
    _ precision: Precision, _ language: (name: String, target: String)
  ) throws {
    var request = request()
    request.language = try #require(.named(language.name))
    request.precision = precision
    let report = try Netconv.emitPackage(request)
    #expect(try folder.files().sorted() == report.files.map { "out/" + $0 }.sorted())
    let archive = folder.file("out/Sources/LeNet/LeNet.netpack")
    #expect(thrown { try Netconv.verifyGoldens(archive) }?.kind == .usage)
    let goldens = try PackageGoldens(in: folder.file("out/Sources/LeNetGoldens"))
    #expect(goldens.samples == 4)
    #expect(
      goldens.layers.map(\.name) == ["conv1", "pool1", "conv2", "pool2", "flatten", "fc1", "fc2"])
    #expect(report.conversion.target == language.target)
  }

  @Test func `goldens are of inputs that somebody names`() throws {
    var request = request()
    let count = 3 * 28 * 28
    let values = (0..<count).map { Float($0 % 97) / 97 }
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 28, 28, 1), }"
    let padded = Array(header.utf8) + [UInt8](repeating: 0x20, count: 117 - header.utf8.count)
    let magic: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0, 118, 0]
    let inputs = try folder.write(
      magic + padded + [0x0a] + littleEndian(values), to: "inputs.npy")
    request.goldens = GoldensRequest(inputs: inputs)
    _ = try Netconv.emitPackage(request)
    #expect(try PackageGoldens(in: folder.file("out/Sources/LeNetGoldens")).samples == 3)
    let bytes = try folder.bytes("out/Sources/LeNetGoldens/goldens/inputs.bin")
    #expect(bytes == littleEndian(values))
  }

  @Test func `kernels of transposed convolutions are floats in a package of halves`() throws {
    let report = try Netconv.emitPackage(request(Fixtures.path("keras/keras3-transposed.h5")))
    let kernels = report.conversion.tensors.filter { $0.role == "kernel" }
    #expect(kernels.count > 1)
    #expect(kernels.allSatisfy { $0.dtype == "float32" }, "\(kernels)")
  }

  @Test func `every language can be asked for by its name`() {
    #expect(EmittedLanguage.all.map(\.name) == ["dsl", "mpscnn", "mpsgraph", "metal", "c"])
    #expect(EmittedLanguage.packages.map(\.name) == ["mpscnn", "mpsgraph"])
    #expect(EmittedLanguage.all.map { EmittedLanguage.named($0.name) } == EmittedLanguage.all)
    #expect(EmittedLanguage.named("MPSCNN") == nil)
    #expect(EmittedLanguage.standard == .dsl)
  }

  @Test func `options are for packages and files`() throws {
    let options = EmittedLanguage.all.map { Set($0.options) }
    let package: Set<EmitOption> = [
      .folder, .name, .precision, .folding, .labels, .goldens, .replacing,
    ]
    #expect(
      options == [
        [], package, package, [.folder, .name, .replacing],
        [.folder, .name, .weights, .length, .goldens, .replacing],
      ])
    #expect(options.reduce(Set()) { $0.union($1) } == Set(EmitOption.allCases))
  }

  @Test func `an earlier package is replaced only if that was asked for`() throws {
    var request = request()
    _ = try Netconv.emitPackage(request)
    #expect(thrown { try Netconv.emitPackage(request) }?.kind == .cannotCreate)
    // Building leaves a folder that nobody misses.
    try FileManager.default.createDirectory(
      atPath: folder.file("out/.build/release"), withIntermediateDirectories: true)
    try folder.write("object", to: "out/.build/release/LeNet.o")
    request.force = true
    _ = try Netconv.emitPackage(request)
    #expect(!FileManager.default.fileExists(atPath: folder.file("out/.build")))
  }

  @Test func `a file of somebody else is not removed`() throws {
    var request = request()
    request.force = true
    _ = try Netconv.emitPackage(request)
    try folder.write("mine", to: "out/Sources/LeNet/Mine.swift")
    let error = thrown { try Netconv.emitPackage(request) }
    #expect(error?.kind == .cannotCreate)
    #expect(error?.message.contains("'Sources/LeNet/Mine.swift'") == true)
    #expect(try folder.bytes("out/Sources/LeNet/Mine.swift") == Array("mine".utf8))
    // Nor does a package of another name replace this one.
    request.name = "Other"
    #expect(thrown { try Netconv.emitPackage(request) }?.kind == .cannotCreate)
  }

  @Test func `nothing is written of a network with layers that the language lacks`() throws {
    let error = thrown {
      try Netconv.emitPackage(request(Fixtures.path("keras/keras2-prelu.h5")))
    }
    #expect(error?.kind == .badData)
    #expect(error?.details.count == 3)
    #expect(try folder.files() == [])
  }

  @Test func `there is a label for each class`() throws {
    var request = request()
    request.labels = try folder.write("a\nb\n", to: "labels.txt")
    let error = thrown { try Netconv.emitPackage(request) }
    #expect(error?.kind == .badData)
    #expect(error?.message.contains("names 2 classes, and the network has 10") == true)
    request.source = Fixtures.path("keras/keras2-nested-outputs.h5")
    let several = thrown { try Netconv.emitPackage(request) }
    #expect(several?.kind == .usage)
    #expect(several?.message.contains("labels are for a single output") == true)
    request.source = Fixtures.path("keras/keras2-residual.h5")
    request.labels = try folder.write([], to: "empty.txt")
    #expect(thrown { try Netconv.emitPackage(request) }?.kind == .badData)
    #expect(try folder.files().sorted() == ["empty.txt", "labels.txt"])
  }

  @Test func `text and package are told apart`() {
    #expect(
      thrown { try Netconv.emit(Fixtures.sample("lenet-blobs"), language: .mpscnn) }?.message
        == "mpscnn is written as a package; name its folder with 'destination'")
    var request = request()
    request.language = .dsl
    #expect(
      thrown { try Netconv.emitPackage(request) }?.message
        == "dsl is written as text, not as a package; leave out 'destination'")
  }
}
