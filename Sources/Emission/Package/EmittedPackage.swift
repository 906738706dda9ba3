internal import CEmitted
import Documents
import ModelIR

/// A model as a Swift package, without its weights.
public struct EmittedPackage: Sendable {
  /// The source files.
  public let files: [EmittedFile]
  /// The path of the weight archive, relative to the package's folder.
  public let archive: String
  /// The folder of the goldens, relative to the package's folder.
  public let goldens: String
  /// The name of the module.
  public let name: String
  /// The layers whose kernels are float32 even in a float16 network.
  public let layersOfFloats: [String]
  /// The custom layers, which the app computes.
  public let customLayers: [String]

  /// Creates a package named `name`.
  ///
  /// - Parameters:
  ///   - model: The model as read.
  ///   - language: The language of the package.
  ///   - source: The name of the source file, for a comment.
  ///   - name: The name of the module and its class, and the prefix of all other types.
  ///   - storesHalves: True to store values between layers as float16, false for float32.
  ///   - folded: The layers that were folded into the kernels before them.
  ///   - pictures: The preparation of pictures, if the network accepts them.
  ///   - labels: The names of the classes, if known.
  /// - Throws: `usage` if `name` is not a valid module name, `badData` with every layer that the
  ///   language lacks.
  public init(
    _ model: Model, in language: PackageLanguage, from source: String, name: String,
    storesHalves: Bool, folded: [String] = [], pictures: PictureInput? = nil,
    labels: [String]? = nil
  ) throws(NetconvError) {
    let model = model.separated
    let packageName = try PackageName(name)
    self.name = name
    let pictures = pictures.flatMap { !$0.isPlanar || language.takesPlanarPictures ? $0 : nil }
    let custom = CustomLayers(model)
    let module = try language.module(
      PackageModel(
        name: packageName, model: model, source: source, storesHalves: storesHalves,
        folded: folded, takesPictures: pictures != nil, customLayers: custom))
    layersOfFloats = module.layersOfFloats
    archive = Self.archive(name)
    goldens = Self.goldens(name)
    var pieces = module.pieces
    pieces.insert(language.tensorValues)
    if storesHalves { pieces.insert(PackagePiece.storesHalves) }
    if !folded.isEmpty { pieces.insert(PackagePiece.folds) }
    if module.takesSeveralInputs { pieces.insert(PackagePiece.severalInputs) }
    if module.givesSeveralOutputs { pieces.insert(PackagePiece.severalOutputs) }
    for piece in pictures?.pieces ?? [] { pieces.insert(piece) }
    let classes =
      pictures == nil && labels == nil ? nil : ClassSource(of: model, labels: labels)
    if classes?.labels != nil { pieces.insert(PackagePiece.labels) }
    if pictures != nil { pieces.insert(PackagePiece.pictures) }
    customLayers = custom.functions.flatMap(\.layers).map(\.name)
    if !customLayers.isEmpty { pieces.insert(PackagePiece.customLayers) }
    // The package's own programs cannot supply custom layers.
    let hasProgram = customLayers.isEmpty
    let countsClasses = pictures != nil && classes?.areSeveral == true && hasProgram
    if countsClasses { pieces.insert(PackagePiece.accuracy) }
    let values = RuntimeValues(packageName, language)
    let runtime =
      Self.files(of: name) + (hasProgram ? Self.programs(of: name) : [])
      + (countsClasses ? [Self.accuracy(in: name)] : [])
      + (module.files + (pictures == nil ? [] : [language.pictures]))
      .map { (Self.path($0.suffix, in: name), $0.source) }
    var files = [EmittedFile(path: Self.path("", in: name), text: module.network + "\n")]
    files += runtime.map { path, source in
      EmittedFile(path: path, text: source.text(with: pieces, values))
    }
    let written =
      (pictures.map { PictureSource.texts($0, in: language, packageName, with: pieces) } ?? [])
      + (classes.map { $0.texts(in: language, packageName, with: pieces) } ?? [])
    files += written.map { EmittedFile(path: Self.path($0.suffix, in: name), text: $0.text) }
    if let text = module.customLayers {
      files.append(EmittedFile(path: Self.path("CustomLayers", in: name), text: text + "\n"))
    }
    self.files = files.sorted { $0.path < $1.path }
  }

  /// The paths of the golden files, relative to the package's folder.
  public var goldenFiles: [String] { Self.goldenFiles.map { goldens + "/" + $0 } }

  /// The files of the module that runs the network, except the one that locates the package's
  /// resources.
  public var moduleFiles: [EmittedFile] {
    files.filter {
      $0.path.hasPrefix("Sources/\(name)/") && $0.path != Self.path("Resources", in: name)
    }
  }

  /// All paths that a package of this name can have, including its archive and goldens.
  public static func paths(_ language: PackageLanguage, name: String) -> [String] {
    (files(of: name) + programs(of: name) + [accuracy(in: name)]).map(\.path)
      + [archive(name), path("", in: name), path("CustomLayers", in: name)]
      + goldenFiles.map { goldens(name) + "/" + $0 }
      + language.files.map { path($0.suffix, in: name) }
      + (PictureSource.suffixes + ClassSource.suffixes).map { path($0, in: name) }
  }

  /// The files of packages in every language.
  private static func files(of name: String) -> [(path: String, source: RuntimeSource)] {
    [
      ("Package.swift", RuntimeSource(netconv_package_manifest())),
      ("README.md", RuntimeSource(netconv_package_readme())),
      (path("Archive", in: name), RuntimeSource(netconv_package_archive())),
      (path("Directory", in: name), RuntimeSource(netconv_package_directory())),
      (path("Parameters", in: name), RuntimeSource(netconv_package_parameters())),
      (path("Record", in: name), RuntimeSource(netconv_package_record())),
      (path("Resources", in: name), RuntimeSource(netconv_package_resources())),
      (
        "Sources/\(name)Goldens/\(name)Comparison.swift",
        RuntimeSource(netconv_package_comparison())
      ),
      ("Sources/\(name)Goldens/\(name)Goldens.swift", RuntimeSource(netconv_package_goldens())),
    ]
  }

  /// The programs that run the network, in every language.
  private static func programs(of name: String) -> [(path: String, source: RuntimeSource)] {
    [
      ("Sources/\(name)SelfTest/main.swift", RuntimeSource(netconv_package_self_test())),
      ("Tests/\(name)Tests/\(name)Tests.swift", RuntimeSource(netconv_package_tests())),
    ]
  }

  /// The file that measures accuracy.
  private static func accuracy(in name: String) -> (path: String, source: RuntimeSource) {
    ("Sources/\(name)SelfTest/\(name)Accuracy.swift", RuntimeSource(netconv_package_accuracy()))
  }

  /// The default name of a package: `deep-mnist` becomes `DeepMnist`.
  public static func name(for stem: String) -> String {
    let words = stem.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return name.first?.isLetter == true ? name : "Net" + name
  }

  private static func archive(_ name: String) -> String {
    "Sources/\(name)/\(name)\(ArchiveContainer.ending)"
  }

  private static func goldens(_ name: String) -> String { "Sources/\(name)Goldens" }

  /// The names of the golden files.
  private static let goldenFiles = [
    GoldensDocument.fileName, GoldensDocument.inputsName, GoldensDocument.outputsName,
  ]

  /// The path of a file of the module, from the suffix of its name.
  private static func path(_ suffix: String, in name: String) -> String {
    "Sources/\(name)/\(name)\(suffix).swift"
  }
}
