/// A file of `Emitted` that becomes part of a package's module.
protocol RuntimeFile: Sendable {
  /// The suffix of the file's name after the package's name.
  var suffix: String { get }
  /// The template of the contents.
  var source: RuntimeSource { get }
}

extension RuntimeFile where Self: RawRepresentable<String> {
  var suffix: String { rawValue }
}
