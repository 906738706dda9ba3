import Foundation
import ModelIR
import NetconvKit
import TestSupport
import Testing

/// The stand-ins for Apple's frameworks, if they were built: `make test` builds them.
enum StandIns {
  /// The folder with the libraries and their modules; `system` on a Mac, which has the frameworks themselves.
  static let products = ProcessInfo.processInfo.environment["NETCONV_STANDINS"]

  /// Builds a package as it is, with search paths alone.
  static func build(_ folder: String, options: [String] = []) throws {
    let result = try tryToBuild(folder, options: options)
    try #require(result.status == 0)
    #expect(!result.output.contains("warning:"), "\(result.output)")
  }

  /// Builds a package that may be wrong.
  static func tryToBuild(_ folder: String, options: [String] = []) throws -> ProgramResult {
    let products = try #require(products)
    let build = ["/usr/bin/env", "swift", "build", "-c", "release", "--package-path", folder]
    guard products != "system" else {
      return try RunningProgram.run(build + options, in: folder)
    }
    try #require(
      FileManager.default.fileExists(atPath: "\(products)/libMetal.so"),
      "NETCONV_STANDINS names a folder without stand-ins; make standins builds them")
    return try RunningProgram.run(
      build + [
        "-Xswiftc", "-I\(products)/Modules", "-Xlinker", "-L\(products)", "-Xlinker",
        "-rpath=\(products)",
      ] + options, in: folder)
  }

  /// Runs the self-test of a package in a built folder.
  ///
  /// - Parameter arguments: an archive and the folder of its goldens; by default, those of the package.
  static func selfTest(
    _ name: String, in folder: String, _ arguments: [String] = []
  ) throws -> ProgramResult {
    try RunningProgram.run(["\(folder)/.build/release/\(name)SelfTest"] + arguments, in: "/")
  }

  /// Expects the self-test of a package to report a problem with a device, and to compare nothing.
  static func expectErrorsOfDevice(_ name: String, in folder: String) throws {
    for (variable, message) in [
      ("NETCONV_FAILING_COMMIT=2", "the stand-in was told to fail"),
      ("NETCONV_NO_KERNELS=1", "CPU stand-in has no Metal Performance Shaders"),
    ] {
      let result = try RunningProgram.run(
        ["/usr/bin/env", variable, "\(folder)/.build/release/\(name)SelfTest"], in: "/")
      #expect(result.status == 2)
      #expect(result.output == "\(name)SelfTest: \(message)\n")
    }
  }
}

/// Several emitted packages as one program, so that the compiler and the linker start once for all of them.
///
/// Every name in a package has the package's name as its prefix, and the programs become functions.
struct PackageCollection {
  let path: String
  private(set) var names: [String] = []
  private var programs: [String] = []

  init(_ path: String) { self.path = path }

  /// Emits `source` as a package called `name`, and edits the text of a file.
  ///
  /// - Parameter takesPictures: whether the way of pictures is compiled, too.
  mutating func add(
    _ name: String, _ source: String, language: EmittedLanguage = .mpscnn,
    precision: Precision = .float16, takesPictures: Bool = false,
    labels: String? = nil, edit: Mutation? = nil
  ) throws {
    var request = Self.request(name, source, in: path, language)
    request.precision = precision
    request.takesPictures = takesPictures
    request.labels = labels
    _ = try Netconv.emitPackage(request)
    try take(name, edit)
  }

  /// Emits a model with layers of an app as a package called `name`, which has no program of its own.
  mutating func add(_ name: String, _ model: Model, language: EmittedLanguage) throws {
    _ = try Netconv.emitPackage(model, Self.request(name, name, in: path, language))
    try take(name, nil)
  }

  /// The request that writes `source` as a package, in a folder of its name.
  private static func request(
    _ name: String, _ source: String, in folder: String, _ language: EmittedLanguage
  ) -> EmitRequest {
    var request = EmitRequest(
      source: source, destination: "\(folder)/\(name)", language: language)
    request.name = name
    return request
  }

