/// The files of a package with MPSCNN that are the same for all networks, but for the package's name.
struct MPSCNNTemplates {
  /// What the package is called.
  let name: PackageName
}
