import Emission
import ModelIR
import NetconvKit
import Readers
import TestSupport
import Testing

/// Emitted source contains the settings of activations.
@Suite struct EmittedActivationTests {
  /// Activations of one kind with different settings, in the form of `model.json`.
  static let kinds: [[String]] = [
    [
      #""relu""#, #""relu6""#, #"{"function": "relu", "maxValue": 0.5}"#,
      #"{"function": "relu", "negativeSlope": 0.1}"#, #"{"function": "relu", "threshold": 0.3}"#,
      #"{"function": "relu", "maxValue": 0.5, "negativeSlope": 0.1}"#,
      #"{"function": "relu", "maxValue": 0.5, "negativeSlope": 0.1, "threshold": 0.3}"#,
    ],
    numbers("leakyRelu", "negativeSlope"), numbers("elu", "alpha"), numbers("celu", "alpha"),
    numbers("hardSigmoid", "slope"), numbers("squareplus", "b"),
    numbers("hardShrink", "threshold"), numbers("softShrink", "threshold"),
    [
      #"{"function": "threshold", "threshold": 0.25, "value": 0}"#,
      #"{"function": "threshold", "threshold": 0.25, "value": 2}"#,
      #"{"function": "threshold", "threshold": 0.5, "value": 0}"#,
    ],
    [#"{"function": "gelu", "approximate": true}"#, #""gelu""#],
    [
      #"{"function": "softmax", "axis": 0}"#, #"{"function": "softmax", "axis": 1}"#,
      #"{"function": "softmax", "axis": [0, 1]}"#, #""softmax""#,
    ],
    [
      #"{"function": "logSoftmax", "axis": 0}"#, #"{"function": "logSoftmax", "axis": 1}"#,
      #""logSoftmax""#,
    ],
  ]

  private static func numbers(_ name: String, _ key: String) -> [String] {
    [0.125, 0.75].map { #"{"function": "\#(name)", "\#(key)": \#($0)}"# }
  }

  /// Different settings result in different texts, or an error: a case that ignores its settings would repeat a text.
  @Test(arguments: kinds, ["dsl", "mpscnn", "mpsgraph"])
  func `no two settings of an activation become the same source`(
    _ functions: [String], _ language: String
  ) throws {
    var texts: [String: String] = [:]
    for function in functions {
      let folder = try TemporaryFolder()
      try folder.write(
        """
        {"format": "netconv-model", "version": 1, "name": "m", "outputs": ["y"],
         "inputs": [{"name": "x", "shape": [3, 4, 5]}], "layers": [
         {"name": "y", "operator": "Activation", "inputs": ["x"], "attributes": {"function": \(function)}}]}
        """, to: "net/model.json")
      guard let text = try source(of: folder.file("net"), in: language) else { continue }
      let other = texts.updateValue(function, forKey: text)
      #expect(other == nil, "\(function) in \(language)")
    }
    // The model language has words for all.
    if language == "dsl" { #expect(texts.count == functions.count) }
  }

  /// The source of the network; `nil` if the language does not support the activation.
  private func source(of model: String, in language: String) throws -> String? {
    do {
      if case .text(let words)? = EmittedLanguage.named(language) {
        return try words.text(of: try ReaderRegistry.read(model).model, from: "m", function: "f")
      }
      return try PackageTextTests.package(model, "Net", in: language).files
        .filter { $0.path == "Sources/Net/Net.swift" }.map(\.text).joined()
    } catch let error as NetconvError {
      #expect(error.kind == .badData)
      return nil
    }
  }
}
