extension PackageTemplates {
  /// The manifest of the package.
  ///
  /// - Parameter platforms: the systems that have everything the package uses.
  func manifest(platforms: String) -> String {
    #"""
    // swift-tools-version: 5.9

    import PackageDescription

    let package = Package(
      name: "\#(name)",
      platforms: [\#(platforms)],
      products: [.library(name: "\#(name)", targets: ["\#(name)"])],
      targets: [
        .target(name: "\#(name)"),
        .executableTarget(
          name: "\#(name)SelfTest", dependencies: ["\#(name)"],
          // Without it a command-line tool has no default device on a Mac.
          linkerSettings: [.linkedFramework("CoreGraphics", .when(platforms: [.macOS]))]),
      ],
      swiftLanguageVersions: [.v5]
    )
    """#
  }
}
