import Foundation
import TestSupport
import Testing

/// The system modules that each module may import; the C library under each of its names.
private let systemModules: [String: Set<String>] = [
  "Digests": ["CryptoKit"],
  "Confinement": ["Glibc", "Darwin", "Synchronization"],
  "Memory": ["Glibc", "Darwin", "Synchronization"],
  "HDF5": ["Synchronization"],
  "Pictures": ["Synchronization"],
  "Files": ["Glibc", "Darwin", "Musl"],
  "Operators": ["Glibc", "Darwin", "Musl", "Dispatch"],
  "ModelDSL": ["Synchronization"],
  "Readers": ["Glibc", "Darwin", "Musl", "Synchronization"],
  "Documents": ["FoundationEssentials"],
  "Writers": ["Glibc", "Darwin", "Musl", "Synchronization", "Dispatch"],
  "Processor": ["Glibc", "Darwin", "Synchronization", "Dispatch"],
  "ImageFilters": ["Glibc", "Darwin", "Musl"],
  "Execution": ["Glibc", "Darwin", "Musl", "Synchronization", "Dispatch"],
  "Diagnosis": ["Synchronization", "Dispatch"],
  "Relations": ["Glibc", "Darwin", "Synchronization"],
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
    "chdf5.h", "errno.h", "fcntl.h", "stdint.h", "stdlib.h", "sys/types.h",
    "unistd.h",
  ],
  "CZlib": ["zlib.h"],
  "CSystemCalls": [
    "errno.h", "fcntl.h", "linux/audit.h", "linux/filter.h", "linux/seccomp.h", "poll.h",
    "pthread.h",
    "signal.h", "spawn.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h", "sys/mman.h",
    "sys/prctl.h", "sys/resource.h", "sys/socket.h", "sys/syscall.h", "sys/types.h", "sys/wait.h",
    "time.h", "unistd.h",
  ],
  "CSHA256": ["openssl/sha.h", "stddef.h", "stdint.h"],
  "CChecksums": [
    "arm_acle.h", "asm/hwcap.h", "nmmintrin.h", "stdbool.h", "stddef.h", "stdint.h", "string.h",
    "sys/auxv.h",
  ],
  "CPictures": [
    "jerror.h", "jpeglib.h", "png.h", "setjmp.h", "stddef.h", "stdint.h", "stdio.h", "string.h",
  ],
  "CMNIST": ["stddef.h"],
  "CEmitted": ["stddef.h"],
  "CTopics": ["stddef.h"],
  "CPages": ["stddef.h"],
  "CKernels": [
    "limits.h", "math.h", "sched.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h",
    "unistd.h",
  ],
]

extension Repository.SourceFile {
  /// The imports of the file.
  fileprivate var imports: [(module: String, isInternal: Bool)] {
    // A search for a word is many times faster than one for a pattern.
    let lines = linesOutsideOfTexts.filter { $0.line.contains("import") }
    guard !lines.isEmpty else { return [] }
    let pattern =
      #/^\s*(?:@\w+(?:\([^)]*\))?\s+)*(\w+\s+)?import\s+(?:(?:struct|class|enum|protocol|typealias|func|var|let)\s+)?(\w+)/#
    return lines.compactMap { _, line in
      line.firstMatch(of: pattern).map { match in
        (String(match.output.2), match.output.1.map { $0.hasPrefix("internal") } ?? false)
      }
    }
  }
}

extension Repository {
  /// A target of Package.swift.
  struct Target {
    let name: String
    let kind: String
    /// From the root.
    let folder: String
    /// Folders and files in it that do not belong to it.
    let excluded: [String]
    let dependencies: Set<String>
  }

