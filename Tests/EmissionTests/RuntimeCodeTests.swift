import Emission
import Foundation
import ModelIR
import TestSupport
import Testing

/// The code in `Emitted`, which packages have as it is, but for placeholders and for the pieces in `#if`.
@Suite struct RuntimeCodeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `placeholders stand for nothing else`() throws {
    for file in try RuntimeFile.all() {
      for match in file.text.matches(of: #/\w*(?:NAME|TARGET|v10_13|v12)\w*/#) {
        let word = String(match.output)
        // The name is a word, or the beginning of one.
        #expect(word.wholeMatch(of: #/NAME([A-Z]\w*)?|TARGET|v10_13|v12/#) != nil, "\(word)")
        #expect(!word.hasPrefix("v") || file.name == "Package/Manifest", "\(word)")
      }
    }
  }

  @Test func `halves are converted in the same way in every language`() throws {
    let conversions = try RuntimeFile.all().compactMap { file in
      file.text.split(separator: "/// The value of a half").dropFirst().first
    }
    #expect(conversions.count == 2)
    #expect(Set(conversions).count == 1)
  }

  /// No line of a file is in no package, and packages of all fixtures have no other lines.
  @Test(arguments: EmittedLanguage.packages)
  func `packages have all of it and, besides the network, nothing else`(
    _ language: EmittedLanguage
  ) throws {
    let files = try RuntimeFile.all(of: language).filter { $0.name != "Package/Manifest" }
    // What the other language needs of the files that they share.
    let other = try #require(files.first { $0.name == "Package/Archive" })
      .piece(language.name == "mpscnn" ? "tensorData" : "tensorFloats")
    var emitted: Set<Substring> = []
    let labeled = try PackageTextTests.package(
      Fixtures.sample("lenet-blobs"), "NAME", in: language.name, pictures: [],
      labels: ["zero", "\"one\""])
    let custom = try [[], ["bn"]].flatMap { folded in
      try EmittedPackage(
        CustomNetwork.model(), in: #require(language.package), from: "", name: "NAME",
        storesHalves: true, folded: folded,
        pictures: PictureInput(
          into: CustomNetwork.model().inputs[0], hasChannelsFirst: false, [], remark: "")
      ).files
    }
    for source in try sources(language) {
      for halves in [true, false] {
        let package = try PackageTextTests.package(
          source, "NAME", in: language.name, storesHalves: halves, folded: halves ? ["bn"] : [],
          pictures: [])
        let target = try #require(language.package).target
        let files = package.files + labeled.files + custom
        for file in files
        where !RuntimeFile.written.contains(file.path) && file.path != "README.md" {
          #expect(file.text.hasSuffix("\n") && !file.text.hasSuffix("\n\n"), "\(file.path)")
          #expect(!file.text.contains("\n\n\n") && !file.text.contains("\n\n}"), "\(file.path)")
          emitted.formUnion(
            file.text.replacing("\"\(target)\"", with: "\"TARGET\"")
              .replacing("NAMEBlurTaps", with: "BlurTaps")
              .replacing("NAMESampleTable", with: "SampleTable")
              .replacing("for \(target)\"", with: "for TARGET\"")
              .replacing("--target \(target)`", with: "--target TARGET`").split(separator: "\n"))
        }
      }
    }
    let code = Set(files.flatMap(\.code))
    #expect(emitted.subtracting(code) == [])
    #expect(code.subtracting(emitted).subtracting(other) == [])
  }

  /// Models that together need every piece.
  private func sources(_ language: EmittedLanguage) throws -> [String] {
    let own =
      language.name == "mpscnn"
      ? StandInTests.fixtures.map { "\($0).h5" }
      : MPSGraphStandInTests.fixtures + ["keras2-functions.h5"]
    return own.map { Fixtures.path("keras/\($0)") } + [
      try RuntimeFile.twoInputs(in: folder),
      try NumbersNetwork.write(to: "numbers", in: folder),
      try GroupedNetwork.write(to: "grouped", in: folder),
    ] + (language.name == "mpscnn" ? [] : [try ShapedNetwork.write(to: "shaped", in: folder)])
  }
}

