// swift-tools-version: 6.1

import PackageDescription

/// A program with a network: `lenet.h5` is converted whenever the program is built.
let package = Package(
  name: "BuildPlugin",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "netconv", path: "../..")],
  targets: [
    .executableTarget(
      name: "Digits", dependencies: [.product(name: "NetconvKit", package: "netconv")],
      plugins: [.plugin(name: "NetconvPlugin", package: "netconv")])
  ],
  swiftLanguageModes: [.v6]
)