  /// The declarations in Package.swift, regardless of the environment.
  func targets() throws -> [Target] {
    // Comments may hold brackets.
    let manifest = try text("Package.swift").replacing(#/(?m)^\s*\/\/.*$/#, with: "")
    let pattern =
      #/\.(target|executableTarget|systemLibrary|testTarget)\(\s*name: "(\w+)"(?<rest>(?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/#
    return manifest.matches(of: pattern).map { match in
      let rest = match.output.rest
      func list(_ label: String) -> [String] {
        guard let start = rest.range(of: "\(label): [") else { return [] }
        return rest[start.upperBound...].prefix { $0 != "]" }
          .replacing(#/, package: "[^"]+"/#, with: "")
          .matches(of: #/"(\w+)"/#).map { String($0.output.1) }
      }
      let (kind, name) = (String(match.output.1), String(match.output.2))
      let path = rest.firstMatch(of: #/\bpath: "([^"]+)"/#).map { String($0.output.1) }
      return Target(
        name: name, kind: kind,
        folder: path ?? (kind == "testTarget" ? "Tests/\(name)" : "Sources/\(name)"),
        excluded: list("exclude"), dependencies: Set(list("dependencies")))
    }
  }

  /// The files of a target.
  func sources(of target: Target) throws -> [SourceFile] {
    try sources(in: target.folder).filter { file in
      !target.excluded.contains { file.path.hasPrefix("\(target.folder)/\($0)/") }
    }
  }

  /// The modules, each with the modules that it may import, according to Package.swift.
  func arrows() throws -> [String: Set<String>] {
    let modules = try targets().filter { $0.folder == "Sources/\($0.name)" }
    return Dictionary(uniqueKeysWithValues: modules.map { ($0.name, $0.dependencies) })
  }

  /// Imports that Package.swift and the tables above do not allow.
  func forbiddenImports() throws -> [String] {
    let arrows = try arrows()
    return try sources().flatMap { file in
      guard let allowed = arrows[file.module] else {
        return ["\(file.path): Package.swift has no module \(file.module)"]
      }
      return file.isSwift ? forbiddenSwiftImports(file, allowed) : forbiddenIncludes(file)
    }
  }

  /// Dependencies in Package.swift that no file of the target imports.
  func unusedArrows() throws -> [String] {
    let targets = try targets()
    // A test needs the program that it starts; nothing imports one.
    let programs = Set(targets.filter { $0.kind == "executableTarget" }.map(\.name))
    return try targets.sorted { $0.name < $1.name }.flatMap { target in
      let used = Set(
        try sources(of: target).flatMap { file in
          file.isSwift
            ? file.imports.map(\.module)
            // A header is named as its module is, in lower case.
            : file.text.matches(of: #/#\s*include\s*["<](\w+)\.h[">]/#).map { String($0.output.1) }
        })
      let allowed =
        target.kind == "testTarget"
        ? target.dependencies.subtracting(programs) : target.dependencies
      return allowed.filter { !used.contains($0) && !used.contains($0.lowercased()) }
        .sorted().map { "\(target.name): nothing in it imports \($0)" }
    }
  }

  private func forbiddenSwiftImports(_ file: SourceFile, _ allowed: Set<String>) -> [String] {
    file.imports.compactMap { line in
      guard allowed.union(systemModules[file.module] ?? []).contains(line.module) else {
        return "\(file.path): \(file.module) may not import \(line.module)"
      }
      return line.module.wholeMatch(of: #/C[A-Z]\w+/#) == nil || line.isInternal
        ? nil
        : "\(file.path): write 'internal import \(line.module)', so that C stays inside the module"
    }
  }

  private func forbiddenIncludes(_ file: SourceFile) -> [String] {
    let ofSystem = #/^\s*#\s*(?:include|import)\s*<([^>]+)>/#
    let own = #/^\s*#\s*(?:include|import)\s*"([^"]+)"/#
    return file.text.split(separator: "\n").filter { $0.contains("#") }.compactMap { line in
      if let match = line.firstMatch(of: ofSystem) {
        let header = String(match.output.1)
        return systemHeaders[file.module]?.contains(header) == true
          ? nil : "\(file.path): \(file.module) may not include <\(header)>"
      }
      guard let match = line.firstMatch(of: own) else { return nil }
      let folder = "\(root)/\(file.path)".split(separator: "/").dropLast().joined(separator: "/")
      let candidates = ["/\(folder)", "\(root)/Sources/\(file.module)/include"].map {
        URL(filePath: "\($0)/\(match.output.1)").standardizedFileURL.path(percentEncoded: false)
      }
      let module = URL(filePath: "\(root)/Sources/\(file.module)").standardizedFileURL
        .path(percentEncoded: false)
      return candidates.contains {
        $0.hasPrefix(module + "/") && FileManager.default.fileExists(atPath: $0)
      } ? nil : "\(file.path): \"\(match.output.1)\" is not a header of \(file.module)"
    }
  }

  /// Modules that are missing in CONTRIBUTING.md's table or in Package.swift.
  func undescribedModules() throws -> [String] {
    let rows = try text("CONTRIBUTING.md").matches(of: #/(?m)^\| (`\w+`(?:, `\w+`)*) \|[^|]*\|$/#)
    let described = Set(
      rows.flatMap { $0.output.1.matches(of: #/\w+/#) }.map { String($0.output) })
    return described.symmetricDifference(try arrows().keys).sorted()
  }
}

@Suite struct ImportTests {
  @Test func `no file imports what its module may not`() throws {
    #expect(try Repository.here.forbiddenImports() == [])
  }

  @Test func `every arrow of Package.swift is used`() throws {
    #expect(try Repository.here.unusedArrows() == [])
  }

  @Test func `CONTRIBUTING has a line for each module`() throws {
    #expect(try Repository.here.undescribedModules() == [])
  }

  @Test func `C modules have their one user`() throws {
    let arrows = try Repository.here.arrows()
    func users(_ module: String) -> [String] {
      arrows.filter { $0.value.contains(module) }.keys.sorted()
    }
    #expect(users("CHDF5") == ["CHDF5Window", "HDF5"])
    #expect(users("CHDF5Window") == ["HDF5"])
    #expect(users("CZlib") == ["Zlib"])
    #expect(users("CSystemCalls") == ["Confinement", "Files", "Memory", "Writers"])
    #expect(users("CSHA256") == ["Digests"])
    #expect(users("CMNIST") == ["Datasets"])
    #expect(users("CEmitted") == ["Emission"])
    #expect(users("CTopics") == ["NetconvCLI"])
    #expect(users("CKernels") == ["Execution", "ImageFilters", "Processor"])
  }

  @Test func `no module may use the whole of Foundation`() {
    for modules in systemModules.values { #expect(!modules.contains("Foundation")) }
  }

  // MARK: - The checks can fail

  @Test(arguments: [
    ("import Foundation", "may not import Foundation"), ("import HDF5", "may not import HDF5"),
    ("  public import struct Foundation.Data", "may not import Foundation"),
    ("@preconcurrency import Synchronization", "may not import Synchronization"),
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
        "Sources/Extra/Extra.swift: Package.swift has no module Extra",
      ])
  }

  @Test func `a module that CONTRIBUTING does not describe is found`() throws {
    let copy = try Copy()
    try copy.replace("| `Zlib` |", with: "| `Zip` |", in: "CONTRIBUTING.md")
    #expect(try copy.repository.undescribedModules() == ["Zip", "Zlib"])
  }

  @Test func `an arrow that nothing uses is found`() throws {
    let copy = try Copy()
    try copy.addOtherTargets()
    for (line, dependencies) in [
      (#".target(name: "Files""#, #"["CSystemCalls", "Memory", "ModelIR""#),
      (#".testTarget(name: "PagesTests""#, #"["Pages", "Digests""#),
      (#"name: "SampleModels""#, #"["ModelDSL", "ModelIR""#),
    ] {
      let start = "\(line), dependencies: \(dependencies)"
      try copy.replace("\(start)]", with: #"\#(start), "Zlib"]"#, in: "Package.swift")
    }
    #expect(
      try copy.repository.unusedArrows() == [
        "Files: nothing in it imports Zlib", "PagesTests: nothing in it imports Zlib",
        "SampleModels: nothing in it imports Zlib",
      ])
  }
}
