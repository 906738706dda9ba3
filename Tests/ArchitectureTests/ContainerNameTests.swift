import Documents
import Foundation
import TestSupport
import Testing

extension Repository {
  /// Paths in which the name of a container has another meaning, or that own the names, each with the reason.
  private static let otherMeanings = [
    "Sources/Documents/Containers/": "they own the names",
    "Sources/Datasets/LabeledImages.swift": ".npz as a file of samples",
    "Sources/Numpy/NumpyMessages.swift": ".npz as a file of arrays",
    "Sources/NetconvKit/Probe/ProbeDocument.swift": ".npz as a file of activations",
    "Sources/NetconvKit/Run/RunOutput.swift": ".npz as a file of outputs",
    "Sources/Writers/Staging/ReplaceableFile.swift": ".npz as a file of outputs",
    "Sources/Writers/ONNX/ONNXFormat.swift": ".npz as a file of weights",
    "Sources/ONNXExport/ONNXExportMessages.swift": ".npz as a file of weights",
    "Sources/Writers/TFLite/TFLiteFormat.swift": ".npz as a file of weights",
    "Sources/TFLiteExport/TFLiteExportMessages.swift": ".npz as a file of weights",
    "Sources/Writers/CoreML/CoreMLFormat.swift": ".npz as a file of weights",
    "Sources/CoreMLExport/": "Core ML's own files, and arrays in place of them",
    "Sources/Readers/CoreML/": "Core ML as what is read",
    "Sources/Readers/ONNX/": "ONNX as what is read",
    "Sources/Readers/TFLite/": "TensorFlow Lite as what is read",
    "Sources/Readers/GGUF/": "GGUF as what is read",
    "Sources/Readers/Adapters/": "the file of an adapter",
    "Sources/Readers/NumpyArrays/NumpyReader.swift": ".npz as a file of arrays",
    "Sources/NetconvCLI/Commands/ProbeCommand.swift": ".npz as a file of activations",
    "Sources/NetconvCLI/Commands/RunCommand.swift": ".npz as a file of arrays",
    "Sources/NetconvCLI/Options/VerifyOptions.swift": ".npz as a file of samples",
    "Sources/NetconvCLI/Options/GoldensOptions.swift": ".npz as a file of inputs",
    "Sources/NetconvCLI/Rendering/ProbeRendering.swift": ".npz as a file of activations",
    "Sources/NetconvCLI/Rendering/Remedy+Option.swift": ".npz as a file of inputs",
  ]

  /// The exceptions above that are not needed.
  func needlessMeanings() throws -> [String] {
    let named = try containerNames().map(\.path)
    return Self.otherMeanings.keys.filter { place in !named.contains { $0.hasPrefix(place) } }
      .sorted()
  }

  /// Literals with the name or a file name of a container, outside of the files that own the name.
  func namedContainers() throws -> [String] {
    try containerNames().filter { name in
      !Self.otherMeanings.keys.contains(where: name.path.hasPrefix)
    }.map { "\($0.path):\($0.line): \($0.literal)" }
  }

  private func containerNames() throws -> [(path: String, line: Int, literal: String)] {
    let names = OutputFormat.allCases.map(\.rawValue).filter { $0.count > 1 }.map { "\"\($0)\"" }
    // `model.json` is what raw values are described in, too.
    let parts = OutputFormat.allCases.flatMap { format in
      (format == .tfjs ? [] : format.files) + [format.ending].compactMap(\.self)
    }
    let interpolation = #/\\\([^()]*\)/#
    let literal = #/"(?:[^"\\]|\\.)*"/#
    return try sources().filter(\.isSwift).flatMap { file in
      file.uncommentedLines.filter { $0.line.contains("\"") }.flatMap { number, line in
        // What a literal interpolates is no text.
        line.replacing(interpolation, with: "")
          .matches(of: literal).map { String($0.output) }
          .filter { literal in names.contains(literal) || parts.contains(where: literal.contains) }
          .map { (file.path, number, $0) }
      }
    }
  }
}

@Suite struct ContainerNameTests {
  @Test func `a container is named once`() throws {
    #expect(try Repository.here.namedContainers() == [])
  }

  @Test func `every exception is needed`() throws {
    #expect(try Repository.here.needlessMeanings() == [])
  }

  @Test func `the check can fail`() throws {
    let copy = try Copy()
    try copy.folder.write(
      "/// As `npz` does.\nlet names = [\"npz\", \"folder/model.netpack\", \"other\"]\n",
      to: "Sources/Zlib/Naming.swift")
    #expect(
      try copy.repository.namedContainers() == [
        "Sources/Zlib/Naming.swift:2: \"npz\"",
        "Sources/Zlib/Naming.swift:2: \"folder/model.netpack\"",
      ])
  }
}
