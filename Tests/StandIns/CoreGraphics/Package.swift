// swift-tools-version: 6.1

import PackageDescription

// The module asks to be linked by its name, and what is `package` in it is for all the stand-ins.
let package = Package(
  name: "CoreGraphics",
  products: [.library(name: "CoreGraphics", type: .dynamic, targets: ["CoreGraphics"])],
  targets: [
    .target(
      name: "CoreGraphics", path: "Sources", packageAccess: false,
      swiftSettings: [
        .unsafeFlags(["-module-link-name", "CoreGraphics", "-package-name", "StandIns"])
      ])
  ],
  swiftLanguageModes: [.v6]
)
