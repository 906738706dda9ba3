// swift-tools-version: 6.1

import PackageDescription

// The module asks to be linked by its name, and what is `package` in it is for all the stand-ins.
let package = Package(
  name: "CoreVideo",
  products: [.library(name: "CoreVideo", type: .dynamic, targets: ["CoreVideo"])],
  targets: [
    .target(
      name: "CoreVideo", path: "Sources", packageAccess: false,
      swiftSettings: [
        .unsafeFlags(["-module-link-name", "CoreVideo", "-package-name", "StandIns"])
      ])
  ],
  swiftLanguageModes: [.v6]
)
