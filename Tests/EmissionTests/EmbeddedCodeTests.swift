import Foundation
import NetconvKit
import TestSupport
import Testing

/// A target whose network is code that the build makes, compiled against the stand-ins, and run.
@Suite(.enabled(if: StandIns.products != nil), .slow)
struct EmbeddedCodeTests {
  @Test func `a program runs the network that the build has put into it`() throws {
    let products = try #require(StandIns.products)
    let package = try PluginPackage(
      isProgram: true,
      arguments: [
        "-Xswiftc", "-I\(products)/Modules", "-Xlinker", "-L\(products)", "-Xlinker",
        "-rpath=\(products)",
      ])
    try package.folder.write(Self.program, to: "Sources/App/main.swift")
    try package.folder.copy(
      Fixtures.sample("BuildPlugin/Sources/Digits/lenet.h5"), to: "Sources/App/lenet.h5")
    try package.folder.write(#"{"language": "mpscnn"}"#, to: "Sources/App/lenet.netconv.json")
    let build = try package.build()
    try #require(build.status == 0)
    #expect(!build.output.contains(".swift:"), "the compiler warns of something: \(build.output)")

    let digits = try #require(
      try arrays(Fixtures.sample("deep-mnist/digits.npy")).first?.value)
    let values = digits.values.withUnsafeBytes { Array($0) }
    let result = try package.runProgram([try package.folder.write(values, to: "digits")])
    #expect(result.status == 0)
    // As Samples/deep-mnist/make_digits.py says.
    #expect(result.output == "[7, 2, 1, 0, 4, 1, 4, 9]\n")

    // A build that was planned without code.
    try package.folder.write("{}", to: "Sources/App/lenet.netconv.json")
    let without = try package.build()
    #expect(without.status != 0)
    #expect(without.output.contains("cannot find 'LenetArchive' in scope"))
    try package.folder.write(
      #"{"language": "mpscnn", "dtype": "float32"}"#, to: "Sources/App/lenet.netconv.json")
    let again = try package.build()
    try #require(again.status == 0)
    #expect(again.converted == ["lenet.h5"])
    let inFloats = try package.runProgram([package.folder.file("digits")])
    #expect(inFloats.status == 0)
    #expect(inFloats.output == "[7, 2, 1, 0, 4, 1, 4, 9]\n")
  }

  private static let program = """
    import Foundation
    import Metal

    let digits = try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
      .withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let url = Bundle.module.url(forResource: "lenet", withExtension: "netpack")
    if let url, let device = MTLCreateSystemDefaultDevice() {
      let network = try Lenet(device: device, archive: LenetArchive(contentsOf: url))
      let count = Lenet.input.height * Lenet.input.width
      print(
        try stride(from: 0, to: digits.count, by: count).map { start in
          let output = try network.predict(Array(digits[start..<start + count]))
          return output.indices.max { output[$0] < output[$1] } ?? -1
        })
    }

    """
}