  /// Moves the files of a package into the collection.
  private mutating func take(_ name: String, _ edit: Mutation?) throws {
    if let edit {
      let file = "\(path)/\(name)/Sources/\(name)/\(name)\(edit.file).swift"
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let (from, to) = (
        edit.from.replacing("NAME", with: name), edit.to.replacing("NAME", with: name)
      )
      try #require(text.contains(from), "\(edit) has nothing to change")
      try text.replacing(from, with: to).write(
        toFile: file, atomically: true, encoding: .utf8)
    }
    names.append(name)
    let manager = FileManager.default
    try manager.createDirectory(atPath: sources(""), withIntermediateDirectories: true)
    // Bundles have one folder of a name.
    let (code, tests) = (
      "\(path)/\(name)/Sources/\(name)", "\(path)/\(name)/Sources/\(name)Goldens"
    )
    try manager.moveItem(atPath: "\(code)/\(name).netpack", toPath: archive(name))
    try manager.moveItem(atPath: "\(tests)/goldens", toPath: "\(path)/\(name)/goldens")
    try manager.moveItem(atPath: "\(path)/\(name)/Sources", toPath: sources(name))
    for (folder, file) in [
      ("Goldens", "Goldens"), ("Goldens", "Comparison"), ("SelfTest", "Accuracy"),
    ] {
      let file = "\(sources(name))/\(name)\(folder)/\(name)\(file).swift"
      guard manager.fileExists(atPath: file) else { continue }
      try String(contentsOfFile: file, encoding: .utf8).replacing("import \(name)\n", with: "")
        .write(toFile: file, atomically: true, encoding: .utf8)
    }
    let main = "\(sources(name))/\(name)SelfTest/main.swift"
    guard manager.fileExists(atPath: main) else { return }
    try addProgram("SelfTest", to: name, try String(contentsOfFile: main, encoding: .utf8))
    try manager.removeItem(atPath: main)
  }

  /// Adds a program that uses the package called `name`: the content of `Programs` for `program`.
  mutating func addProgram(_ program: String, to name: String) throws {
    let text = try String(
      contentsOfFile: "\(Fixtures.repository)/Tests/EmissionTests/Programs/\(program).swift.txt",
      encoding: .utf8)
    try addProgram(program, to: name, text.replacing("NAME", with: name))
  }

