import Operators
import TestSupport
import Testing

extension Repository {
  /// `Convolution` of `Convolution2D`.
  func family(_ name: String) -> String {
    ["1D", "2D", "3D"].contains { name.hasSuffix($0) } ? String(name.dropLast(2)) : name
  }

  /// The families of operators, each once if its members are different ones.
  private func operatorFamilies(_ names: [String]) -> [String] {
    let members = names.filter { family($0) != $0 }
    return names.filter { family($0) == $0 } + Array(Set(members.map(family)))
      + Set(members).filter { name in members.count { $0 == name } > 1 }.map(family)
  }

  /// Operators: one folder each.
  func operatorProblems() throws -> [String] {
    let list = "Sources/Operators/Operators.swift"
    // What several operators have: kinds of attributes, and facts.
    let shared = ["Attributes", "Traits"]
    let folders = try folders(in: "Sources/Operators").filter { !shared.contains($0) }
    // An operator over images and the same over sequences and volumes are one folder.
    let lines = try differences(
      operatorFamilies(
        self.list(in: list, startingWith: "let all: [any Operator.Type] = [")), folders, in: list
    ) { "\($0).self," }
    let tests = try Set(swiftFiles(in: "Tests/OperatorsTests"))
    return lines
      + folders.filter { !tests.contains("\($0)Tests") }.map {
        "Tests/OperatorsTests/\($0)Tests.swift is missing"
      }
  }

  /// Layers of Keras: one file each.
  func kerasLayerProblems() throws -> [String] {
    let list = "Sources/Readers/Keras/KerasLayerMapping.swift"
    return try differences(
      self.list(in: list, startingWith: "let all: [any KerasLayerMapping.Type] = ["),
      swiftFiles(in: "Sources/Readers/Keras/Layers"), in: list
    ) { "\($0).self," }
  }

  /// Operations of TensorFlow: one file for each kind.
  func graphOperationProblems() throws -> [String] {
    let list = "Sources/Readers/TensorFlowGraph/Mapping/GraphOperation.swift"
    return try differences(
      self.list(in: list, startingWith: "let all: [any GraphOperation.Type] = ["),
      swiftFiles(in: "Sources/Readers/TensorFlowGraph/Operations"), in: list
    ) { "\($0).self," }
  }

  /// Operations of ONNX: one file for each kind.
  func onnxOperationProblems() throws -> [String] {
    let list = "Sources/Readers/ONNX/ONNXOperation.swift"
    return try differences(
      self.list(in: list, startingWith: "let all: [any ONNXOperation.Type] = ["),
      swiftFiles(in: "Sources/Readers/ONNX/Operations"), in: list
    ) { "\($0).self," }
  }

  /// The TensorFlow Lite operators: one file per group.
  func tfliteOperationProblems() throws -> [String] {
    let list = "Sources/Readers/TFLite/TFLiteOperation.swift"
    return try differences(
      self.list(in: list, startingWith: "let all: [any TFLiteOperation.Type] = ["),
      swiftFiles(in: "Sources/Readers/TFLite/Operations"), in: list
    ) { "\($0).self," }
  }

  /// The operations of Core ML that are written and read: one file per group.
  func coreMLOperationProblems() throws -> [String] {
    let lists = [
      (
        "Sources/CoreMLExport/Building/MILNode.swift",
        "static let all: [any MILTranslation.Type] = [", "Sources/CoreMLExport/Operations"
      ),
      (
        "Sources/Readers/CoreML/CoreMLOperations.swift",
        "static let all: [any CoreMLOperationKind.Type] = [", "Sources/Readers/CoreML/Operations"
      ),
    ]
    return try lists.flatMap { list, start, folder in
      try differences(
        self.list(in: list, startingWith: String(start.dropFirst("static ".count))),
        swiftFiles(in: folder), in: list
      ) { "\($0).self," }
    }
  }

  /// Readers: one folder per format with a file for each reader; `Keras` contains the code that Keras's formats share.
  func readerProblems() throws -> [String] {
    let list = "Sources/Readers/Reader.swift"
    var readers: [String] = []
    var problems: [String] = []
    // What readers share: graphs for weights, the containers that netconv writes, formats that are only named, the import
    // of graphs, fields of JSON, the layers of Keras, forms of quantised weights, the replacement of layers, and names of
    // weights.
    let shared = [
      "Binding", "Containers", "Foreign", "GraphImport", "JSON", "Keras", "Quantized", "Replacing",
      "Scopes",
    ]
    for folder in try folders(in: "Sources/Readers") where !shared.contains(folder) {
      let files = try swiftFiles(in: "Sources/Readers/\(folder)").filter { $0.hasSuffix("Reader") }
      readers += files
      if files.isEmpty { problems.append("Sources/Readers/\(folder) has no reader") }
    }
    return try problems
      + differences(
        self.list(in: list, startingWith: "let all: [any ModelReader.Type] = ["), readers, in: list
      ) { "\($0).self," }
  }

