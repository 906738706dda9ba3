import Foundation
import NetconvKit
import TestSupport
import Testing

/// The emitted program does not depend on the names of layers and modules.
@Suite struct HostileNameTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Everything that is written of a network in `language`, as the compiler sees it.
  private func tokens(
    _ names: [String], in language: EmittedLanguage, called name: String = "Zed"
  ) throws -> [SwiftToken] {
    let source = try HostileNetwork.write(names, to: "source", in: folder)
    guard language != .dsl else {
      return try #require(SwiftToken.all(in: try Netconv.emit(source)))
    }
    let package = try PackageTextTests.package(source, name, in: language.name)
    return try package.files.filter { $0.path.hasSuffix(".swift") }
      .flatMap { try #require(SwiftToken.all(in: $0.text), "\($0.path)") }
  }

  /// Expects the programs to be equal except for the names of layers and constants.
  private func expectEqual(
    _ names: [String], in language: EmittedLanguage, _ comment: Comment
  ) throws {
    let plain = names.indices.map { "layer\($0)" }
    let expected = try tokens(plain, in: language)
    let found = try tokens(names, in: language)
    try #require(found.count == expected.count, comment)
    let layers = Dictionary(uniqueKeysWithValues: zip(plain, names))
    var constants: [String: String] = [:]
    for (found, expected) in zip(found, expected) where found != expected {
      switch (found, expected) {
      case (.literal(let found), .literal(let expected)):
        #expect(Array(found.utf8) == layers[expected].map { Array($0.utf8) }, comment)
      case (.word(let found), .word(let expected)):
        // A constant is called one thing everywhere, and no other is called so.
        #expect(constants.updateValue(found, forKey: expected) ?? found == found, comment)
        #expect(found.wholeMatch(of: #/[a-z_][A-Za-z0-9_]*/#) != nil, comment)
        #expect(!Self.words.contains(found), comment)
      default: Issue.record("\(found) in the place of \(expected), \(comment)")
      }
    }
    #expect(Set(constants.values).count == constants.count, comment)
    // Nothing that the program calls by a name of its own is hidden.
    #expect(Set(constants.values).isDisjoint(with: Self.called[language] ?? []), comment)
  }

  /// Words that no constant may be called.
  private static let words: Set<String> = [
    "let", "self", "Self", "init", "class", "func", "any", "await", "try", "_", "in", "is", "as",
  ]

  /// The names that a network's class or function calls or reads without a dot before them.
  private static let called: [EmittedLanguage: Set<String>] = [
    .dsl: ["loader"],
    .mpscnn: [
      "zip", "autoreleasepool", "device", "queue", "parameters", "kernels", "images",
      "commandBuffer",
      "sourceImage", "activations", "encode", "predict", "format", "input", "outputs", "values",
    ],
    .mpsgraph: [
      "device", "queue", "parameters", "graph", "layers", "all", "tensors", "input", "outputs",
      "format",
    ],
  ]

  @Test(arguments: EmittedLanguage.ofModels)
  func `names of layers that mean something to Swift mean nothing`(
    _ language: EmittedLanguage
  ) throws {
    try expectEqual(HostileNetwork.names, in: language, "the listed names")
  }

  @Test(arguments: EmittedLanguage.ofModels, 0..<8 as Range<UInt64>)
  func `names of layers that are put together at random do not either`(
    _ language: EmittedLanguage, _ seed: UInt64
  ) throws {
    var state = seed
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    var names: Set<String> = []
    while names.count < 40 {
      let parts = (0...random(3)).map { _ in
        HostileNetwork.names[random(HostileNetwork.names.count)]
      }
      names.insert(parts.joined())
    }
    names.remove("image")
    try expectEqual(names.sorted(), in: language, "seed \(seed)")
  }

  @Test(arguments: EmittedLanguage.packages)
  func `the name of a module is put in front of its types, and nowhere else`(
    _ language: EmittedLanguage
  ) throws {
    let zed = try tokens(HostileNetwork.names, in: language, called: "Quagga")
    for name in ["NAME", "NAMENAME", "TARGET", "X", "Let"] {
      let other = try tokens(HostileNetwork.names, in: language, called: name)
      #expect(zed.count == other.count)
      for (zed, other) in zip(zed, other) where zed != other {
        switch (zed, other) {
        case (.word(let zed), .word(let other)), (.literal(let zed), .literal(let other)):
          #expect(other == zed.replacing("Quagga", with: name))
        default: Issue.record("\(other) in the place of \(zed)")
        }
      }
    }
  }

  @Test(arguments: EmittedLanguage.packages)
  func `no module can be called like what its code uses`(_ language: EmittedLanguage) throws {
    let sources =
      ["keras2-merges", "keras2-residual", "keras2-pooling", "keras3-transposed"]
      .map { Fixtures.path("keras/\($0).h5") }
      + [try GroupedNetwork.write(to: "grouped", in: folder)]
    var used: Set<String> = []
    for source in sources {
      let package = try PackageTextTests.package(
        source, "Quagga", in: language.name, pictures: PackageTextTests.steps)
      // What kernels are called is no Swift.
      for file in package.files
      where file.path.hasSuffix(".swift") && !file.path.hasSuffix("Shaders.swift") {
        var last = SwiftToken.sign(" ")
        for token in try #require(SwiftToken.all(in: file.text)) {
          if case .word(let word) = token, last != .sign("."), word.first?.isUppercase == true,
            !word.hasPrefix("Quagga")
          {
            used.insert(word)
          }
          last = token
        }
      }
    }
    #expect(used.count > 30)
    for name in used {
      let error = thrown { try PackageTextTests.package(Fixtures.sample("lenet-blobs"), name) }
      #expect(error?.kind == .usage, "\(name)")
    }
  }

  @Test(arguments: EmittedLanguage.packages)
  func `a branch that no output depends on changes nothing`(_ language: EmittedLanguage) throws {
    func text(_ branch: String) throws -> [SwiftToken] {
      try folder.write(
        #"""
        {"format": "netconv-model", "version": 1, "name": "branch", "outputs": ["live"],
         "inputs": [{"name": "image", "shape": [2, 2, 4]}], "layers": [
         \#(GroupedNetwork.layer(
           "sum", "Convolution2D", ["image"], #""outputChannels": 4, "kernelSize": [1, 1]"#,
           [GroupedNetwork.parameter("kernel", "W", "OHWI")])),
         \#(branch)
         \#(GroupedNetwork.layer("live", "Activation", ["sum"], #""function": "tanh""#))]}
        """#, to: "branch/model.json")
      try folder.write([UInt8](repeating: 0, count: 64), to: "branch/W.bin")
      let package = try PackageTextTests.package(
        folder.file("branch"), "Quagga", in: language.name)
      return try package.files.filter { $0.path.hasSuffix(".swift") }
        .flatMap { try #require(SwiftToken.all(in: $0.text)) }
    }
    let dead = GroupedNetwork.layer("dead", "Activation", ["sum"], #""function": "sigmoid""#)
    #expect(try text(dead + ",") == text(""))
  }
}