  private mutating func addProgram(_ program: String, to name: String, _ text: String) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let own = ["import \(name)", "import \(name)Goldens"]
    let imports = lines.filter { $0.hasPrefix("import ") && !own.contains(String($0)) }
    let body = lines.filter { !$0.hasPrefix("import ") }
    let function =
      "\(imports.joined(separator: "\n"))\n\nfunc run\(name)\(program)() throws {\n"
      + body.joined(separator: "\n") + "\n}\n"
    try function.write(
      toFile: "\(sources(name))/\(name)\(program).swift", atomically: true, encoding: .utf8)
    programs.append(name + program)
  }

  /// Builds all packages.
  ///
  /// - Parameter optimizing: true if the programs would run longer than the compiler.
  func build(optimizing: Bool = false) throws {
    var shared = SharedCode()
    for name in names {
      try shared.share(
        name, in: ["", "Goldens", "SelfTest"].map { "\(sources(name))/\(name)\($0)" })
    }
    try """
    // swift-tools-version: 5.9
    import PackageDescription

    let package = Package(
      name: "Collection",
      targets: [
        .executableTarget(
          name: "Collection", path: "Sources", resources: [.copy("resource.txt")])
      ],
      swiftLanguageVersions: [.v5]
    )

    """.write(toFile: "\(path)/Package.swift", atomically: true, encoding: .utf8)
    // Without any there is no `Bundle.module`.
    try "".write(toFile: "\(sources(""))/resource.txt", atomically: true, encoding: .utf8)
    let cases = programs.map { "case \"\($0)\": try run\($0)()" }
    try """
    import Foundation

    switch ProcessInfo.processInfo.environment["PROGRAM"] {
    \(cases.joined(separator: "\n"))
    default: fatalError("there is no such program")
    }

    """.write(toFile: "\(sources(""))/main.swift", atomically: true, encoding: .utf8)
    // One process of the compiler reads everything once: nobody else needs its module.
    let once = ["-Xswiftc", "-no-emit-module-separately-wmo"]
    try StandIns.build(path, options: once + (optimizing ? [] : ["-Xswiftc", "-Onone"]))
  }

  /// Runs the self-test of a package.
  ///
  /// - Parameter arguments: an archive and the folder of its goldens; by default, those of the package.
  func selfTest(_ name: String, _ arguments: [String]? = nil) throws -> ProgramResult {
    let arguments = arguments ?? [archive(name), "\(path)/\(name)"]
    return try RunningProgram.run(command("SelfTest", of: name) + arguments, in: path)
  }

  /// Runs the self-test of a package with the weights and test cases of a model that has the same code.
  func selfTest(
    _ name: String, ofWeightsIn source: String, language: EmittedLanguage
  ) throws -> ProgramResult {
    let folder = try TemporaryFolder()
    var request = Self.request(name, source, in: folder.path, language)
    request.takesPictures = false
    let sources = "\(try Netconv.emitPackage(request).destination)/Sources"
    return try selfTest(name, ["\(sources)/\(name)/\(name).netpack", "\(sources)/\(name)Goldens"])
  }

  /// Counts correct classes with the self-test of a package.
  ///
  /// - Parameter others: the arguments after the files; by default, the archive of the package.
  func accuracy(
    _ name: String, images: String, labels: String, _ others: [String]? = nil
  ) throws -> ProgramResult {
    try RunningProgram.run(
      command("SelfTest", of: name) + ["--images", images, "--labels", labels]
        + (others ?? [archive(name)]), in: path)
  }

  /// Runs a program that was added to a package.
  func run(_ program: String, of name: String, _ arguments: [String]) throws {
    _ = try output(of: program, name, arguments)
  }

  /// The output of a program that was added to a package.
  ///
  /// - Parameter environment: `NAME=VALUE`.
  func output(
    of program: String, _ name: String, _ arguments: [String], environment: [String] = []
  ) throws -> String {
    var command = command(program, of: name)
    command.insert(contentsOf: environment, at: 1)
    let result = try RunningProgram.run(command + arguments, in: path)
    try #require(result.status == 0)
    return result.output
  }

  private func command(_ program: String, of name: String) -> [String] {
    ["/usr/bin/env", "PROGRAM=\(name)\(program)", "\(path)/.build/release/Collection"]
  }

  private func sources(_ name: String) -> String { "\(path)/Sources/\(name)" }

  /// The path of a package's weights.
  func archive(_ name: String) -> String { "\(path)/\(name)/\(name).netpack" }
}

/// The goldens of a package, as far as tests need them.
struct PackageGoldens: Decodable {
  struct Layer: Decodable {
    struct Tolerance: Decodable {
      let float16: Double?
    }

    let name: String
    let tolerance: Tolerance
  }

  let weights: String
  let samples: Int
  let layers: [Layer]

  /// Reads the goldens beside an archive in a collection.
  init(beside archive: String) throws {
    try self.init(in: archive.split(separator: "/").dropLast().map { "/" + $0 }.joined())
  }

  /// Reads `goldens` in a folder.
  init(in folder: String) throws {
    let file = URL(filePath: folder).appending(path: "goldens/goldens.json")
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
  }
}

extension EmittedLanguage {
  /// The languages that packages are written in.
  static let packages = all.filter { $0.package != nil }
  /// The languages of Swift that models are written in.
  static let ofModels = all.filter { $0.filters == nil && $0.name != "c" }
}

extension String {
  fileprivate func write(toFile path: String, atomically: Bool, encoding: Encoding) throws {
    try write(to: URL(filePath: path), atomically: atomically, encoding: encoding)
  }
}

/// A mistake that somebody could make in a package.
struct Mutation: Sendable, CustomStringConvertible {
  let name: String
  var source = Fixtures.sample("lenet-blobs")
  var precision = Precision.float16
  /// The name of the file after the package's name.
  let file: String
  let from: String
  let to: String
  /// The layer that the self-test has to name.
  let firstWrong: String

  var description: String { name }
}