/// The same code as the compiler sees it before it is in any package.
@Suite(.enabled(if: StandIns.products != nil), .slow)
struct RuntimeCodeBuildTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// With all features, or with all but half-precision storage and several inputs.
  ///
  /// Pictures are for a single input, and nothing is folded.
  @Test(arguments: EmittedLanguage.packages, [true, false])
  func `it compiles as it is, with the network of a package`(
    _ language: EmittedLanguage, _ isWhole: Bool
  ) throws {
    let source = isWhole ? try RuntimeFile.twoInputs(in: folder) : Fixtures.sample("lenet-blobs")
    let package = try PackageTextTests.package(
      source, "NAME", in: language.name, storesHalves: isWhole,
      pictures: isWhole ? nil : PackageTextTests.steps)
    let written = package.files.filter {
      $0.path.hasPrefix("Sources/NAME/") && RuntimeFile.written.contains($0.path)
        && !$0.path.hasSuffix("Taps.swift")
    }
    let files = try RuntimeFile.all(of: language).filter { !isWhole || !$0.isOfPictures }
    let conditions = files.reduce(into: Set<String>()) { $0.formUnion($1.conditions) }
      .subtracting(
        ["filterPackage", "labels", "folds", "customLayers"]
          + (isWhole ? ["accuracy"] : ["storesHalves", "severalInputs", "severalOutputs"]))
    let options = conditions.sorted().map { "-D\($0)" }
    #expect(conditions.count > 8)

    func path(_ name: String) throws -> String {
      try #require(files.first { $0.name == "Package/\(name)" }).path
    }
    let bundle = try folder.write(
      """
      import Foundation
      extension Bundle { static var module: Bundle { .main } }
      """, to: "Bundle.swift")
    let others: Set = ["SelfTest", "Accuracy", "Goldens", "Comparison", "Tests", "Manifest"]
    let module = files.filter { !others.contains($0.name.replacing("Package/", with: "")) }
    try compile(
      try written.map { try folder.write($0.text, to: $0.path) } + [bundle] + module.map(\.path)
        + (isWhole
          ? [] : ["\(Fixtures.repository)/Sources/ImageFilters/Steps/Taps.swift"]),
      options + [
        "-emit-module", "-module-name", "NAME", "-emit-module-path",
        folder.file("NAME.swiftmodule"),
      ])
    try compile(
      [try path("Goldens"), try path("Comparison"), bundle],
      options + [
        "-I\(folder.path)", "-emit-module", "-module-name", "NAMEGoldens", "-emit-module-path",
        folder.file("NAMEGoldens.swiftmodule"),
      ])
    // A program begins in the file of this name.
    let program = try #require(files.first { $0.name == "Package/SelfTest" })
    try compile(
      [try folder.write(program.text, to: "main.swift")]
        + files.filter { $0.name == "Package/Accuracy" }.map(\.path),
      options + ["-typecheck", "-I\(folder.path)"])
    try compile([try path("Tests")], options + ["-typecheck", "-I\(folder.path)"])
  }

  @Test func `the manifest compiles as it is`() throws {
    let manifest = try #require(try RuntimeFile.all().first { $0.name == "Package/Manifest" })
    try folder.write(manifest.text, to: "package/Package.swift")
    let result = try RunningProgram.run(
      [
        "/usr/bin/env", "swift", "package", "--package-path", folder.file("package"),
        "dump-package",
      ])
    #expect(result.status == 0)
    #expect(result.output.contains("\"NAMESelfTest\""))
  }

  @Test func `networks of pictures with several outputs compile`() throws {
    try folder.write(
      #"""
      {"format": "netconv-model", "version": 1, "name": "two", "outputs": ["a", "b"],
       "inputs": [{"name": "image", "shape": [4, 5, 3]}], "layers": [
       \#(GroupedNetwork.layer("a", "Activation", ["image"], #""function": "tanh""#)),
       \#(GroupedNetwork.layer("b", "Activation", ["image"], #""function": "relu""#))]}
      """#, to: "two/model.json")
    let files = try EmittedLanguage.packages.flatMap { language in
      try PackageTextTests.package(
        folder.file("two"), language.name.uppercased(), in: language.name,
        pictures: PackageTextTests.steps
      ).moduleFiles.map { try folder.write($0.text, to: $0.path) }
    }
    try compile(files, ["-typecheck"])
  }

  /// A package has the functions that its network calls, directly or indirectly; all are compiled at once.
  @Test func `networks of one activation compile`() throws {
    let functions =
      [
        "celu", "elu", "exponential", "gelu", "hardSigmoid", "hardSilu", "hardTanh", "leakyRelu",
        "logSigmoid", "logSoftmax", "mish", "relu6", "selu", "sigmoid", "silu", "softShrink",
        "softmax", "softplus", "softsign", "sparsePlus", "sparseSigmoid", "squareplus", "tanh",
        "tanhShrink",
      ].map { "\"\($0)\"" } + [
        #"{"function": "gelu", "approximate": true}"#, #"{"function": "softmax", "axis": [0, 1]}"#,
        #"{"function": "relu", "maxValue": 0.5, "negativeSlope": 0.1}"#,
      ]
    var files: [String] = []
    for (index, function) in functions.enumerated() {
      try folder.write(
        #"""
        {"format": "netconv-model", "version": 1, "name": "one", "outputs": ["f"],
         "inputs": [{"name": "image", "shape": [4, 5, 3]}], "layers": [
         \#(GroupedNetwork.layer("f", "Activation", ["image"], #""function": \#(function)"#))]}
        """#, to: "\(index)/model.json")
      let package = try PackageTextTests.package(
        folder.file("\(index)"), "One\(index)", in: "mpsgraph", storesHalves: index % 2 == 0)
      files += try package.moduleFiles.map { try folder.write($0.text, to: $0.path) }
    }
    try compile(files, ["-typecheck"])
  }

  private func compile(_ files: [String], _ options: [String]) throws {
    let products = try #require(StandIns.products)
    let result = try RunningProgram.run(
      ["/usr/bin/env", "swiftc", "-swift-version", "5", "-I\(products)/Modules"] + options + files)
    #expect(result.status == 0)
    #expect(!result.output.contains("warning:"), "\(result.output)")
  }
}

/// A file of `Emitted`.
private struct RuntimeFile {
  /// The path within `Emitted`, without the extension: `MPSCNN/Kernels`.
  let name: String
  let path: String
  let text: String

  static func all() throws -> [RuntimeFile] {
    let root = "\(Fixtures.repository)/Emitted"
    return try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
      .filter { $0.hasSuffix(".swift") }
      .map { file in
        RuntimeFile(
          name: String(file.dropLast(6)), path: "\(root)/\(file)",
          text: try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8))
      }
  }

  /// The files that packages in a language can have.
  static func all(of language: EmittedLanguage) throws -> [RuntimeFile] {
    try all().filter {
      ["package", language.name].contains($0.name.prefix { $0 != "/" }.lowercased())
        || filters.contains($0.name)
    }
  }

  /// The files of filters that a network of pictures has.
  private static let filters: Set<String> = [
    "Metal/Colors", "Metal/Context", "Metal/Form", "Metal/Pass", "Metal/Step",
  ]

  /// True if only networks for pictures have the file.
  var isOfPictures: Bool {
    Self.filters.contains(name) || name.hasSuffix("/Textures")
      || [
        "Package/Accuracy", "Package/Bitmaps", "Package/Pictures", "Package/Runner",
      ].contains(name)
  }

  /// Files of a package that are generated for it, or are stored elsewhere.
  static let written: Set<String> = Set(
    ["", "CustomLayers", "Labels", "Preparation", "Shaders", "Taps"].map {
      "Sources/NAME/NAME\($0).swift"
    } + ["Package.swift"])

  /// The lines without conditions and without code that only packages of filters have.
  var code: [Substring] {
    var isOfFilters = false
    return text.split(separator: "\n").filter { line in
      let condition = line.drop { $0 == " " }
      if condition == "#if filterPackage" { isOfFilters = true }
      defer { if condition == "#endif" { isOfFilters = false } }
      return !isOfFilters && line.wholeMatch(of: #/ *#(?:if \w+|else|endif)/#) == nil
    }
  }

  /// The pieces that have conditions.
  var conditions: Set<String> {
    Set(text.matches(of: #/#if (\w+)\n/#).map { String($0.output.1) })
  }

  /// The lines of a piece.
  func piece(_ name: String) throws -> [Substring] {
    let rest = text.split(separator: "#if \(name)\n").dropFirst().first
    return try #require(rest).split(separator: "#endif")[0].split(separator: "\n")
  }

  /// A network of two images.
  static func twoInputs(in folder: TemporaryFolder) throws -> String {
    try folder.write(
      #"""
      {"format": "netconv-model", "version": 1, "name": "two", "outputs": ["positive"],
       "inputs": [{"name": "a", "shape": [4, 5, 3]}, {"name": "b", "shape": [4, 5, 3]}], "layers": [
       \#(GroupedNetwork.layer("sum", "Add", ["a", "b"])),
       \#(GroupedNetwork.layer("positive", "Activation", ["sum"], #""function": "softplus""#))]}
      """#, to: "two/model.json")
    return folder.file("two")
  }
}
