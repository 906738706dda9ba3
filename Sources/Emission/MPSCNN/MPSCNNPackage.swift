import ModelIR
import Transforms

/// A model as a Swift package for Metal Performance Shaders, but for its weights.
public struct MPSCNNPackage: Sendable {
  /// The consumer that the weights have to be converted for.
  public static let target = "mps"

  /// The source text.
  public let files: [EmittedFile]
  /// Where the archive with weights and goldens belongs, from the package's folder on.
  public let archive: String
  private let name: String

  /// A package called `name`.
  ///
  /// - Parameters:
  ///   - model: as it was read.
  ///   - source: what it was read from, for a comment.
  ///   - name: of the module and of the class, and what the names of all other types begin with.
  ///   - storesHalves: whether images are of float16; of float32 otherwise.
  /// - Throws: `usage` if `name` cannot be a module's, `badData` with every layer that MPSCNN has no kernel for.
  public init(
    _ model: Model, from source: String, name: String, storesHalves: Bool
  ) throws(NetconvError) {
    try Self.check(name)
    self.name = name
    let plan = try MPSCNNPlan(model.arranged(for: Target.named(Self.target)))
    let network = MPSCNNNetworkSource(
      plan, model: model.name, source: source, storesHalves: storesHalves)
    archive = "Resources/\(name).netpack"
    let folder = "Sources/NAME/NAME"
    var files: [(path: String, text: String)] = [
      ("Package.swift", MPSCNNTemplates.manifest), (folder + ".swift", network.text),
      (folder + "Archive.swift", MPSCNNTemplates.archive),
      (folder + "Directory.swift", MPSCNNTemplates.directory),
      (folder + "Images.swift", network.imagesText),
      (
        folder + "Pixels.swift",
        storesHalves ? MPSCNNTemplates.halfPixels : MPSCNNTemplates.floatPixels
      ),
      ("Sources/NAMESelfTest/main.swift", MPSCNNTemplates.selfTest),
      ("Sources/NAMESelfTest/NAMEGoldens.swift", MPSCNNTemplates.goldens),
    ]
    if let text = network.kernelsText { files.append((folder + "Kernels.swift", text)) }
    if network.hasWeights { files.append((folder + "Weights.swift", MPSCNNTemplates.weights)) }
    if network.hasNormalizations {
      files.append((folder + "Normalization.swift", MPSCNNTemplates.normalization))
    }
    if network.hasConcatenations {
      files.append((folder + "Concatenation.swift", MPSCNNTemplates.concatenation))
    }
    self.files = files.map {
      EmittedFile(
        path: $0.path.replacing("NAME", with: name),
        text: $0.text.replacing("NAME", with: name) + "\n")
    }
  }

  /// The files of the module that runs the network: all but the manifest and the self-test.
  public var moduleFiles: [EmittedFile] {
    files.filter { $0.path.hasPrefix("Sources/\(name)/") }
  }

  /// Every path that a package of this name can have, the archive's included.
  public static func paths(name: String) -> [String] {
    let types = [
      "", "Archive", "Concatenation", "Directory", "Images", "Kernels", "Normalization", "Pixels",
      "Weights",
    ]
    return ["Package.swift", "Resources/\(name).netpack"]
      + types.map { "Sources/\(name)/\(name)\($0).swift" }
      + ["main", name + "Goldens"].map { "Sources/\(name)SelfTest/\($0).swift" }
  }

  /// The name that a package has unless another is given: `deep-mnist` becomes `DeepMnist`.
  public static func name(for stem: String) -> String {
    let words = stem.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return name.first?.isLetter == true ? name : "Network" + name
  }

  private static func check(_ name: String) throws(NetconvError) {
    let isName =
      name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      && name.first?.isUppercase == true
    guard isName else { throw .notAName(name) }
  }
}
