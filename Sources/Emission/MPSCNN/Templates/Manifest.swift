extension MPSCNNTemplates {
  /// The manifest of the package.
  static let manifest = #"""
    // swift-tools-version: 5.9

    import PackageDescription

    let package = Package(
      name: "NAME",
      platforms: [.macOS(.v11), .iOS(.v14)],
      products: [.library(name: "NAME", targets: ["NAME"])],
      targets: [
        .target(name: "NAME"),
        .executableTarget(name: "NAMESelfTest", dependencies: ["NAME"]),
      ],
      swiftLanguageVersions: [.v5]
    )
    """#
}
