// swift-tools-version: 6.1

import PackageDescription

// The module asks to be linked by its name, and what is `package` in it is for all the stand-ins.
let package = Package(
  name: "Metal",
  products: [.library(name: "Metal", type: .dynamic, targets: ["Metal"])],
  targets: [
    .target(
      name: "Metal",
      path: "Sources", packageAccess: false,
      swiftSettings: [.unsafeFlags(["-module-link-name", "Metal", "-package-name", "StandIns"])])
  ],
  swiftLanguageModes: [.v6]
)
