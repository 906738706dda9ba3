import Emission
import Foundation
import ModelIR
import TestSupport
import Testing

/// Emitted MPSGraph code, as text; `MPSGraphStandInTests` compiles and runs it.
@Suite struct MPSGraphTextTests {
  /// Files that a person has reviewed, compiled and run.
  ///
  /// They are the output of `netconv emit Samples/lenet-blobs --language mpsgraph --name LeNet --output LeNet`.
  @Test(arguments: ["LeNet", "LeNetLayers", "LeNetValues", "LeNetActivations", "LeNetExecutables"])
  func `the files of a package are written as they were read over`(_ file: String) throws {
    let package = try Self.package(Fixtures.sample("lenet-blobs"), "LeNet")
    #expect(try text("Sources/LeNet/\(file).swift", of: package) == Self.expected(file))
    let language = try #require(PackageLanguage.named("mpsgraph"))
    #expect(
      Set(package.files.map(\.path) + [package.archive])
        .isSubset(of: EmittedPackage.paths(language, name: "LeNet")))
  }

  @Test(arguments: [
    ("Residual", Fixtures.path("keras/keras2-residual.h5")),
    ("Pooling", Fixtures.path("keras/keras2-pooling.h5")),
    ("TwoInputs", Fixtures.path("keras/keras2-two-inputs.h5")),
  ])
  func `a network is written as it was read over`(_ name: String, _ source: String) throws {
    let package = try Self.package(source, name)
    #expect(try text("Sources/\(name)/\(name).swift", of: package) == Self.expected(name))
  }

  @Test func `a package of floats rounds nothing`() throws {
    let package = try Self.package(
      Fixtures.path("keras/keras2-batch-norm.h5"), "Net", storesHalves: false)
    for file in package.files {
      #expect(!file.text.contains("inFloats") && !file.text.contains("graph.cast"), "\(file.path)")
    }
  }

  /// The symbols of the systems that the package requires, according to Apple's list.
  @Test(arguments: [true, false])
  func `nothing is used but what Apple's interfaces are known to have`(_ halves: Bool) throws {
    let list = try AppleAPIList()
    var types: Set<String> = []
    var calls: Set<String> = []
    for source in Self.supported {
      let package = try Self.package(
        Fixtures.path("keras/\(source)"), "Net", storesHalves: halves)
      for file in package.files {
        let code = file.text.split(separator: "\n").filter { !$0.contains("//") }
          .joined(separator: "\n")
        types.formUnion(code.matches(of: #/\b(?:MPS|MTL)\w+/#).map { String($0.output) })
        calls.formUnion(code.matches(of: #/\bgraph\.(\w+)\(/#).map { String($0.output.1) })
        #expect(!code.contains("@objc") && !code.contains(#/\bFloat16\b/#), "\(file.path)")
      }
    }
    #expect(types.count > 8)
    #expect(types.subtracting(list.types(macOS: 12)) == [])
    #expect(calls.count > 25)
    #expect(calls.subtracting(list.methods(of: "MPSGraph", macOS: 12)) == [])
  }

  @Test func `all types have the prefix`() throws {
    for source in Self.supported {
      let package = try Self.package(Fixtures.path("keras/\(source)"), "Net")
      let types = package.files.flatMap {
        $0.text.matches(of: #/(?m)^(?:\w+ )*(?:class|struct|enum|protocol) (\w+)/#)
          .map { String($0.output.1) }
      }
      #expect(types.count > 6)
      #expect(types.filter { !$0.hasPrefix("Net") } == [])
    }
  }

  @Test func `all layers without an operation are named with their place`() {
    let error = thrown { try Self.package(Fixtures.path("keras/keras2-local-1.h5"), "Net") }
    let way = "; the model language supports it, and netconv's engines run it"
    #expect(error?.message == "6 layers cannot be written in MPSGraph")
    #expect(
      error?.details.prefix(2) == [
        "layer 'line_flat' (1 of 8, LocallyConnected1D): there is no operation for LocallyConnected1D\(way)",
        "layer 'plain' (3 of 8, LocallyConnected2D): there is no operation for LocallyConnected2D\(way)",
      ])
    #expect(error?.details.count == 6)
  }

  @Test func `all of causal padding is in front, and no more behind than windows reach`() throws {
    let folder = try TemporaryFolder()
    let package = try Self.package(
      try SequenceNetwork.write(to: "sequence", in: folder), "Net")
    let text = try text("Sources/Net/Net.swift", of: package)
    #expect(
      text.contains(
        """
            // (12, 3) -> (3, 4)
            // Causal: all of the padding at the left.
            let causalInput = graph.reshape(steps, shape: [-1, 1, 12, 3], name: nil)
            let causalRow = try layers.convolution(
              causalInput, layer: "causal", kernel: [1, 3, 3, 4], stride: (x: 4, y: 1),
              padding: (left: 2, right: 0, top: 0, bottom: 0), bias: false)
            let causal = graph.reshape(causalRow, shape: [-1, 3, 4], name: "causal")

        """), "\(text)")
    #expect(
      text.contains("stride: (x: 3, y: 1),\n      padding: (left: 4, right: 0, top: 0, bottom: 0)"))
    #expect(text.contains("window: (width: 5, height: 1), stride: (x: 2, y: 1)"))
  }

  @Test(arguments: [
    ("keras3-recurrent", "'gru_before' (8 of 11, GRU): there is no operation for GRU"),
    ("keras3-embedding", "'vectors' (1 of 5, Embedding): there is no operation for Embedding"),
    ("keras3-embedding", "'lstm' (4 of 5, LSTM): there is no operation for LSTM"),
    ("keras3-masks", "'vectors/mask' (1 of 31, StepMask): there is no operation for StepMask"),
    ("keras3-masks", "'masking' (8 of 31, Masking): there is no operation for Masking"),
    (
      "keras3-bidirectional",
      "'pair/backward/reversed' (8 of 35, Reverse): there is no operation for Reverse"
    ),
    (
      "keras3-time-distributed",
      "'convs' (1 of 14, Conv2D): there is no operation for TimeDistributed"
    ),
    (
      "keras2-local-1",
      "'line_flat' (1 of 8, LocallyConnected1D): there is no operation for LocallyConnected1D"
    ),
  ])
  func `layers for sequences without an operation are named with a way on`(
    _ fixture: String, _ detail: String
  ) {
    let error = thrown { try Self.package(Fixtures.path("keras/\(fixture).h5"), "Net") }
    #expect(
      error?.details.contains(
        "layer \(detail); the model language supports it, and netconv's engines run it")
        == true, "\(error?.details ?? [])")
  }

  @Test(arguments: [
    (
      "keras2-more-activations",
      [
        "'thresholded' (2 of 3, ThresholdedReLU): there is no operation for threshold(threshold: 0.5, value: 0.0)"
      ]
    ),
    (
      "keras2-dots",
      [
        "'last' (7 of 11, Dot): there is no operation for Dot",
        "'cosine' (8 of 11, Dot): there is no operation for Dot",
        "'mixed' (9 of 11, Dot): there is no operation for Dot",
        "'vectors' (10 of 11, Dot): there is no operation for Dot",
        "'vectors_cosine' (11 of 11, Dot): there is no operation for Dot",
      ]
    ),
  ])
  func `what MPSGraph's operations cannot do is said`(_ fixture: String, _ details: [String]) {
    let error = thrown { try Self.package(Fixtures.path("keras/\(fixture).h5"), "Net") }
    #expect(error?.details == details.map { "layer " + $0 })
  }

  @Test func `a way of resizing that MPSGraph lacks is said`() {
    let error = thrown { try Self.package(Fixtures.path("keras/keras2-resizings.h5"), "Net") }
    #expect(
      error?.details.contains(
        "layer 'enlarge_bicubic' (3 of 29, UpSampling2D): there is no bicubic interpolation; supported are nearest and bilinear"
      ) == true)
    #expect(
      error?.details.contains(
        "layer 'enlarged_center' (9 of 29, CenterCrop): the image is smaller than the 7 by 4 pixels of its middle"
      ) == true)
    #expect(
      error?.details.contains(
        "layer 'cropped' (26 of 29, Resizing): images of another proportion are stretched, without cropping or padding"
      ) == true)
  }

  /// Fixtures with all that the language has.
  static let supported = MPSGraphStandInTests.fixtures + ["keras2-functions.h5"]

  static func package(
    _ source: String, _ name: String, storesHalves: Bool = true
  ) throws -> EmittedPackage {
    try PackageTextTests.package(source, name, in: "mpsgraph", storesHalves: storesHalves)
  }

  private func text(_ path: String, of package: EmittedPackage) throws -> String {
    try #require(package.files.first { $0.path == path }).text
  }

  private static func expected(_ file: String) throws -> String {
    // Tools would build or format what ends in `.swift`.
    try String(
      contentsOfFile:
        "\(Fixtures.repository)/Tests/EmissionTests/Expected/MPSGraph/\(file).swift.txt",
      encoding: .utf8)
  }
}

