import Emission
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// Emitted code, as text; `StandInTests` compiles and runs it.
@Suite struct PackageTextTests {
  /// The files of `Expected/LeNet` were reviewed by a person, compiled and run.
  ///
  /// They are the output of `netconv emit Samples/lenet-blobs --language mpscnn --name LeNet --output LeNet`.
  @Test func `a whole package is written as it was read over`() throws {
    let package = try Self.package(Fixtures.sample("lenet-blobs"), "LeNet")
    for file in package.files {
      #expect(file.text == (try Self.expected("LeNet/" + file.path)), "\(file.path)")
    }
    #expect(package.archive == "Sources/LeNet/LeNet.netpack")
    let language = try #require(PackageLanguage.named("mpscnn"))
    #expect(
      Set(package.files.map(\.path) + [package.archive] + package.goldenFiles)
        .isSubset(of: EmittedPackage.paths(language, name: "LeNet")))
  }

  @Test(arguments: [
    ("DeepMNIST", Fixtures.sample("deep-mnist/deep-mnist.h5")),
    ("Residual", Fixtures.path("keras/keras2-residual.h5")),
    ("Pooling", Fixtures.path("keras/keras2-pooling.h5")),
    ("NestedOutputs", Fixtures.path("keras/keras2-nested-outputs.h5")),
  ])
  func `a network is written as it was read over`(_ name: String, _ source: String) throws {
    let package = try Self.package(source, name)
    let network = try #require(package.files.first { $0.path == "Sources/\(name)/\(name).swift" })
    #expect(network.text == (try Self.expected("\(name).swift")))
  }

  /// The names that the stand-ins have from Apple's SDK.
  @Test(arguments: [true, false])
  func `nothing is used but what Apple's interfaces are known to have`(_ halves: Bool) throws {
    let list = try String(
      contentsOfFile: "\(Fixtures.repository)/Tests/StandIns/apple-api.json", encoding: .utf8)
    let known = Set(list.matches(of: #/"symbol": "(\w+)/#).map { String($0.output.1) })
    var used: Set<String> = []
    let grouped = try GroupedNetwork.write(to: "grouped", in: try TemporaryFolder())
    for source in ["keras2-residual", "keras2-pooling", "keras2-batch-norm"]
      .map({ Fixtures.path("keras/\($0).h5") }) + [grouped]
    {
      let package = try Self.package(
        source, "Net", storesHalves: halves, pictures: Self.steps)
      for file in package.files {
        let code = file.text.split(separator: "\n").filter { !$0.contains("//") }.joined(
          separator: "\n")
        used.formUnion(code.matches(of: #/\b(?:MPS|MTL)\w+/#).map { String($0.output) })
        #expect(!code.contains("@objc") && !code.contains(#/\bFloat16\b/#), "\(file.path)")
      }
    }
    #expect(used.count > 15)
    #expect(used.subtracting(known) == [])
  }

  /// The preprocessing of pictures is stated, and only networks for pictures accept them.
  @Test(arguments: ["mpscnn", "mpsgraph"])
  func `pictures go into images of one value or three in a pixel`(_ language: String) throws {
    func preparation(_ shape: String, _ steps: [PixelStep] = [.scale([0.5])]) throws -> String? {
      let folder = try TemporaryFolder()
      try folder.write(
        #"""
        {"format": "netconv-model", "version": 1, "name": "pixels", "outputs": ["positive"],
         "inputs": [{"name": "image", "shape": \#(shape)}], "layers": [
         \#(GroupedNetwork.layer("positive", "Activation", ["image"], #""function": "relu""#))]}
        """#, to: "pixels/model.json")
      let package = try Self.package(
        folder.file("pixels"), "Pixels", in: language, pictures: steps)
      let network = try #require(package.files.first { $0.path == "Sources/Pixels/Pixels.swift" })
      let file = package.files.first { $0.path == "Sources/Pixels/PixelsPreparation.swift" }
      #expect(network.text.contains("var pictures: PixelsPictures?") == (file != nil))
      #expect(package.files.contains { $0.path.contains("Textures") } == (file != nil))
      return file?.text
    }
    let gray = try #require(try preparation("[4, 5, 1]"))
    #expect(gray.contains("/// The steps applied to values from 0 to 255: changed."))
    #expect(gray.contains("= [\n    .scale([0.5]),\n  ]"))
    #expect(gray.contains("= (5, 4)") && gray.contains("channels = 1"))
    #expect(try #require(try preparation("[4, 5, 3]")).contains("channels = 3"))
    #expect(try #require(try preparation("[4, 5, 3]", [])).contains("= []"))
    for shape in ["[4, 5, 2]", "[4, 5, 4]", "[20]"] {
      #expect(try preparation(shape) == nil, "\(shape)")
    }
    // Images of MPSCNN have no planes.
    let planes = try preparation("[3, 5, 7]", [.axes(.channelsFirst)])
    #expect(planes?.contains("= (7, 5)") == (language == "mpsgraph" ? true : nil))
    #expect(planes?.contains("isPlanar = true") ?? true)
  }

  @Test func `labels are names, whatever is in them`() throws {
    let labels = ["zero", "\"one\" \\(x)", "two\nlines"]
    let package = try Self.package(Fixtures.sample("lenet-blobs"), "LeNet", labels: labels)
    let file = try #require(package.files.first { $0.path == "Sources/LeNet/LeNetLabels.swift" })
    #expect(
      file.text.contains(
        #"""
          static let names: [String] = [
            "zero",
            "\"one\" \\(x)",
            "two\u{a}lines",
          ]
        """#), "\(file.text)")
    let classes = try #require(package.files.first { $0.path.hasSuffix("LeNetClasses.swift") })
    #expect(classes.text.contains("label: LeNetLabels.names[index]"))
    let without = try Self.package(Fixtures.sample("lenet-blobs"), "LeNet", pictures: [])
    #expect(!without.files.contains { $0.path.hasSuffix("Labels.swift") })
    #expect(without.files.contains { $0.path.hasSuffix("LeNetClasses.swift") })
  }

  /// Of a single value the largest is always the first.
  @Test(arguments: [1, 2])
  func `classes are counted where there are several`(_ count: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"""
      {"format": "netconv-model", "version": 1, "name": "few", "outputs": ["mean"],
       "inputs": [{"name": "image", "shape": [4, 5, 1]}], "layers": [
       \#(GroupedNetwork.layer(
         "joined", "Concatenate", Array(repeating: "image", count: max(2, count)))),
       \#(GroupedNetwork.layer(
         "mean", "GlobalAveragePooling2D", [count == 1 ? "image" : "joined"]))]}
      """#, to: "few/model.json")
    let package = try Self.package(folder.file("few"), "Few", pictures: Self.steps)
    #expect(package.files.contains { $0.path.hasSuffix("FewAccuracy.swift") } == (count > 1))
  }

  @Test func `a package has the kernels that its pictures need`() throws {
    func kernels(_ steps: [PixelStep]) throws -> [String] {
      let package = try Self.package(
        Fixtures.path("keras/keras2-residual.h5"), "Net", pictures: steps)
      let text = try #require(package.files.first { $0.path.hasSuffix("Shaders.swift") }).text
      return text.matches(of: #/kernel void (\w+)/#).map { String($0.output.1) }
    }
    let fitting = ["resample", "rearrange", "feed", "feedBuffer"]
    #expect(try kernels([]) == fitting)
    #expect(try kernels([.scale([2])]) == ["recolor"] + fitting)
    #expect(try kernels([.boxBlur(radius: 1)]) == ["blur"] + fitting)
    #expect(
      try kernels(Self.steps) == [
        "recolor", "flatten", "linearize", "encode", "blur", "resample", "rearrange", "restore",
        "feed", "feedBuffer",
      ])
  }

  @Test func `all types have the prefix`() throws {
    let package = try Self.package(
      Fixtures.path("keras/keras2-residual.h5"), "Net", pictures: [])
    // What kernels call their types nobody else sees.
    let types = package.files.filter { !$0.path.hasSuffix("Shaders.swift") }.flatMap {
      $0.text.matches(of: #/(?m)^(?:\w+ )*(?:class|struct|enum|protocol) (\w+)/#)
        .map { String($0.output.1) }
    }
    #expect(types.count > 8)
    #expect(types.filter { !$0.hasPrefix("Net") } == [])
  }

  @Test(arguments: [
    ("", ""),
    (#", "scale": 1, "offset": 0"#, ": pixels as they are"),
    (#", "scale": 0.00392156862745098, "offset": 0"#, ": pixels divided by 255"),
    (#", "scale": 0.00784313725490196, "offset": -1"#, ": pixels divided by 127.5, minus 1.0"),
    (#", "scale": 0.3, "offset": 2"#, ": pixels times 0.3, plus 2.0"),
    (#", "offset": -0.5"#, ": pixels minus 0.5"),
    (#", "scale": 0"#, ": pixels times 0.0"),
    (#", "scale": -0.25"#, ": pixels divided by -4"),
    (#", "scale": 1e-300"#, ": pixels times 1e-300"),
  ])
  func `it is said how pixels become values`(_ keys: String, _ text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"""
      {"format": "netconv-model", "version": 1, "name": "pixels", "outputs": ["positive"],
       "inputs": [{"name": "image", "shape": [4, 5, 3]\#(keys)}], "layers": [
       \#(GroupedNetwork.layer("positive", "Activation", ["image"], #""function": "relu""#))]}
      """#, to: "pixels/model.json")
    for language in ["mpscnn", "mpsgraph"] {
      let package = try Self.package(folder.file("pixels"), "Pixels", in: language)
      let network = try #require(package.files.first { $0.path == "Sources/Pixels/Pixels.swift" })
      #expect(
        network.text.contains("/// The network's input\(text).")
          || network.text.contains("/// The network's input\(text), without the batch."))
    }
  }

  @Test func `a name follows from the source`() {
    #expect(EmittedPackage.name(for: "deep-mnist") == "DeepMnist")
    #expect(EmittedPackage.name(for: "my net.v2") == "MyNetV2")
    #expect(EmittedPackage.name(for: "3d") == "Net3d")
    #expect(EmittedPackage.name(for: "…") == "Net")
  }

  @Test(arguments: ["", "lower", "With-Dash", "3D", "Übung", "A b"])
  func `a name has to be a module's`(_ name: String) {
    #expect(thrown { try Self.package(Fixtures.sample("lenet-blobs"), name) }?.kind == .usage)
  }

  @Test func `all layers without a kernel are named with their place`() {
    let error = thrown { try Self.package(Fixtures.path("keras/keras2-reshaping.h5"), "Net") }
    #expect(
      error?.description == """
        2 layers cannot be written in MPSCNN
          layer 'turned' (2 of 8, Permute): there is no kernel for Permute
          layer 'repeated' (7 of 8, RepeatVector): there is no kernel for RepeatVector
        """)
  }

  @Test(arguments: [
    (
      "keras2-conv-groups",
      "'conv1' (1 of 2, Conv2D): 2 groups of 2 channels to 3; both have to be multiples of 4"
    ),
    (
      "keras2-depthwise",
      "'conv1' (1 of 4, DepthwiseConv2D): a depth multiplier of 2; it has to be 1"
    ),
    (
      "keras2-separable",
      "'conv1' (1 of 3, SeparableConv2D): a depth multiplier of 2; it has to be 1"
    ),
    (
      "keras2-transposed",
      "'dilated' (7 of 7, Conv2DTranspose): a transposed convolution with a dilation of 2 x 2; it has to be 1"
    ),
    (
      "keras2-flatten-bn",
      "'bn' (3 of 5, BatchNormalization): a normalisation of other axes than an image's channels"
    ),
  ])
  func `what MPSCNN's kernels cannot do is said`(_ fixture: String, _ detail: String) {
    let error = thrown { try Self.package(Fixtures.path("keras/\(fixture).h5"), "Net") }
    #expect(error?.details == ["layer " + detail])
  }

  @Test(arguments: [
    (
      "keras2-resizings",
      "'enlarge_bilinear' (1 of 29, UpSampling2D): an upsampling that does not repeat pixels"
    ),
    (
      "keras2-normalizations",
      "'norm' (3 of 9, LayerNormalization): there is no kernel for LayerNormalization"
    ),
    ("keras2-prelu", "'per_row' (4 of 8, PReLU): slopes of other axes than an image's channels"),
  ])
  func `what a kernel cannot do is said first`(_ fixture: String, _ detail: String) {
    let error = thrown { try Self.package(Fixtures.path("keras/\(fixture).h5"), "Net") }
    #expect(error?.details.first == "layer " + detail)
  }

  @Test func `an image of more slices than a texture has is refused`() throws {
    let folder = try TemporaryFolder()
    func error(_ channels: Int) throws -> NetconvError? {
      try folder.write(
        #"""
        {"format": "netconv-model", "version": 1, "name": "wide", "outputs": ["positive"],
         "inputs": [{"name": "image", "shape": [1, 1, \#(channels)]}], "layers": [
         \#(GroupedNetwork.layer("twice", "Concatenate", ["image", "image"])),
         \#(GroupedNetwork.layer("positive", "Activation", ["twice"], #""function": "relu""#))]}
        """#, to: "wide\(channels)/model.json")
      return thrown { try Self.package(folder.file("wide\(channels)"), "Wide") }
    }
    #expect(try error(4096) == nil)
    #expect(
      try error(4100)?.details.first
        == "layer 'twice' (1 of 2, Concatenate): an image of (1, 1, 8200); it can have 8192 channels at most"
    )
    #expect(
      try error(8196)?.message
        == "input 'image': an image of (1, 1, 8196); it can have 8192 channels at most")
  }

  @Test func `an input has to be an image or a vector`() {
    let error = thrown { try Self.package(Fixtures.path("keras/keras2-two-inputs.h5"), "Net") }
    #expect(
      error?.description
        == "input 'right': the shape (4, 2) is neither an image nor a vector; MPSGraph has convolution and pooling of sequences"
    )
  }

  static func package(
    _ source: String, _ name: String, in language: String = "mpscnn", storesHalves: Bool = true,
    folded: [String] = [], pictures steps: [PixelStep]? = nil, labels: [String]? = nil
  ) throws -> EmittedPackage {
    let model = try ReaderRegistry.read(source).model
    return try EmittedPackage(
      model, in: try #require(.named(language)),
      from: String(source.split(separator: "/").last ?? ""), name: name, storesHalves: storesHalves,
      folded: folded,
      pictures: steps.flatMap {
        PictureInput(into: model.inputs[0], hasChannelsFirst: false, $0, remark: "changed")
      }, labels: labels)
  }

  /// Steps that need every kernel.
  static let steps: [PixelStep] = [
    .saturation(0.5), .opaque([255]), .encoding(.linear),
    .region(.init(x: 0, y: 0, width: 1, height: 1), .blur(radius: 1, sigma: nil)),
  ]

  private static func expected(_ path: String) throws -> String {
    // Tools would build or format what ends in `.swift`.
    try String(
      contentsOfFile: "\(Fixtures.repository)/Tests/EmissionTests/Expected/\(path).txt",
      encoding: .utf8)
  }
}
