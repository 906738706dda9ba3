// swift-tools-version: 6.1

import PackageDescription

// The module asks to be linked by its name, and what is `package` in it is for all the stand-ins.
let package = Package(
  name: "MetalKit",
  products: [
    .library(name: "MetalKit", type: .dynamic, targets: ["MetalKit"])
  ],
  dependencies: [.package(path: "../Metal")],
  targets: [
    .target(
      name: "MetalKit",
      dependencies: [.product(name: "Metal", package: "Metal")],
      path: "Sources", packageAccess: false,
      swiftSettings: [
        .unsafeFlags(["-module-link-name", "MetalKit", "-package-name", "StandIns"])
      ])
  ],
  swiftLanguageModes: [.v6]
)