  /// Targets: one file each, which declares the target.
  func targetProblems() throws -> [String] {
    let list = "Sources/Transforms/Layout/Target.swift"
    let folder = "Sources/Transforms/Layout/Targets"
    var targets: [String] = []
    var problems: [String] = []
    for file in try swiftFiles(in: folder) {
      let found = try text("\(folder)/\(file).swift").matches(of: #/static let (\w+) = Target\(/#)
        .map { String($0.output.1) }
      targets += found
      if found.count != 1
        || found.first.map({ file.lowercased() != "\($0)target".lowercased() }) ?? true
      {
        problems.append(
          "\(folder)/\(file).swift declares \(found), expected the target of its name")
      }
    }
    return try problems
      + differences(
        self.list(in: list, startingWith: "let all: [Target] = ["), targets, in: list
      ) { ".\($0)," }
  }

  /// Fast kernels: one file each.
  func kernelProblems() throws -> [String] {
    let start = "let all: [any FastKernel.Type] = ["
    let list =
      try sources().first { $0.module == "Execution" && $0.text.contains(start) }?.path
      ?? "Sources/Execution/Fast/FastKernels.swift"
    return try differences(
      // One kernel may serve several operators: `ViewKernel<Flatten>.self`.
      Array(Set(self.list(in: list, startingWith: start))),
      swiftFiles(in: "Sources/Execution/Kernels"), in: list
    ) { "\($0).self," }
  }

  /// Mistakes that are diagnosed: one file each.
  func mistakeProblems() throws -> [String] {
    let list = "Sources/Diagnosis/Mistakes/Mistake.swift"
    return try differences(
      self.list(in: list, startingWith: "static let all: [any Mistake.Type] = ["),
      swiftFiles(in: "Sources/Diagnosis/Mistakes").filter {
        $0.hasSuffix("Mistake") && $0 != "Mistake"
      }, in: list
    ) { "\($0).self," }
  }

  /// Containers: one file each with its properties, an extension that writes it, and one that reads it unless it is
  /// source text.
  func containerProblems() throws -> [String] {
    let folder = "Sources/Documents/Containers"
    let list = folder + "/OutputFormat.swift"
    let files = try swiftFiles(in: folder).filter { $0.hasSuffix("Container") }
    let sources = try sources()
    func extends(_ container: String, _ module: String, with support: String) -> Bool {
      sources.contains {
        $0.module == module && $0.text.contains("extension \(container): \(support)")
      }
    }
    let lines = try differences(
      self.list(in: list, startingWith: "let allCases: [OutputFormat] = ["),
      files.map { $0.dropLast("Container".count).lowercased() }, in: list
    ) { ".\($0)," }
    return try lines
      + files.filter { !extends($0, "Writers", with: "WritableContainer") }.map {
        "nothing in Sources/Writers extends \($0) with WritableContainer"
      }
      + files.filter { file in
        let isRead = try !text("\(folder)/\(file).swift").contains("isSourceText: true")
        return isRead && !extends(file, "Readers", with: "ReadableContainer")
      }.map { "nothing in Sources/Readers extends \($0) with ReadableContainer" }
  }

  /// Languages: one folder each with a file that declares it; `Package` contains the code that package languages share.
  func languageProblems() throws -> [String] {
    let list = "Sources/Emission/EmittedLanguage.swift"
    var languages: [String] = []
    var problems: [String] = []
    for folder in try folders(in: "Sources/Emission") where folder != "Package" {
      let found = try swiftFiles(in: "Sources/Emission/\(folder)").filter {
        $0 == "\(folder)Language"
      }
      languages += found.map { _ in folder.lowercased() }
      if found.isEmpty { problems.append("Sources/Emission/\(folder) has no language") }
    }
    return try problems
      + differences(
        self.list(in: list, startingWith: "let all: [EmittedLanguage] = ["), languages, in: list
      ) { ".\($0)," }
  }

  /// Verbs: one file each.
  func commandProblems() throws -> [String] {
    let list = "Sources/NetconvCLI/NetconvCommand.swift"
    return try differences(
      self.list(in: list, startingWith: "subcommands: ["),
      swiftFiles(in: "Sources/NetconvCLI/Commands"), in: list
    ) { "\($0).self," }
  }
}

@Suite struct RegistryTests {
  @Test func `every operator has its line and its test`() throws {
    #expect(try Repository.here.operatorProblems() == [])
    #expect(
      try Repository.here.folders(in: "Sources/Operators").filter {
        !["Attributes", "Traits"].contains($0)
      }
        == Set(OperatorRegistry.all.map { Repository.here.family($0.name) }).sorted())
  }

  @Test func `every Keras layer has its line`() throws {
    #expect(try Repository.here.kerasLayerProblems() == [])
  }

  @Test func `every kind of operation of TensorFlow has its line`() throws {
    #expect(try Repository.here.graphOperationProblems() == [])
  }

  @Test func `every reader has its line`() throws {
    #expect(try Repository.here.readerProblems() == [])
  }

  @Test func `every operation of ONNX has its line`() throws {
    #expect(try Repository.here.onnxOperationProblems() == [])
  }

