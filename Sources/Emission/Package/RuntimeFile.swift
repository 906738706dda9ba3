/// A file of `Emitted` that becomes one of a package's module.
protocol RuntimeFile: Sendable {
  /// What its name has behind the package's.
  var suffix: String { get }
  /// What is in it.
  var source: RuntimeSource { get }
}

extension RuntimeFile where Self: RawRepresentable<String> {
  var suffix: String { rawValue }
}
