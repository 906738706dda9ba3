internal import CEmitted
import ModelIR

/// What a package has whose network gives a value for each class, in every language.
struct ClassSource {
  /// What the classes are called, in order; `nil` if nobody has said it.
  let labels: [String]?
  /// Whether there are several; a single value is the largest in any case.
  let areSeveral: Bool

  /// What the names of the files have behind the package's.
  static let suffixes = ["Classes", "Labels"]

  /// The names of `labels`, and the classes of a model that has one output, which is a vector.
  ///
  /// - Returns: `nil` if the model has none.
  init?(of model: Model, labels: [String]?) {
    guard model.outputs.count == 1, let shape = model.shape(of: model.outputs[0]), shape.rank == 1
    else { return nil }
    self.labels = labels
    areSeveral = shape.known != [1]
  }

  /// The files, by their suffixes.
  func texts(
    in language: PackageLanguage, _ name: PackageName, with pieces: RuntimePieces
  ) -> [(suffix: String, text: String)] {
    let source = RuntimeSource(netconv_package_classes())
    let classes = source.text(with: pieces, RuntimeValues(name, language))
    guard let labels else { return [("Classes", classes)] }
    return [
      ("Classes", classes),
      (
        "Labels",
        """
        /// What the classes are called, in the order of the outputs.
        enum \(name)Labels {
          static let names: [String] = [
        \(labels.map { "    \(SwiftText.literal($0)),\n" }.joined())  ]
        }

        """
      ),
    ]
  }
}
