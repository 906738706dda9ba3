import Testing

/// Files and folders whose code may name concrete operators; all other code asks an operator for its facts.
private let placesThatNameOperators = [
  // Operators, and what computes, reads, writes or describes each of them.
  "Sources/Operators/",
  "Sources/Execution/Kernels/", "Sources/Execution/Fast/FastKernels.swift",
  "Sources/Execution/Fast/RecurrentCell.swift", "Sources/Execution/Fast/AttentionStep.swift",
  "Sources/Readers/Keras/Layers/", "Sources/Readers/RTNeural/",
  "Sources/Readers/NeuralAmpModeler/", "Sources/Documents/RTNeural/",
  "Sources/Documents/TFJS/", "Sources/ONNXExport/Forms/",
  "Sources/TFLiteExport/Forms/",
  "Sources/Readers/GraphImport/", "Sources/Readers/ONNX/Operations/",
  "Sources/Readers/TFLite/Operations/", "Sources/Readers/TFLite/Integers/",
  "Sources/Readers/TensorFlowGraph/Operations/",
  // Layers of Keras that are several, and mistakes of one operator.
  "Sources/Readers/Keras/KerasSequences+Attention.swift",
  "Sources/Diagnosis/Mistakes/AttentionMistake.swift",
  "Sources/ModelDSL/Layers/", "Sources/ModelDSL/Vocabulary.swift",
  "Sources/Emission/DSL/", "Sources/Emission/C/Layers/", "Sources/Lowering/Fusion.swift",
  "Sources/Emission/MPSCNN/MPSCNNPlan", "Sources/Emission/MPSGraph/MPSGraphPlan",
  // Layers that netconv makes itself: those of a scaffold, the probe's, those that change an order, those that change
  // nothing.
  "Sources/Readers/Binding/Scaffold/", "Sources/NetconvKit/Probe/ProbeModel.swift",
  "Sources/Transforms/ChannelOrder/",
]

/// Operators that any code may create layers of: they have no effect.
private let namesForAll: Set = ["Identity"]

extension Repository {
  /// Lines that name an operator where that is nobody's business.
  func misplacedOperatorNames() throws -> [String] {
    let list = try list(
      in: "Sources/Operators/Operators.swift", startingWith: "let all: [any Operator.Type] = [")
    let known = Set(list).subtracting(namesForAll)
    return try sources().filter { file in
      file.isSwift && !placesThatNameOperators.contains { file.path.hasPrefix($0) }
    }.flatMap { file in
      file.codeLines.flatMap { number, line in
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
        return words.compactMap { word -> String? in
          // A member of that name is another thing; so is a type inside another one.
          let name = word.split(separator: ".", omittingEmptySubsequences: false)
          guard let first = name.first, known.contains(String(first)) else { return nil }
          return "\(file.path):\(number): \(first)"
        }
      }
    }
  }
}

extension Repository.SourceFile {
  /// The lines with their numbers, without comments and texts.
  var codeLines: [(number: Int, line: Substring)] {
    let literal = #/"(?:[^"\\]|\\.)*"/#
    return linesOutsideOfTexts.map { number, line in
      let code =
        line.contains("\"") ? line.replacing(literal, with: "\"\"") : line
      return (number, code[..<(code.firstRange(of: "//")?.lowerBound ?? code.endIndex)])
    }
  }
}

@Suite struct OperatorNameTests {
  @Test func `an operator is named only by what owns it`() throws {
    #expect(try Repository.here.misplacedOperatorNames() == [])
  }

  @Test func `the places that may name operators exist`() throws {
    let paths = try Repository.here.sources().map(\.path)
    for place in placesThatNameOperators {
      #expect(paths.contains { $0.hasPrefix(place) }, "\(place)")
    }
  }

  @Test func `a name in the wrong place is found`() throws {
    let copy = try Copy()
    try copy.folder.write(
      """
      // Dense in a comment is a word, and so it is in a text: "Dense".
      let text = "Dense is \\(1)"
      let kernel = Other.Dense()
      func f(_ operation: any Operator) -> Bool { operation is Dense || operation is Identity }
      """, to: "Sources/Diagnosis/Bad.swift")
    #expect(
      try copy.repository.misplacedOperatorNames() == ["Sources/Diagnosis/Bad.swift:4: Dense"])
  }
}
