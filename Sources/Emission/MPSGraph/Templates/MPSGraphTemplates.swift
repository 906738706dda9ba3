/// The files of a package with MPSGraph that are the same for all networks, but for the package's name and for what they
/// need.
struct MPSGraphTemplates {
  /// What the package is called.
  let name: PackageName
}
