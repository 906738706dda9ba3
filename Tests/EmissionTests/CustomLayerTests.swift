import Foundation
import ModelDSL
import ModelIR
import NetconvKit
import TestSupport
import Testing

import struct Emission.EmittedPackage

/// Layers of closures in packages, as text; the stand-in tests compile and run them.
@Suite struct CustomLayerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func package(
    _ model: Model, _ language: EmittedLanguage
  ) throws -> EmittedPackage {
    try EmittedPackage(
      model, in: try #require(language.package), from: "custom.swift", name: "Mixed",
      storesHalves: true)
  }

  private func text(_ file: String, of package: EmittedPackage) throws -> String {
    try #require(package.files.first { $0.path.hasSuffix(file) }, "\(file)").text
  }

  /// The files of `Expected/Custom` were read by a person, compiled and run.
  @Test(arguments: EmittedLanguage.packages)
  func `a network takes layers that a protocol describes`(_ language: EmittedLanguage) throws {
    let package = try package(CustomNetwork.model(), language)
    for file in ["Mixed", "MixedCustomLayers"] {
      let path = "Tests/EmissionTests/Expected/Custom/\(language)/\(file).swift.txt"
      #expect(
        try text("/\(file).swift", of: package)
          == String(contentsOfFile: "\(Fixtures.repository)/\(path)", encoding: .utf8), "\(path)")
    }
    #expect(package.customLayers == ["power", "power again", "blend"])
    // What runs the network needs layers that the package does not have.
    #expect(!package.files.contains { $0.path.contains("SelfTest") || $0.path.contains("Tests/") })
    let manifest = try text("Package.swift", of: package)
    #expect(manifest.contains(#".library(name: "MixedGoldens", targets: ["MixedGoldens"])"#))
    #expect(!manifest.contains("executableTarget") && !manifest.contains("testTarget"))
    let page = try text("README.md", of: package)
    #expect(page.contains("try Mixed(device: device, customLayers: MyLayers())"))
    #expect(page.contains("`Sources/Mixed/MixedCustomLayers.swift` says what a\nfunction gets"))
    #expect(page.contains("on: device, customLayers: MyLayers())\n    XCTAssertTrue"))
    #expect(!page.contains("MixedSelfTest") && !page.contains("netconv convert"))
    #expect(
      Set(package.files.map(\.path)).isSubset(
        of: EmittedPackage.paths(try #require(language.package), name: "Mixed")))
  }

  /// The code that the build of an app would compile.
  @Test(.enabled(if: StandIns.products != nil), arguments: EmittedLanguage.packages)
  func `a model that was built in Swift is embedded`(_ language: EmittedLanguage) throws {
    var request = EmbedRequest(source: "custom.swift", archive: folder.file("mixed.netpack"))
    request.code = folder.file("mixed.swift")
    request.options = try folder.write(
      #"{"language": "\#(language.name)", "name": "Mixed"}"#, to: "options.json")
    let report = try Netconv.embed(CustomNetwork.model(), request)
    #expect(report.tensors.count == 8)
    #expect(try folder.files().sorted() == ["mixed.netpack", "mixed.swift", "options.json"])
    let code = String(decoding: try folder.bytes("mixed.swift"), as: UTF8.self)
    #expect(code.contains("// Made by netconv from custom.swift, and made again"))
    #expect(code.contains("public protocol MixedCustomLayers {"))
    let products = try #require(StandIns.products)
    let frameworks = products == "system" ? [] : ["-I", "\(products)/Modules"]
    let compiled = try RunningProgram.run(
      ["/usr/bin/env", "swiftc", "-typecheck", "-swift-version", "5"] + frameworks
        + [folder.file("mixed.swift")], in: folder.path)
    #expect(compiled.status == 0)
    #expect(compiled.output == "")
    // Without code for it, a closure has no place.
    request.code = nil
    request.options = nil
    let error = thrown { try Netconv.embed(CustomNetwork.chain(["mirror"]), request) }
    #expect(error?.description.hasPrefix("layer 'mirror': is a custom layer") == true)
  }

  @Test(arguments: EmittedLanguage.packages)
  func `nothing is written of the graph, and the test cases are of the same weights`(
    _ language: EmittedLanguage
  ) throws {
    var request = EmitRequest(
      source: "custom.swift", destination: folder.file("package"), language: language)
    request.name = "Mixed"
    let report = try Netconv.emitPackage(CustomNetwork.model(), request)
    #expect(report.conversion.warnings.isEmpty)
    #expect(
      report.conversion.tensors.map { "\($0.layer) \($0.role)" } == [
        "first kernel", "first bias", "conv kernel", "conv bias", "narrow kernel", "narrow bias",
        "fc kernel", "fc bias",
      ])
    let goldens = try PackageGoldens(in: "\(folder.path)/package/Sources/MixedGoldens")
    #expect(goldens.samples == 4)
    #expect(
      goldens.layers.map(\.name) == [
        "first", "conv", "power", "joined", "power again", "narrow", "blend", "flatten_1", "fc",
      ])
    let archive = Archive(try folder.bytes("package/Sources/Mixed/Mixed.netpack"))
    let manifest = try JSONSerialization.jsonObject(
      with: Data(archive.bytes[archive.range(of: "manifest.json")]))
    let record = try #require(manifest as? [String: Any])
    #expect(record["model"] == nil && record["weights"] != nil)
    // Of weights without a graph nothing can be emitted again.
    let error = thrown {
      try Netconv.emitPackage(
        EmitRequest(
          source: "\(folder.path)/package/Sources/Mixed/Mixed.netpack",
          destination: folder.file("again"), language: language))
    }
    #expect(error?.kind == .usage)
    #expect(!FileManager.default.fileExists(atPath: folder.file("again")))
  }

  @Test(arguments: EmittedLanguage.packages)
  func `whatever layers are called, functions have names of their own`(
    _ language: EmittedLanguage
  ) throws {
    let package = try package(CustomNetwork.chain(HostileNetwork.names), language)
    let file = try text("/MixedCustomLayers.swift", of: package)
    _ = try #require(SwiftToken.all(in: file))
    let functions = file.matches(of: #/(?m)^  func (.*?)\(/#).map { String($0.output.1) }
    #expect(functions.count == HostileNetwork.names.count)
    #expect(Set(functions).count == functions.count)
    for function in functions {
      #expect(function.wholeMatch(of: #/[a-z_][A-Za-z0-9_]*/#) != nil, "\(function)")
      #expect(!["init", "self", "func", "let", "any", "_"].contains(function))
    }
    // A chain of so many layers is in parts, which are handed the app's layers.
    let network = try text("/Mixed.swift", of: package)
    _ = try #require(SwiftToken.all(in: network))
    #expect(network.contains("customLayers: any MixedCustomLayers"))
    #expect(network.matches(of: #/(?m)^ +let .* = try .*part[12].*customLayers/#).count == 2)
  }

  @Test func `what has no place for a closure names its layer`() throws {
    let model = try CustomNetwork.chain(["mirror"])
    let text = try #require(
      EmittedLanguage.all.lazy.compactMap {
        if case .text(let language) = $0 { language } else { nil }
      }.first)
    #expect(
      thrown { try text.text(of: model, from: "a", function: "a") }?.description == """
        1 layer cannot be expressed in the model language
          layer 'mirror': the language cannot express this Custom
        """)
    #expect(
      thrown {
        try Netconv.convert(
          model, ConvertRequest(source: "mirrored", destination: folder.file("out")))
      }?.description.hasPrefix("layer 'mirror': is a custom layer") == true)
    #expect(try folder.files() == [])
  }

  @Test func `a closure has to give what the language has`() throws {
    let line = try CustomNetwork.chain(["line"], [Shape([6, 4])])
    #expect(
      thrown { try package(line, .mpscnn) }?.details == [
        "layer 'line' (1 of 1, Custom): the shape (6, 4) is neither an image nor a vector; "
          + "MPSGraph has convolution and pooling of sequences"
      ])
    #expect(try package(line, .mpsgraph).customLayers == ["line"])
    for language in EmittedLanguage.packages {
      let open = try CustomNetwork.chain(["open"], [Shape([nil, 3, 4])])
      let error = thrown { try package(open, language) }
      #expect(
        error?.details == [
          "layer 'open' (1 of 1, Custom): the shape (None, 3, 4) is open; give it a fixed size in the source"
        ])
    }
  }
}
