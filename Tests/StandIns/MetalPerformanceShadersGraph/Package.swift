// swift-tools-version: 6.1

import PackageDescription

// The module asks to be linked by its name, and what is `package` in it is for all the stand-ins.
let package = Package(
  name: "MetalPerformanceShadersGraph",
  products: [
    .library(
      name: "MetalPerformanceShadersGraph", type: .dynamic,
      targets: ["MetalPerformanceShadersGraph"])
  ],
  dependencies: [.package(path: "../MetalPerformanceShaders")],
  targets: [
    .target(
      name: "MetalPerformanceShadersGraph",
      dependencies: [.product(name: "MetalPerformanceShaders", package: "MetalPerformanceShaders")],
      path: "Sources", packageAccess: false,
      swiftSettings: [
        .unsafeFlags([
          "-module-link-name", "MetalPerformanceShadersGraph", "-package-name", "StandIns",
        ])
      ])
  ],
  swiftLanguageModes: [.v6]
)
