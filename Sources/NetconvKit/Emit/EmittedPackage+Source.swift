import Emission
import Files
import ModelIR
import Readers
import Transforms

extension EmittedPackage {
  /// The types of kernels that the code needs to be of floats.
  var elementTypeRules: [ElementTypeRule] {
    layersOfFloats.map { layer in
      // A pattern has no way to say a star.
      ElementTypeRule(layer.replacing("*", with: "?"), .float32)
    }
  }

  /// A package of what was read at `path`, called as that is unless it is named.
  ///
  /// - Throws: `usage` for a wrong name, `badData` with every layer that the language lacks, or what reading a
  ///   parameter throws.
  init(
    _ source: ReadSource, at path: String, in language: PackageLanguage, called name: String?,
    precision: Precision, foldsBatchNormalization: Bool
  ) throws(NetconvError) {
    let model = try source.model
    let folding = foldsBatchNormalization ? try model.foldingBatchNormalization() : nil
    try self.init(
      folding?.model ?? model, in: language, from: Directory.lastComponent(of: path),
      name: name ?? Self.name(for: Netconv.stem(of: path)), storesHalves: precision == .float16,
      folded: folding?.folded.map(\.layer) ?? [])
  }
}
