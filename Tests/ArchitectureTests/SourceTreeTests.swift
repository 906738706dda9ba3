import Foundation
import TestSupport
import Testing

extension Repository {
  /// Modules without tests of their own: C code, `main.swift`, and modules that ZlibTests and DatasetsTests cover.
  private static let untested: Set<String> = [
    "CChecksums", "CEmitted", "CHDF5", "CHDF5Window", "CKernels", "CMNIST", "CPages", "CPictures",
    "CSHA256", "CSystemCalls", "CTopics", "CZlib",
    "Files", "Numpy", "Processor", "netconv",
  ]

  /// File names that a module has twice; two of them do not build.
  func duplicateFileNames() throws -> [String] {
    let names = Dictionary(grouping: try sources().filter(\.isSwift)) { "\($0.module)/\($0.name)" }
    return names.filter { $1.count > 1 }.keys.sorted()
  }

  /// Types that are called like a module, which then cannot be named any more.
  func typesNamedAfterModules() throws -> [String] {
    let modules = try Set(folders(in: "Sources"))
    let declaration = #/\b(?:struct|enum|class|actor|protocol|typealias)\s+(\w+)/#
    return try sources().filter(\.isSwift).flatMap { file in
      file.text.matches(of: declaration)
        .map { String($0.output.1) }.filter(modules.contains).map { "\(file.path): \($0)" }
    }
  }

  /// Tests that start programs without a helper, so that nothing ensures that they check the exit code.
  ///
  /// The stand-ins are a separate package; its only such call throws the program's error.
  func testsThatStartPrograms() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: "\(root)/Tests").sorted()
      .filter { $0.hasSuffix(".swift") && !$0.hasPrefix("StandIns/") && !$0.contains("/.build/") }
      .filter { $0 != "TestSupport/RunningProgram.swift" }
      .filter {
        let text = try text("Tests/\($0)")
        return ["Process(", "posix_spawn"].contains(where: text.contains)
          && text.contains(#/\b(Process\(\)|posix_spawnp?\()/#)
      }
  }

  /// Literals outside the command line that name an option; a library has none, and a message carries a `Remedy`.
  func optionsInLibraries() throws -> [String] {
    let option = #/(?:^|[^\w-])(--[a-z][\w-]*)/#
    return try sources().filter { $0.isSwift && $0.module != "NetconvCLI" }.flatMap { file in
      // Comments may name options.
      file.uncommentedLines.filter { $0.line.contains("--") }.flatMap { number, line in
        line.matches(of: option)
          .map { "\(file.path):\(number): \($0.output.1)" }
      }
    }
  }

  /// Readers that open a path themselves; a source is opened once, to be recognised, and then handed on.
  func readersThatOpenPaths() throws -> [String] {
    try sources().filter { file in
      file.path.hasPrefix("Sources/Readers/") && file.text.contains("RandomAccessFile(path:")
    }.map(\.name)
  }

  /// Test folders without a module, and modules without a test folder.
  func unmirroredFolders() throws -> [String] {
    let modules = try Set(folders(in: "Sources"))
    let tests = try Set(
      folders(in: "Tests").filter { $0.hasSuffix("Tests") && $0 != "ArchitectureTests" }
        .map { String($0.dropLast(5)) })
    return tests.subtracting(modules).sorted().map { "Tests/\($0)Tests has no module" }
      + modules.subtracting(tests).subtracting(Self.untested).sorted().map {
        "Sources/\($0) has no tests"
      }
  }
}

@Suite struct SourceTreeTests {
  @Test func `file names are unique within a module`() throws {
    #expect(try Repository.here.duplicateFileNames() == [])
  }

  @Test func `no type is named after a module`() throws {
    #expect(try Repository.here.typesNamedAfterModules() == [])
  }

  @Test func `every test folder mirrors a module`() throws {
    #expect(try Repository.here.unmirroredFolders() == [])
  }

  @Test func `tests start programs in one place, which looks at exit codes`() throws {
    #expect(try Repository.here.testsThatStartPrograms() == [])
  }

  @Test func `libraries do not speak of options`() throws {
    #expect(try Repository.here.optionsInLibraries() == [])
  }

  @Test func `a source is opened in one place`() throws {
    // Files of an architecture, of names and of quantisation are no part of the source that is recognised; a checkpoint, an
    // adapter, a SavedModel, shards and a GGUF file in parts have others beside the one that is.
    #expect(
      try Repository.here.readersThatOpenPaths() == [
        "Adapter.swift", "GGUFParts.swift", "KerasConfigFile.swift", "QuantizationConfig.swift",
        "Reader.swift", "ShardIndexReader.swift", "CheckpointFiles.swift", "VariableRenames.swift",
        "TensorFlowSavedModelReader.swift",
      ])
  }

  @Test func `the checks can fail`() throws {
    let copy = try Copy()
    try copy.folder.write(
      "/// As `--force` does.\nlet text = \"pass --force\"\n",
      to: "Sources/Zlib/Advice.swift")
    #expect(try copy.repository.optionsInLibraries() == ["Sources/Zlib/Advice.swift:2: --force"])
    try copy.folder.write("let process = Process" + "()\n", to: "Tests/ZlibTests/Starting.swift")
    #expect(try copy.repository.testsThatStartPrograms() == ["ZlibTests/Starting.swift"])
    try copy.folder.write("public struct Zlib {}\n", to: "Sources/Readers/Other/Inflate.swift")
    try copy.folder.write("", to: "Sources/Readers/Another/Inflate.swift")
    try copy.folder.write("", to: "Sources/Ghosts/Ghost.swift")
    try copy.folder.write("", to: "Tests/EmitterTests/EmitterTests.swift")
    #expect(try copy.repository.duplicateFileNames() == ["Readers/Inflate.swift"])
    #expect(
      try copy.repository.typesNamedAfterModules() == ["Sources/Readers/Other/Inflate.swift: Zlib"])
    #expect(
      try copy.repository.unmirroredFolders() == [
        "Tests/EmitterTests has no module", "Sources/Ghosts has no tests",
      ])
  }
}