  @Test func `every operator of TensorFlow Lite has its line`() throws {
    #expect(try Repository.here.tfliteOperationProblems() == [])
  }

  @Test func `every operation of Core ML has its line`() throws {
    #expect(try Repository.here.coreMLOperationProblems() == [])
  }

  @Test func `every target has its line`() throws {
    #expect(try Repository.here.targetProblems() == [])
  }

  @Test func `every mistake has its line`() throws {
    #expect(try Repository.here.mistakeProblems() == [])
  }

  @Test func `every fast kernel has its line`() throws {
    #expect(try Repository.here.kernelProblems() == [])
  }

  @Test func `every container has its line, is written, and is read`() throws {
    #expect(try Repository.here.containerProblems() == [])
  }

  @Test func `every language has its line`() throws {
    #expect(try Repository.here.languageProblems() == [])
  }

  @Test func `every verb has its line`() throws {
    #expect(try Repository.here.commandProblems() == [])
  }

  // MARK: - The checks can fail

  @Test func `a file without a line is found, with the line to add`() throws {
    let copy = try Copy()
    for path in [
      "Sources/Operators/Swish/Swish.swift", "Sources/Readers/Keras/Layers/KerasSwish.swift",
      "Sources/Readers/Onnx/OnnxReader.swift", "Sources/Readers/Empty/Helper.swift",
      "Sources/Execution/Kernels/SwishKernel.swift",
      "Sources/Documents/Containers/TarContainer.swift",
      "Sources/NetconvCLI/Commands/BenchCommand.swift", "Sources/Emission/Vulkan/Empty.swift",
      "Sources/Readers/TensorFlowGraph/Operations/GraphCumsum.swift",
      "Sources/Emission/BNNS/BNNSLanguage.swift",
    ] {
      try copy.folder.write("", to: path)
    }
    try copy.folder.write(
      "static let tpu = Target(", to: "Sources/Transforms/Layout/Targets/TPUTarget.swift")
    let repository = copy.repository
    #expect(
      try repository.operatorProblems() == [
        "Sources/Operators/Operators.swift lacks the line: Swish.self,",
        "Tests/OperatorsTests/SwishTests.swift is missing",
      ])
    #expect(
      try repository.kerasLayerProblems() == [
        "Sources/Readers/Keras/KerasLayerMapping.swift lacks the line: KerasSwish.self,"
      ])
    #expect(
      try repository.graphOperationProblems() == [
        "Sources/Readers/TensorFlowGraph/Mapping/GraphOperation.swift lacks the line: GraphCumsum.self,"
      ])
    #expect(
      try repository.readerProblems() == [
        "Sources/Readers/Empty has no reader",
        "Sources/Readers/Reader.swift lacks the line: OnnxReader.self,",
      ])
    #expect(
      try repository.targetProblems() == [
        "Sources/Transforms/Layout/Target.swift lacks the line: .tpu,"
      ])
    #expect(
      try repository.kernelProblems().map { $0.suffix(41) } == [
        "FastKernels.swift lacks the line: SwishKernel.self,".suffix(41)
      ])
    #expect(
      try repository.containerProblems() == [
        "Sources/Documents/Containers/OutputFormat.swift lacks the line: .tar,",
        "nothing in Sources/Writers extends TarContainer with WritableContainer",
        "nothing in Sources/Readers extends TarContainer with ReadableContainer",
      ])
    #expect(
      try repository.languageProblems() == [
        "Sources/Emission/Vulkan has no language",
        "Sources/Emission/EmittedLanguage.swift lacks the line: .bnns,",
      ])
    #expect(
      try repository.commandProblems() == [
        "Sources/NetconvCLI/NetconvCommand.swift lacks the line: BenchCommand.self,"
      ])
  }

  @Test func `a line without a file, or a line twice, is found`() throws {
    let copy = try Copy()
    try copy.replace(
      " Add.self,", with: " Add.self, Add.self, Ghost.self,",
      in: "Sources/Operators/Operators.swift")
    try copy.replace(
      "    .mps,\n", with: "    .mps, .ghost,\n", in: "Sources/Transforms/Layout/Target.swift")
    try copy.replace(
      "static let mps", with: "static let tpu",
      in: "Sources/Transforms/Layout/Targets/MPSTarget.swift")
    #expect(
      try copy.repository.operatorProblems() == [
        "Sources/Operators/Operators.swift has a line without a file: Ghost.self,",
        "Sources/Operators/Operators.swift has a line twice: Add.self,",
      ])
    #expect(
      try copy.repository.targetProblems() == [
        "Sources/Transforms/Layout/Targets/MPSTarget.swift declares [\"tpu\"], expected the target of "
          + "its name", "Sources/Transforms/Layout/Target.swift lacks the line: .tpu,",
        "Sources/Transforms/Layout/Target.swift has a line without a file: .ghost,",
        "Sources/Transforms/Layout/Target.swift has a line without a file: .mps,",
      ])
  }
}
