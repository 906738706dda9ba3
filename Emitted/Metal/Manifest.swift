// swift-tools-version: 5.9

import PackageDescription

let package = Package(
  name: "NAME",
  platforms: [.macOS(.v13), .iOS(.v16)],
  products: [.library(name: "NAME", targets: ["NAME"])],
  targets: [
    // The kernels go along as text, which a device compiles; Xcode compiles them where they are in an app's target.
    .target(name: "NAME", resources: [.copy("NAMEFilters.metal")])
  ],
  swiftLanguageVersions: [.v5]
)
