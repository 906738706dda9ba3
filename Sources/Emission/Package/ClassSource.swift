internal import CEmitted
import ModelIR

/// The class labels of a package whose network is a classifier, in every language.
struct ClassSource {
  /// The names of the classes in order; `nil` if they are unknown.
  let labels: [String]?
  /// True if there is more than one class; a single value leaves nothing to choose.
  let areSeveral: Bool

  /// The suffixes of the files' names.
  static let suffixes = ["Classes", "Labels"]

  /// Creates the classes of a model with a single output vector.
  ///
  /// - Returns: `nil` if the model has no such output.
  init?(of model: Model, labels: [String]?) {
    guard model.outputs.count == 1, let shape = model.shape(of: model.outputs[0]), shape.rank == 1
    else { return nil }
    self.labels = labels
    areSeveral = shape.known != [1]
  }

  /// The files with the suffixes of their names.
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
        /// The names of the classes, in the order of the outputs.
        enum \(name)Labels {
          static let names: [String] = [
        \(labels.map { "    \(SwiftText.literal($0)),\n" }.joined())  ]
        }

        """
      ),
    ]
  }
}
