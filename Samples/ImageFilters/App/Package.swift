// swift-tools-version: 5.9

import PackageDescription

/// A picture with two sliders, for a Mac.
///
/// `Look` beside this file is what `netconv emit --language metal` writes.
let package = Package(
  name: "FilterApp",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [.package(path: "Look")],
  targets: [
    .target(name: "FilterEditor", dependencies: ["Look"]),
    .executableTarget(name: "FilterApp", dependencies: ["FilterEditor", "Look"]),
  ]
)
