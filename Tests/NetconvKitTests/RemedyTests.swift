import ModelIR
import NetconvKit
import TestSupport
import Testing

@Suite struct RemedyTests {
  /// The property names of the library's requests.
  private static let properties: Set<String> = {
    let requests: [Any] = [
      ConvertRequest(source: "a", destination: "b"), DiffRequest(first: "a", second: "b"),
      ProbeRequest(directory: "a"), EmbedRequest(source: "a", archive: "b"),
      EmitRequest(source: "a", destination: "b", language: .mpscnn),
      RunRequest(path: "a", input: "b"), VerifyRequest(path: "a"),
      GoldensRequest(samples: nil, inputs: nil), SourceOptions(),
    ]
    return Set(requests.flatMap { Mirror(reflecting: $0).children.compactMap(\.label) })
  }()

  @Test(
    arguments: [
      .allowOverflow, .architecture, .architectureFile, .code, .destination, .elementType,
      .elementTypeRules, .findsPreparation, .folds, .foldsBatchNormalization, .force, .formats,
      .goldenInputs, .goldens, .images, .input, .labels, .limit, .makeGoldens, .maximumError,
      .metric,
      .minimumAccuracy, .minimumAgreement, .minimumR2, .offset, .ownData, .reference, .replacements,
      .scale, .strict, .judgedOutput, .threshold,
      .weightsOnly, .convertWeightsOnly,
    ] as [Remedy])
  func `the library calls a remedy as its requests do`(remedy: Remedy) throws {
    let quoted = try #require("\(remedy)".firstMatch(of: #/'(\w+)'/#)).output.1
    #expect(Self.properties.contains(String(quoted)))
  }

  @Test func `an error of the library is a whole sentence, and its remedies are values`() {
    var request = ConvertRequest(source: "a", destination: "b")
    request.weightsOnly = true
    request.foldsBatchNormalization = true
    let error = thrown { try Netconv.convert(request) }
    #expect(
      error?.description
        == "nothing can be folded without the graph; leave out 'weightsOnly' or 'foldsBatchNormalization'"
    )
    #expect(error?.remedies == [.weightsOnly, .foldsBatchNormalization])
  }

  @Test func `a report words its remedies as it is asked to`() throws {
    let report = try Netconv.inspect(Fixtures.path("keras/keras3-unsupported.h5"))
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    #expect(text(try report.json()).contains("a conversion with 'weightsOnly' writes the tensors"))
    #expect(text(try report.json { _ in "X" }).contains("not supported; X writes the tensors"))
  }
}
