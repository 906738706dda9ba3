import Foundation
import TestSupport
import Testing

/// The only allowed arrows between modules.
///
/// `Package.swift` and CONTRIBUTING.md say the same.
private let arrows: [String: Set<String>] = [
  "CHDF5": [], "CZlib": [], "CSystemCalls": [], "CMNIST": [], "CKernels": [],
  "ModelIR": [],
  "CHDF5Window": ["CHDF5"],
  "HDF5": ["CHDF5", "CHDF5Window", "Files", "ModelIR"],
  "Files": ["ModelIR"],
  "Zlib": ["CZlib", "Files", "ModelIR"],
  "Numpy": ["ModelIR"],
  "Operators": ["ModelIR"],
  "ModelDSL": ["Operators", "ModelIR"],
  "Documents": ["Operators", "ModelIR"],
  "Readers": ["HDF5", "Zlib", "Files", "Numpy", "Documents", "Operators", "ModelIR", "Crypto"],
  "Transforms": ["Operators", "ModelIR"],
  "Emission": ["Transforms", "Operators", "ModelIR"],
  "Writers": [
    "Zlib", "Files", "Numpy", "Documents", "Operators", "ModelIR", "CSystemCalls", "Crypto",
  ],
  "Execution": ["Operators", "ModelIR", "CKernels"],
  "Diagnosis": ["Transforms", "Execution", "Operators", "ModelIR"],
  "Datasets": ["Zlib", "Files", "Numpy", "ModelIR", "CMNIST"],
  "NetconvKit": [
    "Readers", "Transforms", "Emission", "Writers", "Execution", "Diagnosis", "Datasets",
    "Documents", "Operators", "ModelIR", "HDF5", "Zlib", "Files", "Crypto",
  ],
  "NetconvCLI": ["NetconvKit", "ModelIR", "ArgumentParser"],
  "netconv": ["NetconvCLI"],
]

/// What a module may use of the system; the C library under each of its names.
private let systemModules: [String: Set<String>] = [
  "HDF5": ["Synchronization"],
  "Files": ["Glibc", "Darwin", "Musl"],
  "Operators": ["Glibc", "Darwin", "Musl"],
  "ModelDSL": ["Synchronization"],
  "Readers": ["Synchronization"],
  "Documents": ["FoundationEssentials"],
  "Writers": ["Glibc", "Darwin", "Musl", "Synchronization", "Dispatch"],
  "Execution": ["Glibc", "Darwin", "Musl", "Synchronization", "Dispatch"],
  "Diagnosis": ["Synchronization", "Dispatch"],
  "NetconvKit": ["Synchronization", "Dispatch"],
  "NetconvCLI": ["Glibc", "Darwin", "Musl", "Synchronization"],
]

/// C headers that a module may use besides its own.
private let systemHeaders: [String: Set<String>] = [
  "CHDF5": [
    "hdf5.h", "H5FDdevelop.h", "hdf5/serial/hdf5.h", "hdf5/serial/H5FDdevelop.h",
    "/opt/homebrew/include/hdf5.h", "/opt/homebrew/include/H5FDdevelop.h", "dlfcn.h", "stddef.h",
    "stdint.h", "stdio.h", "string.h",
  ],
  "CHDF5Window": [
    "chdf5.h", "errno.h", "fcntl.h", "stdint.h", "stdlib.h", "sys/stat.h", "sys/types.h",
    "unistd.h",
  ],
  "CZlib": ["zlib.h"],
  "CSystemCalls": ["fcntl.h", "stdio.h"],
  "CMNIST": ["stddef.h"],
  "CKernels": [
    "limits.h", "math.h", "sched.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h",
    "sys/resource.h", "unistd.h",
  ],
]

extension Repository.SourceFile {
  /// The lines that are no part of a text of several lines, such as the source of an emitted package.
  fileprivate var linesOutsideOfTexts: [Substring] {
    var isInside = false
    return text.split(separator: "\n").filter { line in
      let opensOrCloses = line.ranges(of: "\"\"\"").count % 2 == 1
      defer { if opensOrCloses { isInside.toggle() } }
      return !isInside
    }
  }
}

extension Repository {
  /// Imports that the tables above do not allow.
  func forbiddenImports() throws -> [String] {
    try sources().flatMap { file in
      file.isSwift ? forbiddenSwiftImports(file) : forbiddenIncludes(file)
    }
  }

