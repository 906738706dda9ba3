// swift-tools-version: 6.1

import PackageDescription

// The module asks to be linked by its name, and what is `package` in it is for all the stand-ins.
let package = Package(
  name: "CryptoKit",
  products: [.library(name: "CryptoKit", type: .dynamic, targets: ["CryptoKit"])],
  targets: [
    .target(
      name: "CryptoKit", path: "Sources", packageAccess: false,
      swiftSettings: [
        .unsafeFlags(["-module-link-name", "CryptoKit", "-package-name", "StandIns"])
      ])
  ],
  swiftLanguageModes: [.v6]
)
