import Emission
import TestSupport
import Testing

/// Compile time grows with the square of a function's throwing calls: large networks are split into several functions.
@Suite struct NetworkPartTests {
  @Test(arguments: EmittedLanguage.packages)
  func `no function holds more than 50 layers`(_ language: EmittedLanguage) throws {
    let source = try LongNetwork.write(to: "long", in: try TemporaryFolder())
    let package = try PackageTextTests.package(source, "Long", in: language.name)
    let network = try #require(package.files.first { $0.path == "Sources/Long/Long.swift" })
    let counts = Self.statements(in: network.text)
    #expect(counts.reduce(0, +) >= LongNetwork.count)
    #expect(counts.allSatisfy { $0 <= 50 }, "\(counts)")
    // Nor are there more parts than it takes.
    #expect(counts.count { $0 >= 25 } >= 5)
    #expect(counts.count < 24)
  }

  /// Its cells read the outputs of earlier cells.
  @Test(arguments: EmittedLanguage.packages)
  func `nor does one of NASNetMobile's`(_ language: EmittedLanguage) throws {
    let source = try ApplicationTableTests.checkpoint("NASNetMobile", in: try TemporaryFolder())
    let package = try PackageTextTests.package(source, "Mobile", in: language.name)
    let network = try #require(package.files.first { $0.path == "Sources/Mobile/Mobile.swift" })
    let counts = Self.statements(in: network.text)
    #expect(counts.reduce(0, +) >= 500)
    #expect(counts.allSatisfy { $0 <= 50 }, "\(counts)")
  }

  /// The number of statements about layers in each function: those that create a kernel or a tensor, or encode a kernel.
  private static func statements(in network: String) -> [Int] {
    network.split(separator: #/(?:init|func \w+)\(/#).dropFirst().map { function in
      function.split(separator: "\n").count {
        $0.wholeMatch(of: #/ +(?:let )?\w+ = (?:try )?(?:kernels\.|layers\.|graph\.|MPS).*/#) != nil
          || $0.contains(#/\.encode\($/#) || $0.contains(".encode(commandBuffer: ")
      }
    }
  }

  @Test(arguments: EmittedLanguage.packages)
  func `a small network is one function`(_ language: EmittedLanguage) throws {
    let package = try PackageTextTests.package(
      Fixtures.path("keras/keras2-residual.h5"), "Residual", in: language.name)
    let network = try #require(package.files.first { $0.path == "Sources/Residual/Residual.swift" })
    #expect(!network.text.contains(#/[pP]art1/#))
  }
}
