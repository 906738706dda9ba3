import ModelIR

/// A language that packages are written in.
public struct PackageLanguage: Sendable {
  /// What users call it.
  public let name: String
  /// What is written in it, for `--help`: lines of a sentence.
  public let help: String
  /// The consumer that the weights have to be converted for.
  public let target: String
  /// The oldest systems that have everything a package uses.
  let platforms: (macOS: Int, iOS: Int)
  /// The files that a module can have besides the network's and those that every package has.
  let files: [any RuntimeFile]
  /// The types of others that its code uses, and names of types inside of its own.
  let types: Set<String>
  /// How its code reads the values of a tensor.
  let tensorValues: PackagePiece
  /// The file that takes pictures in, if the network takes some.
  let pictures: any RuntimeFile
  /// Whether its inputs can have channels first.
  let takesPlanarPictures: Bool
  /// Writes a network.
  let module: @Sendable (PackageModel) throws(NetconvError) -> PackageModule

  /// Every language of packages, in the order in which they are listed.
  public static var all: [PackageLanguage] { EmittedLanguage.all.compactMap(\.package) }

  /// The language called `name`, if there is one.
  public static func named(_ name: String) -> PackageLanguage? { all.first { $0.name == name } }
}

/// What a language needs to know of a model.
struct PackageModel: Sendable {
  /// What the package is called.
  let name: PackageName
  /// The model as it was read.
  let model: Model
  /// What it was read from, for a comment.
  let source: String
  /// Whether values between layers, and kernels, are of float16; of float32 otherwise.
  let storesHalves: Bool
  /// The layers that the model no longer has, because kernels before them do their work.
  let folded: [String]
  /// Whether the package takes pictures.
  let takesPictures: Bool
  /// The layers that the app computes.
  let customLayers: CustomLayers

  /// What stands in front of the network's device, which the way of pictures reads.
  var deviceAccess: String { takesPictures ? "" : "private " }

  /// The declaration of the way of pictures; nothing if there is none.
  var picturesProperty: String {
    guard takesPictures else { return "" }
    return """

        /// The way of pictures into the network, which is made for the first.
        var pictures: \(name)Pictures?
      """
  }

  /// The declaration of the layers that are folded; nothing if there are none.
  var foldedConstant: String {
    guard !folded.isEmpty else { return "" }
    return """

        /// Layers whose work the kernels before them do; an archive has to agree.
        static let folded: Set<String> = [
      \(folded.map { "    \(SwiftText.literal($0)),\n" }.joined())  ]

      """
  }
}

/// What a language writes of a model.
struct PackageModule: Sendable {
  /// The text of the network's class.
  var network: String
  /// The files of runtime code that it needs.
  var files: [any RuntimeFile]
  /// What it needs of them.
  var pieces: RuntimePieces
  /// Whether `predict` takes an array of inputs.
  var takesSeveralInputs: Bool
  /// Whether `predict` gives an array of outputs.
  var givesSeveralOutputs: Bool
  /// The text of the protocol that the app implements; `nil` if there is nothing to implement.
  var customLayers: String?
  /// The layers whose kernels are of floats in a network of halves, too.
  var layersOfFloats: [String] = []
}
