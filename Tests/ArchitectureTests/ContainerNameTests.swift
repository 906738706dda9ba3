import Documents
import Foundation
import TestSupport
import Testing

extension Repository {
  /// Where the name of a container means something else, with what it means; prefixes of paths.
  private static let otherMeanings = [
    "Sources/Documents/Containers/": "they own the names",
    "Sources/Documents/GoldensDocument.swift": "raw values beside a manifest are no container",
    "Sources/Datasets/": ".npz as a file of images and activations",
    "Sources/Numpy/": ".npz as a file of arrays",
    "Sources/NetconvKit/Building/ParameterLoaders.swift": "loose blobs, one parameter each",
    "Sources/NetconvKit/Probe/ProbeDocument.swift": ".npz as a file of activations",
    "Sources/NetconvKit/Run/": ".npz as a file of outputs",
    "Sources/Writers/WriterMessages.swift": ".npz as a file of outputs",
    "Sources/Readers/Foreign/": "what others write",
    "Sources/Readers/NumpyArrays/": ".npz as a file of arrays",
    "Sources/Readers/PyTorch/": ".bin as a file of PyTorch's",
    "Sources/Emission/": "the text of programs that netconv writes",
    "Sources/NetconvCLI/": "help, examples, and .npz as a file of arrays",
  ]

  /// Literals that name a container, or a file of one, where nobody owns its name.
  func namedContainers() throws -> [String] {
    let names = OutputFormat.allCases.map(\.rawValue).filter { $0.count > 1 }.map { "\"\($0)\"" }
    let parts = OutputFormat.allCases.flatMap { $0.files + [$0.ending].compactMap(\.self) }
    return try sources().filter { file in
      file.isSwift && !Self.otherMeanings.keys.contains(where: file.path.hasPrefix)
    }.flatMap { file in
      file.uncommentedLines.flatMap { number, line in
        // What a literal interpolates is no text.
        line.replacing(#/\\\([^()]*\)/#, with: "")
          .matches(of: #/"(?:[^"\\]|\\.)*"/#).map { String($0.output) }
          .filter { literal in names.contains(literal) || parts.contains(where: literal.contains) }
          .map { "\(file.path):\(number): \($0)" }
      }
    }
  }
}

@Suite struct ContainerNameTests {
  @Test func `a container is named once`() throws {
    #expect(try Repository.here.namedContainers() == [])
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
