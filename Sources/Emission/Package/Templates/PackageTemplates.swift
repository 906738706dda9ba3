/// The files that packages have in every language, and parts of files.
struct PackageTemplates {
  /// What the package is called.
  let name: PackageName
}
