internal import CEmitted
import Documents
import ModelIR

/// A model as a Swift package, but for its weights.
public struct EmittedPackage: Sendable {
  /// The source text.
  public let files: [EmittedFile]
  /// Where the archive with the weights belongs, from the package's folder on.
  public let archive: String
  /// The folder that the goldens belong to, as files of their own names, from the package's folder on.
  public let goldens: String
  /// What the module is called.
  public let name: String
  /// The layers whose kernels are of float32, whatever those of others are.
  public let layersOfFloats: [String]
  /// The layers that the app computes, because only code knows them.
  public let customLayers: [String]

  /// A package called `name`.
  ///
  /// - Parameters:
  ///   - model: as it was read.
  ///   - language: what it is written in.
  ///   - source: what it was read from, for a comment.
  ///   - name: of the module and of the class, and what the names of all other types begin with.
  ///   - storesHalves: whether values between layers are of float16; of float32 otherwise.
  ///   - folded: layers that the model no longer has, because kernels before them do their work.
  ///   - pictures: how pictures come into the network, if it takes some.
  ///   - labels: what the classes are called, if the network has some.
  /// - Throws: `usage` if `name` cannot be a module's, `badData` with every layer that the language lacks.
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
    // A program of the package's own has no layers of the app.
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

  /// The files of the goldens, from the package's folder on.
  public var goldenFiles: [String] { Self.goldenFiles.map { goldens + "/" + $0 } }

  /// The files of the module that runs the network, but for the one that finds the package's resources.
  public var moduleFiles: [EmittedFile] {
    files.filter {
      $0.path.hasPrefix("Sources/\(name)/") && $0.path != Self.path("Resources", in: name)
    }
  }

  /// Every path that a package of this name can have, those of the archive and of the goldens included.
  public static func paths(_ language: PackageLanguage, name: String) -> [String] {
    (files(of: name) + programs(of: name) + [accuracy(in: name)]).map(\.path)
      + [archive(name), path("", in: name), path("CustomLayers", in: name)]
      + goldenFiles.map { goldens(name) + "/" + $0 }
      + language.files.map { path($0.suffix, in: name) }
      + (PictureSource.suffixes + ClassSource.suffixes).map { path($0, in: name) }
  }

  /// The files that packages have in every language.
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

  /// The files that run the network, in every language.
  private static func programs(of name: String) -> [(path: String, source: RuntimeSource)] {
    [
      ("Sources/\(name)SelfTest/main.swift", RuntimeSource(netconv_package_self_test())),
      ("Tests/\(name)Tests/\(name)Tests.swift", RuntimeSource(netconv_package_tests())),
    ]
  }

  /// What counts right classes.
  private static func accuracy(in name: String) -> (path: String, source: RuntimeSource) {
    ("Sources/\(name)SelfTest/\(name)Accuracy.swift", RuntimeSource(netconv_package_accuracy()))
  }

  /// The name that a package has unless another is given: `deep-mnist` becomes `DeepMnist`.
  public static func name(for stem: String) -> String {
    let words = stem.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return name.first?.isLetter == true ? name : "Net" + name
  }

  private static func archive(_ name: String) -> String {
    "Sources/\(name)/\(name)\(ArchiveContainer.ending)"
  }

  private static func goldens(_ name: String) -> String { "Sources/\(name)Goldens" }

  /// The files of the goldens.
  private static let goldenFiles = [
    GoldensDocument.fileName, GoldensDocument.inputsName, GoldensDocument.outputsName,
  ]

  /// A file of the module, by what its name has behind the package's.
  private static func path(_ suffix: String, in name: String) -> String {
    "Sources/\(name)/\(name)\(suffix).swift"
  }
}