/// The names that the stand-ins have from Apple's SDK.
private struct AppleAPIList {
  private struct Document: Decodable {
    var modules: [String: [Entry]]
  }

  private struct Entry: Decodable {
    var symbol: String
    var macOS: String?
  }

  private let entries: [Entry]

  init() throws {
    let path = "\(Fixtures.repository)/Tests/StandIns/apple-api.json"
    let document = try JSONDecoder().decode(
      Document.self, from: Data(contentsOf: URL(filePath: path)))
    entries = document.modules.values.flatMap(\.self)
  }

  /// The symbols of a system.
  private func symbols(macOS version: Int) -> [String] {
    entries.filter { entry in
      guard let first = entry.macOS?.split(separator: ".").first else { return true }
      return Int(first).map { $0 <= version } ?? false
    }.map(\.symbol)
  }

  /// The types and free functions.
  func types(macOS version: Int) -> Set<String> {
    Set(symbols(macOS: version).map { String($0.prefix { $0 != "." && $0 != "(" }) })
  }

  /// The methods of a type.
  func methods(of type: String, macOS version: Int) -> Set<String> {
    Set(
      symbols(macOS: version).filter { $0.hasPrefix(type + ".") }.map {
        String($0.dropFirst(type.count + 1).prefix { $0 != "(" })
      })
  }
}
