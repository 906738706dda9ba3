// swift-tools-version: 5.9

import PackageDescription

#if customLayers
let package = Package(
  name: "NAME",
  platforms: [.macOS(.v10_13), .iOS(.v12)],
  products: [
    .library(name: "NAME", targets: ["NAME"]),
    .library(name: "NAMEGoldens", targets: ["NAMEGoldens"]),
  ],
  targets: [
    .target(name: "NAME", resources: [.copy("NAME.netpack")]),
    // Test cases, for tests that have the app's layers: an app that links the library has nothing of them.
    .target(name: "NAMEGoldens", dependencies: ["NAME"], resources: [.copy("goldens")]),
  ],
  swiftLanguageVersions: [.v5]
)
#else
let package = Package(
  name: "NAME",
  platforms: [.macOS(.v10_13), .iOS(.v12)],
  products: [.library(name: "NAME", targets: ["NAME"])],
  targets: [
    .target(name: "NAME", resources: [.copy("NAME.netpack")]),
    // Test cases, for the program and the tests: an app that links the library has nothing of them.
    .target(name: "NAMEGoldens", dependencies: ["NAME"], resources: [.copy("goldens")]),
    .executableTarget(
      name: "NAMESelfTest", dependencies: ["NAME", "NAMEGoldens"],
      // Without it a command-line tool has no default device on a Mac.
      linkerSettings: [.linkedFramework("CoreGraphics", .when(platforms: [.macOS]))]),
    .testTarget(name: "NAMETests", dependencies: ["NAME", "NAMEGoldens"]),
  ],
  swiftLanguageVersions: [.v5]
)
#endif
