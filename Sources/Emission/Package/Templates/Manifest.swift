extension PackageTemplates {
  /// The manifest of the package.
  ///
  /// - Parameter platforms: the systems that have everything the package uses.
  static func manifest(platforms: String) -> String {
    #"""
    // swift-tools-version: 5.9

    import PackageDescription

    let package = Package(
      name: "NAME",
      platforms: [\#(platforms)],
      products: [.library(name: "NAME", targets: ["NAME"])],
      targets: [
        .target(name: "NAME"),
        .executableTarget(
          name: "NAMESelfTest", dependencies: ["NAME"],
          // Without it a command-line tool has no default device on a Mac.
          linkerSettings: [.linkedFramework("CoreGraphics", .when(platforms: [.macOS]))]),
      ],
      swiftLanguageVersions: [.v5]
    )
    """#
  }
}
