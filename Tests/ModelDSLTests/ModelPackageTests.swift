import Foundation
import ModelDSL
import ModelIR
import NetconvKit
import Readers
import SampleModels
import TestSupport
import Testing

/// Models built in Swift can be written like models that were read.
@Suite struct ModelPackageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a model is written, read again and emitted, all with the same result`() throws {
    let model = try LeNet.model(.model(Fixtures.sample("lenet-blobs")))
    let saved = folder.file("lenet")
    let report = try Netconv.convert(model, ConvertRequest(source: "LeNet", destination: saved))
    #expect(report.warnings.isEmpty)
    let manifest = try #require(try ReaderRegistry.read(saved).converted).manifest
    #expect(manifest.source.format == "swift" && manifest.source.file == "LeNet")
    #expect(
      try Netconv.contentHash(of: ReaderRegistry.read(saved).model)
        == Netconv.contentHash(of: model))
    for language in EmittedLanguage.all where language.package != nil {
      var request = EmitRequest(
        source: saved, destination: folder.file("read.\(language)"), language: language)
      request.name = "LeNet"
      let read = try Netconv.emitPackage(request)
      request.source = "lenet"
      request.destination = folder.file("built.\(language)")
      let built = try Netconv.emitPackage(model, request)
      #expect(built.files == read.files && built.files.count > 15)
      // Only the archive says where the model comes from.
      for file in built.files where !file.hasSuffix(".netpack") {
        let (found, expected) = (
          try folder.bytes("built.\(language)/\(file)"),
          try folder.bytes("read.\(language)/\(file)")
        )
        #expect(found == expected, "\(file)")
      }
      // Its weights are the same: the goldens hold their hash.
      #expect(built.files.contains { $0.hasSuffix("goldens.json") })
    }
  }
}
