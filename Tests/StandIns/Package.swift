// swift-tools-version: 6.1

import PackageDescription

// Each stand-in is a package of its own, because SwiftPM makes separate dynamic libraries only of separate packages:
// inside of one, a library that needs another gets a copy of it.
let modules = [
  "CoreGraphics", "CoreVideo", "Metal", "MetalKit", "MetalPerformanceShaders",
  "MetalPerformanceShadersGraph", "CryptoKit",
]

func product(_ name: String) -> Target.Dependency { .product(name: name, package: name) }

// Metal's tests encode work of their own.
let insider = [SwiftSetting.unsafeFlags(["-package-name", "StandIns"])]

/// Stand-ins for Apple's frameworks: the part of Metal, Metal Performance Shaders, MPSGraph and CryptoKit that a
/// program needs to run a network, on the CPU, for tests on Linux.
let package = Package(
  name: "StandIns",
  products: [.library(name: "StandIns", targets: ["StandIns"])],
  dependencies: modules.map { .package(path: $0) },
  targets: [
    // Builds all of them.
    .target(name: "StandIns", dependencies: modules.map(product), path: "All"),
    .testTarget(
      name: "MetalTests", dependencies: [product("Metal"), product("MetalKit")],
      packageAccess: false,
      swiftSettings: insider),
    .testTarget(name: "CryptoKitTests", dependencies: [product("CryptoKit")]),
    .testTarget(
      name: "MPSTests", dependencies: [product("MetalPerformanceShaders")],
      exclude: ["neurons.py"]),
    .testTarget(name: "MPSGraphTests", dependencies: [product("MetalPerformanceShadersGraph")]),
    .testTarget(name: "APIListTests", dependencies: ["StandIns"]),
  ],
  swiftLanguageModes: [.v6]
)