  private func forbiddenSwiftImports(_ file: SourceFile) -> [String] {
    guard let allowed = arrows[file.module] else {
      return ["\(file.path): the module \(file.module) is not in the table of ImportTests.swift"]
    }
    let pattern =
      #/^\s*(?:@\w+(?:\([^)]*\))?\s+)*(\w+\s+)?import\s+(?:(?:struct|class|enum|protocol|typealias|func|var|let)\s+)?(\w+)/#
    return file.linesOutsideOfTexts.compactMap { line in
      guard let match = line.firstMatch(of: pattern) else { return nil }
      let module = String(match.output.2)
      guard allowed.union(systemModules[file.module] ?? []).contains(module) else {
        return "\(file.path): \(file.module) may not import \(module)"
      }
      let isInternal = match.output.1.map { $0.hasPrefix("internal") } ?? false
      return module.wholeMatch(of: #/C[A-Z]\w+/#) == nil || isInternal
        ? nil : "\(file.path): write 'internal import \(module)', so that C stays inside the module"
    }
  }

  private func forbiddenIncludes(_ file: SourceFile) -> [String] {
    file.text.split(separator: "\n").compactMap { line in
      if let match = line.firstMatch(of: #/^\s*#\s*(?:include|import)\s*<([^>]+)>/#) {
        let header = String(match.output.1)
        return systemHeaders[file.module]?.contains(header) == true
          ? nil : "\(file.path): \(file.module) may not include <\(header)>"
      }
      guard let match = line.firstMatch(of: #/^\s*#\s*(?:include|import)\s*"([^"]+)"/#) else {
        return nil
      }
      let folder = "\(root)/\(file.path)".split(separator: "/").dropLast().joined(separator: "/")
      let candidates = ["/\(folder)", "\(root)/Sources/\(file.module)/include"].map {
        URL(filePath: "\($0)/\(match.output.1)").standardizedFileURL.path(percentEncoded: false)
      }
      let own = URL(filePath: "\(root)/Sources/\(file.module)").standardizedFileURL
        .path(percentEncoded: false)
      return candidates.contains {
        $0.hasPrefix(own + "/") && FileManager.default.fileExists(atPath: $0)
      } ? nil : "\(file.path): \"\(match.output.1)\" is not a header of \(file.module)"
    }
  }

  /// Modules whose line in CONTRIBUTING.md is not that of the table above.
  func differingLines() throws -> [String] {
    let pattern = #/(?m)^\| (?<names>`\w+`(?:, `\w+`)*) \|[^|]*\| (?<imports>[^|]*) \|$/#
    var lines: [String: Set<String>] = [:]
    for match in try text("CONTRIBUTING.md").matches(of: pattern) {
      let swiftModules = lines.keys.filter { $0.wholeMatch(of: #/C[A-Z]\w*/#) == nil }
      var imports: Set<String> = []
      for name in match.output.imports.split(separator: ", ") where name != "C" && name != "–" {
        if name == "all Swift modules above" {
          imports.formUnion(swiftModules)
        } else {
          imports.insert(String(name))
        }
      }
      for name in match.output.names.matches(of: #/\w+/#) { lines[String(name.output)] = imports }
    }
    return Set(arrows.keys).union(lines.keys).sorted().filter { lines[$0] != arrows[$0] }.map {
      "\($0): CONTRIBUTING.md and the table of ImportTests.swift differ in "
        + (lines[$0] ?? []).symmetricDifference(arrows[$0] ?? []).sorted().joined(separator: ", ")
    }
  }

  /// Modules whose dependencies in `Package.swift` are not those of the table above.
  func differingDependencies() throws -> [String] {
    // Comments may hold brackets.
    let manifest = try text("Package.swift").replacing(#/(?m)^\s*\/\/.*$/#, with: "")
    let pattern =
      #/\.(target|executableTarget|systemLibrary)\(\s*name: "(\w+)"(?<rest>(?:[^()]|\([^()]*\))*)\)/#
    var declared: [String: Set<String>] = [:]
    for match in manifest.matches(of: pattern)
    where !["TestSupport", "SampleModels", "MicroBenchmarks", "Libraries"].contains(match.output.2)
    {
      let rest = match.output.rest
      var names: Set<String> = []
      if match.output.1 != "systemLibrary", let start = rest.range(of: "dependencies: [") {
        let list = rest[start.upperBound...].prefix { $0 != "]" }
          .replacing(#/, package: "[^"]+"/#, with: "")
        names = Set(list.matches(of: #/"(\w+)"/#).map { String($0.output.1) })
      }
      declared[String(match.output.2)] = names
    }
    return Set(arrows.keys).union(declared.keys).sorted().compactMap { module in
      guard let table = arrows[module] else {
        return "\(module): Package.swift has it, the table of ImportTests.swift does not"
      }
      guard let package = declared[module] else {
        return "\(module): the table of ImportTests.swift has it, Package.swift does not"
      }
      guard table != package else { return nil }
      return "\(module): Package.swift and the table of ImportTests.swift differ in "
        + table.symmetricDifference(package).sorted().joined(separator: ", ")
    }
  }
}

@Suite struct ImportTests {
  @Test func `no file imports what its module may not`() throws {
    #expect(try Repository.here.forbiddenImports() == [])
  }

  @Test func `Package.swift allows the same arrows`() throws {
    #expect(try Repository.here.differingDependencies() == [])
  }

  @Test func `CONTRIBUTING says the same`() throws {
    #expect(try Repository.here.differingLines() == [])
  }

  @Test func `the arrows have no cycle, and C modules have their one user`() {
    var rest = arrows
    while let leaf = rest.first(where: { $0.value.allSatisfy { rest[$0] == nil } }) {
      rest[leaf.key] = nil
    }
    #expect(rest.isEmpty)
    func users(_ module: String) -> [String] {
      arrows.filter { $0.value.contains(module) }.keys.sorted()
    }
    #expect(users("CHDF5") == ["CHDF5Window", "HDF5"])
    #expect(users("CHDF5Window") == ["HDF5"])
    #expect(users("CZlib") == ["Zlib"])
    #expect(users("CSystemCalls") == ["Writers"])
    #expect(users("CMNIST") == ["Datasets"])
    #expect(users("CKernels") == ["Execution"])
  }

  @Test func `no module may use the whole of Foundation`() {
    for modules in systemModules.values { #expect(!modules.contains("Foundation")) }
  }

  // MARK: - The checks can fail

  @Test(arguments: [
    ("import Foundation", "may not import Foundation"), ("import HDF5", "may not import HDF5"),
    ("  public import struct Foundation.Data", "may not import Foundation"),
    ("@preconcurrency import Dispatch", "may not import Dispatch"),
    ("@_spi(X) internal import CZlib", "may not import CZlib"),
  ])
  func `a forbidden import is found`(line: String, problem: String) throws {
    let copy = try Copy()
    try copy.folder.write("import ModelIR\n\(line)\n", to: "Sources/Operators/Bad.swift")
    #expect(
      try copy.repository.forbiddenImports() == [
        "Sources/Operators/Bad.swift: Operators \(problem)"
      ])
  }

  @Test func `a C module that is imported for everyone is found`() throws {
    let copy = try Copy()
    try copy.folder.write("import CZlib\n", to: "Sources/Zlib/Bad.swift")
    #expect(
      try copy.repository.forbiddenImports() == [
        "Sources/Zlib/Bad.swift: write 'internal import CZlib', so that C stays inside the module"
      ])
  }

  @Test func `a header of another module is found, and a module that nobody knows`() throws {
    let copy = try Copy()
    try copy.folder.write(
      "#include <zlib.h>\n#include \"../CSystemCalls/include/csystemcalls.h\"\n#include \"none.h\"\n",
      to: "Sources/CMNIST/bad.c")
    try copy.folder.write("let x = 1\n", to: "Sources/Extra/Extra.swift")
    #expect(
      try copy.repository.forbiddenImports() == [
        "Sources/CMNIST/bad.c: CMNIST may not include <zlib.h>",
        "Sources/CMNIST/bad.c: \"../CSystemCalls/include/csystemcalls.h\" is not a header of CMNIST",
        "Sources/CMNIST/bad.c: \"none.h\" is not a header of CMNIST",
        "Sources/Extra/Extra.swift: the module Extra is not in the table of ImportTests.swift",
      ])
  }

  @Test func `a line of CONTRIBUTING that says otherwise is found`() throws {
    let copy = try Copy()
    try copy.replace(
      "| CZlib, Files, ModelIR |", with: "| CZlib, CSystemCalls, ModelIR |", in: "CONTRIBUTING.md")
    #expect(
      try copy.repository.differingLines() == [
        "Zlib: CONTRIBUTING.md and the table of ImportTests.swift differ in CSystemCalls, Files"
      ])
  }

  @Test func `a dependency more or less is found`() throws {
    let copy = try Copy()
    try copy.replace(
      #".target(name: "Files", dependencies: ["ModelIR"])"#,
      with: #".target(name: "Files", dependencies: ["ModelIR", "Zlib"])"#, in: "Package.swift")
    try copy.replace(
      #".executableTarget(name: "netconv", dependencies: ["NetconvCLI"])"#,
      with: #".executableTarget(name: "netconv")"#, in: "Package.swift")
    #expect(
      try copy.repository.differingDependencies() == [
        "Files: Package.swift and the table of ImportTests.swift differ in Zlib",
        "netconv: Package.swift and the table of ImportTests.swift differ in NetconvCLI",
      ])
  }
}
