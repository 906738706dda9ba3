import Foundation
import TestSupport
import Testing

/// The sources of Samples/BuildPlugin, with the plugin and the library of the tests' build.
///
/// The sample itself compiles all of netconv twice, which takes too long here; `make sample` does.
@Suite(.enabled(if: BuiltLibrary.isThere), .slow) struct BuildPluginSampleTests {
  @Test func `the sample converts its checkpoint and says how accurate it is`() throws {
    let library = try BuiltLibrary()
    let package = try PluginPackage(isProgram: true, arguments: library.arguments)
    let sample = Fixtures.sample("BuildPlugin/Sources/Digits")
    try package.folder.write([], to: "Sources/README.md")
    try package.folder.copy(sample, to: "Sources/App")
    let build = try package.build()
    try #require(build.status == 0, "\(build.output)")
    #expect(build.converted == ["lenet.h5"])
    let run = try package.runProgram([])
    #expect(run.status == 0)
    // That of Samples/lenet-blobs, whose weights these are, with the same images.
    let verified = try NetconvProcess.run(
      ["verify", Fixtures.sample("lenet-blobs"), "--limit", "2000", "--json"])
    let accuracy = try #require(
      try jsonObject(verified.output.utf8)["accuracy"] as? Double)
    #expect(run.output == "accuracy \(accuracy) on 2000 images of the MNIST test set\n")
  }
}

/// NetconvKit as SwiftPM has compiled it, for a package that links it without compiling it.
private struct BuiltLibrary {
  private static let objects = BuiltModules.products + "/netconv.product/Objects.LinkFileList"

  /// True if the objects are where SwiftPM puts them on Linux.
  static var isThere: Bool { FileManager.default.fileExists(atPath: objects) }

  /// Compiler and linker options that locate modules and objects.
  let arguments: [String]
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // All but the program's own.
    let objects = try String(contentsOf: URL(filePath: Self.objects), encoding: .utf8)
      .split(separator: "\n").filter { !$0.contains("/netconv.build/") }.joined(separator: "\n")
    let list = try folder.write(objects, to: "objects")
    arguments =
      try BuiltModules.options().flatMap { ["-Xswiftc", $0] }
      + ["@\(list)", "-l:libpng16.a", "-l:libjpeg.a", "-lz", "-l:libcrypto.a", "-lstdc++"].flatMap {
        ["-Xlinker", $0]
      }
  }
}
