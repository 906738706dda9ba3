import ModelIR

/// A language for packages that run a network.
public struct PackageLanguage: Sendable {
  /// The name of the language on the command line.
  public let name: String
  /// The lines of the description in `--help`.
  public let help: String
  /// The target that the weights are converted for.
  public let target: String
  /// The oldest systems that have all APIs used by a package.
  let platforms: (macOS: Int, iOS: Int)
  /// The optional files of a module, besides the network and the files of every package.
  let files: [any RuntimeFile]
  /// The external types that the code uses, and the names of types nested in its own.
  let types: Set<String>
  /// The form in which the code reads the values of a tensor.
  let tensorValues: PackagePiece
  /// The file that reads pictures, for networks that accept them.
  let pictures: any RuntimeFile
  /// True if inputs can be channels first.
  let takesPlanarPictures: Bool
  /// Returns the source of a network.
  let module: @Sendable (PackageModel) throws(NetconvError) -> PackageModule

  /// All package languages in the order in which they are listed.
  public static var all: [PackageLanguage] { EmittedLanguage.all.compactMap(\.package) }

  /// The language called `name`, if there is one.
  public static func named(_ name: String) -> PackageLanguage? { all.first { $0.name == name } }
}

/// The model and the options of a package that a language emits.
struct PackageModel: Sendable {
  /// The name of the package.
  let name: PackageName
  /// The model as read.
  let model: Model
  /// The name of the source file, for a comment.
  let source: String
  /// True to store kernels and values between layers as float16, false for float32.
  let storesHalves: Bool
  /// The layers that were folded into the kernels before them.
  let folded: [String]
  /// True if the package accepts pictures.
  let takesPictures: Bool
  /// The custom layers.
  let customLayers: CustomLayers

  /// The access modifier of the network's device, which the code for pictures reads.
  var deviceAccess: String { takesPictures ? "" : "private " }

  /// The declaration of the property for pictures; empty if the network accepts none.
  var picturesProperty: String {
    guard takesPictures else { return "" }
    return """

        /// The way of pictures into the network, which is made for the first.
        var pictures: \(name)Pictures?
      """
  }

  /// The declaration of the folded layers; empty if there are none.
  var foldedConstant: String {
    guard !folded.isEmpty else { return "" }
    return """

        /// Layers whose work the kernels before them do; an archive has to agree.
        static let folded: Set<String> = [
      \(folded.map { "    \(SwiftText.literal($0)),\n" }.joined())  ]

      """
  }
}

/// The result of emitting a model in a language.
struct PackageModule: Sendable {
  /// The source text of the network's class.
  var network: String
  /// The runtime files that the network needs.
  var files: [any RuntimeFile]
  /// The pieces of the runtime files that the network needs.
  var pieces: RuntimePieces
  /// True if `predict` accepts an array of inputs.
  var takesSeveralInputs: Bool
  /// True if `predict` returns an array of outputs.
  var givesSeveralOutputs: Bool
  /// The source text of the protocol for custom layers; `nil` if there are none.
  var customLayers: String?
  /// The layers with float32 kernels even in a float16 network.
  var layersOfFloats: [String] = []
}
