// swift-tools-version: 5.9

import PackageDescription

let package = Package(
  name: "NAME",
  platforms: [.macOS(.v10_13), .iOS(.v12)],
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
