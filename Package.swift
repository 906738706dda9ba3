// swift-tools-version: 6.1

import PackageDescription

/// A library of which Linux takes the archive, so that its code goes into the program.
///
/// A package of a Linux distribution links the system's (`NETCONV_SHARED`).
func archive(_ name: String) -> LinkerSetting {
  let isShared = Context.environment["NETCONV_SHARED"] != nil
  return .linkedLibrary(isShared ? name : ":lib\(name).a", .when(platforms: [.linux]))
}

/// The modules of netconv, from the bottom up.
///
/// The dependencies listed here are the only allowed arrows; `ArchitectureTests` checks that no source file imports
/// anything else, and that each arrow is used. CONTRIBUTING.md says what each module is for.
let package = Package(
  name: "netconv",
  // netconv itself is for Macs and Linux; NetconvKit and ModelDSL are for apps too.
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "netconv", targets: ["netconv"]),
    .library(name: "NetconvKit", targets: ["NetconvKit"]),
    .library(name: "ModelDSL", targets: ["ModelDSL", "ModelIR"]),
    .executable(name: "filter-sliders", targets: ["FilterSliders"]),
    .library(name: "ImageFilters", targets: ["ImageFilters", "ModelIR"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(name: "CHDF5"),
    .target(name: "CSystemCalls"),
    .target(name: "CChecksums"),
    // What SHA-256 needs of libcrypto has 24 kB; the shared library is not on every machine that netconv is copied to.
    .target(name: "CSHA256", linkerSettings: [archive("crypto")]),
    .target(name: "Digests", dependencies: ["CSHA256", "CChecksums"]),
    // Linked statically, too: a program that was copied elsewhere reads pictures there.
    .target(
      name: "CPictures",
      linkerSettings: [
        archive("png16"), archive("jpeg"),
        .linkedLibrary("png16", .when(platforms: [.macOS])),
        .linkedLibrary("jpeg", .when(platforms: [.macOS])),
        .linkedLibrary("z"), .linkedLibrary("m", .when(platforms: [.linux])),
      ]),
    .target(name: "CMNIST"),
    .target(name: "CEmitted"),
    .target(name: "CTopics"),
    .target(name: "CPages"),
    .target(name: "CKernels"),
    .target(name: "Memory", dependencies: ["CSystemCalls"]),
    .target(name: "ModelIR", dependencies: ["Memory"]),
    .target(name: "ValueSums"),
    .target(name: "Processor", dependencies: ["Memory", "ModelIR", "CKernels"]),
    .target(name: "ImageFilters", dependencies: ["Processor", "ModelIR", "CKernels"]),
    .target(
      name: "Pictures",
      dependencies: ["CPictures", "Confinement", "Files", "ImageFilters", "Memory", "ModelIR"]),
    .target(name: "CHDF5Window", dependencies: ["CHDF5"]),
    .target(
      name: "HDF5",
      dependencies: ["CHDF5", "CHDF5Window", "Confinement", "Files", "Memory", "ModelIR"]),
    .target(name: "Confinement", dependencies: ["CSystemCalls", "Memory", "ModelIR"]),
    .target(name: "Files", dependencies: ["CSystemCalls", "Memory", "ModelIR"]),
    .target(name: "Zlib", dependencies: ["CZlib", "Files", "Memory", "ModelIR"]),
    .target(name: "Numpy", dependencies: ["ModelIR"]),
    .target(name: "ProtocolBuffers", dependencies: ["Files", "ModelIR"]),
    .target(name: "FlatBuffers", dependencies: ["Files", "ModelIR"]),
    .target(name: "Pickles", dependencies: ["Files", "ModelIR"]),
    .target(name: "Operators", dependencies: ["ModelIR"]),
    .target(name: "ModelDSL", dependencies: ["Operators", "ModelIR"]),
    .target(name: "Documents", dependencies: ["Operators", "ModelIR", "Digests", "ValueSums"]),
    .target(name: "ONNXExport", dependencies: ["ProtocolBuffers", "Operators", "ModelIR"]),
    .target(name: "TFLiteExport", dependencies: ["FlatBuffers", "Operators", "ModelIR"]),
    .target(
      name: "CoreMLExport",
      dependencies: ["ONNXExport", "ProtocolBuffers", "Operators", "ModelIR"]),
    .target(
      name: "Readers",
      dependencies: [
        "HDF5", "Zlib", "ProtocolBuffers", "FlatBuffers", "Pickles", "Digests", "Files", "Numpy",
        "Documents", "CoreMLExport", "ONNXExport", "TFLiteExport",
        "Transforms", "Operators", "ModelIR",
      ]),
    .target(name: "Transforms", dependencies: ["Documents", "Operators", "ModelIR"]),
    .target(name: "Lowering", dependencies: ["Operators", "Memory", "ModelIR"]),
    .target(
      name: "Emission",
      dependencies: ["Lowering", "Transforms", "Documents", "Operators", "ModelIR", "CEmitted"]),
    .target(
      name: "Writers",
      dependencies: [
        "Zlib", "Files", "Numpy", "Documents", "Digests", "Memory", "ModelIR", "CSystemCalls",
        "CoreMLExport", "ONNXExport", "TFLiteExport", "ValueSums",
      ]),
    .target(
      name: "Execution",
      dependencies: ["Lowering", "Processor", "Operators", "Memory", "ModelIR", "CKernels"]),
    .target(
      name: "Datasets",
      dependencies: [
        "Zlib", "Files", "Numpy", "Pictures", "ImageFilters", "Memory", "ModelIR", "CMNIST",
      ]),
    .target(name: "Pages", dependencies: ["CPages", "Digests", "GraphLayout", "ModelIR"]),
    .target(name: "Relations", dependencies: ["Processor", "ModelIR", "ValueSums"]),
    .target(name: "GraphLayout"),
    .target(
      name: "Diagnosis",
      dependencies: ["Documents", "Execution", "Lowering", "Operators", "ModelIR", "ValueSums"]),
    .target(
      name: "NetconvKit",
      dependencies: [
        "Readers", "Transforms", "Emission", "Writers", "Lowering", "Execution", "Diagnosis",
        "Relations", "Datasets", "ImageFilters", "Pictures", "Documents", "Operators", "Memory",
        "Processor",
        "ModelIR", "HDF5", "Zlib", "Confinement", "Files", "Digests", "Pages", "ValueSums",
      ]),
    .target(
      name: "NetconvCLI",
      // The parser first, so that it is compiled beside ModelIR, which all others wait for.
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"), "NetconvKit", "Memory",
        "ModelIR", "CTopics",
      ]),
    .executableTarget(name: "netconv", dependencies: ["NetconvCLI"]),

    // The samples, written in the model language.
    .target(
      name: "SampleModels", dependencies: ["ModelDSL", "ModelIR"], path: "Samples/Models"),

    // Two sliders before a picture, as a command.
    .executableTarget(
      name: "FilterSliders", dependencies: ["ImageFilters", "ModelIR"],
      path: "Samples/ImageFilters/Command"
    ),

    // Fixtures, temporary folders and the built program, for the tests below.
    .target(name: "TestSupport", dependencies: ["Datasets", "ModelIR"], path: "Tests/TestSupport"),
    .testTarget(
      name: "ArchitectureTests", dependencies: ["Documents", "Operators", "TestSupport"]),
    .testTarget(name: "DigestsTests", dependencies: ["Digests", "CChecksums"]),
    .testTarget(name: "MemoryTests", dependencies: ["Memory"]),
    .testTarget(name: "ValueSumsTests", dependencies: ["ValueSums"]),
    .testTarget(name: "ModelIRTests", dependencies: ["ModelIR", "TestSupport"]),
    .testTarget(
      name: "PicturesTests",
      dependencies: [
        "Confinement", "Pictures", "ImageFilters", "ModelIR", "TestSupport",
      ]),
    .testTarget(
      name: "ImageFiltersTests",
      dependencies: ["ImageFilters", "Datasets", "ModelIR", "TestSupport"]),
    .testTarget(
      name: "HDF5Tests",
      dependencies: [
        "Confinement", "Files", "HDF5", "ModelIR", "TestSupport",
      ]),
    .testTarget(
      name: "ConfinementTests", dependencies: ["Confinement", "ConfinementProbe", "TestSupport"]),
    // What a process that reads for another must not do, tried in its place.
    .executableTarget(
      name: "ConfinementProbe", dependencies: ["CSystemCalls"], path: "Tests/ConfinementProbe"),
    .testTarget(name: "ZlibTests", dependencies: ["Zlib", "Files", "ModelIR", "TestSupport"]),
    .testTarget(
      name: "ProtocolBuffersTests", dependencies: ["ProtocolBuffers", "ModelIR", "TestSupport"]),
    .testTarget(name: "FlatBuffersTests", dependencies: ["FlatBuffers", "ModelIR", "TestSupport"]),
    .testTarget(
      name: "ONNXExportTests",
      dependencies: ["ONNXExport", "Operators", "ModelIR", "TestSupport"]),
    .testTarget(
      name: "TFLiteExportTests",
      dependencies: ["TFLiteExport", "FlatBuffers", "Operators", "ModelIR", "TestSupport"]),
    .testTarget(
      name: "CoreMLExportTests",
      dependencies: ["CoreMLExport", "Operators", "ModelIR", "TestSupport"]),
    .testTarget(
      name: "PicklesTests", dependencies: ["Pickles", "Files", "ModelIR", "TestSupport"]),
    .testTarget(
      name: "OperatorsTests", dependencies: ["Operators", "ModelIR"], exclude: ["Fixtures"]),
    .testTarget(
      name: "ModelDSLTests",
      dependencies: [
        "ModelDSL", "SampleModels", "NetconvKit", "Execution", "Datasets", "Documents", "Operators",
        "ModelIR", "Readers", "Writers", "TestSupport",
      ]),
    .testTarget(
      name: "DocumentsTests", dependencies: ["Documents", "Operators", "ModelIR", "TestSupport"]),
    .testTarget(
      name: "ReadersTests",
      dependencies: [
        "Readers", "Transforms", "Documents", "Execution", "Datasets", "Zlib", "Digests", "Files",
        "Operators", "ModelIR", "TestSupport",
      ]),
    .testTarget(
      name: "TransformsTests",
      dependencies: [
        "Transforms", "Execution", "Datasets", "Operators", "ModelIR", "TestSupport",
      ]),
    .testTarget(
      name: "EmissionTests",
      dependencies: [
        "Emission", "ModelDSL", "NetconvKit", "Readers", "Transforms", "Execution", "Datasets",
        "Zlib", "ModelIR", "TestSupport", "Digests", "ImageFilters",
      ], exclude: ["Expected", "Programs"]),
    .testTarget(
      name: "WritersTests",
      dependencies: [
        "Writers", "Documents", "Zlib", "Operators", "Memory", "ModelIR", "Files", "TestSupport",
      ]),
    .testTarget(name: "LoweringTests", dependencies: ["Lowering"]),
    .testTarget(
      name: "ExecutionTests",
      dependencies: [
        "Execution", "Lowering", "Datasets", "Operators", "Memory", "ModelIR", "TestSupport",
      ]),
    .testTarget(
      name: "DatasetsTests",
      dependencies: [
        "Datasets", "Zlib", "Files", "ModelIR", "TestSupport",
        "Digests",
      ]),
    .testTarget(
      name: "RelationsTests", dependencies: ["Relations", "ModelIR", "TestSupport"]),
    .testTarget(name: "PagesTests", dependencies: ["Pages", "Digests"]),
    .testTarget(name: "GraphLayoutTests", dependencies: ["GraphLayout", "TestSupport"]),
    .testTarget(
      name: "DiagnosisTests",
      dependencies: [
        "Diagnosis", "NetconvKit", "Transforms", "Writers", "Documents", "Execution", "Operators",
        "ModelIR", "Readers", "Datasets", "TestSupport",
      ]),
    .testTarget(
      name: "NetconvKitTests",
      dependencies: [
        "Diagnosis", "Execution", "NetconvKit", "Documents", "Operators", "ModelIR", "Readers",
        "Datasets",
        "Files", "TestSupport", "Digests",
      ]),
    .testTarget(
      name: "NetconvCLITests",
      dependencies: ["Datasets", "Files", "HDF5", "ModelIR", "Operators", "TestSupport"],
      exclude: ["Transcripts"]),

    // Parsers as functions of bytes; their seeds run with the tests, `make fuzz` looks for more.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "NetconvKit", "Readers", "Datasets", "Pictures", "Pickles", "HDF5", "Zlib", "Digests",
        "Files", "Numpy", "Documents", "Operators", "ModelIR",
      ],
      path: "Fuzzing/Targets"),
    .testTarget(
      name: "FuzzingTests", dependencies: ["FuzzTargets", "ModelIR", "TestSupport"],
      path: "Fuzzing/Tests"),
  ],
  swiftLanguageModes: [.v6]
)

// SwiftPM builds what plugins run apart from everything else: with the plugin, `swift build` and `swift test` of this
// package compile netconv twice. `make test` has no use for that.
if Context.environment["NETCONV_WITHOUT_PLUGIN"] == nil {
  package.products.append(.plugin(name: "NetconvPlugin", targets: ["NetconvPlugin"]))
  package.targets.append(
    .plugin(name: "NetconvPlugin", capability: .buildTool(), dependencies: ["netconv"]))
}

// A library that lets calls of netconv fail; only this package's own tests load it.
if Context.environment["NETCONV_WITHOUT_PLUGIN"] != nil {
  package.products.append(.library(name: "FaultShim", type: .dynamic, targets: ["FaultShim"]))
  package.targets.append(
    .target(name: "FaultShim", path: "Tests/FaultShim", publicHeadersPath: "."))
}

// The micro-benchmarks need a package that nothing else needs; `make microbench` asks for them. They are part of
// this package, not one of their own, to reach what has `package` access.
if Context.environment["NETCONV_BENCHMARKS"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []))
  package.targets.append(
    .executableTarget(
      name: "MicroBenchmarks",
      dependencies: [
        "Execution", "ModelDSL", "ModelIR", "Digests",
        .product(name: "Benchmark", package: "benchmark"),
      ],
      path: "Benchmarks/MicroBenchmarks",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]))
}

// The development profile, which `make` asks for: most modules without optimisation. It has the configuration of a release,
// since the argument parser checks itself for 35 ms at each start of a debug build. Modules whose loops go over values are
// compiled as a release has them. Of the others an edit compiles the files that it reaches, but of tests the module, whose
// first compilation takes a third less of the CPU that way.
if Context.environment["NETCONV_DEVELOPMENT"] != nil {
  let loops: Set = [
    "Digests", "GraphLayout", "ImageFilters", "Memory", "ModelIR", "Numpy", "Operators",
    "Processor", "TestSupport", "ValueSums", "Zlib",
  ]
  let byFile = [
    "-no-whole-module-optimization", "-enable-batch-mode", "-incremental",
    // Two processes for a module, not one for 25 files: each begins with what the module imports. The driver warns that
    // it ignores SwiftPM's `-num-threads` in this mode; nothing takes that back.
    "-driver-batch-size-limit", "10000",
  ]
  for target in package.targets
  where target.type != .system && target.type != .plugin && !loops.contains(target.name) {
    target.swiftSettings = [.unsafeFlags(["-Onone"] + (target.type == .test ? [] : byFile))]
  }
  // Tests start the program thousands of times: without shared libraries of Swift each start takes 4 ms of CPU less.
  #if os(Linux)
    for target in package.targets where target.name == "netconv" {
      target.linkerSettings = [
        .unsafeFlags([
          "-static-stdlib", "-use-ld=lld", "-l_FoundationCollections", "-l_FoundationCShims",
        ])
      ]
    }
  #endif
}

// In the installed program, what only keeps the books is compiled for size; `make static` asks for
// it. What moves, converts and computes values is compiled for speed everywhere.
if Context.environment["NETCONV_INSTALLED"] != nil {
  let bookkeeping: Set = [
    "Confinement", "CoreMLExport", "Datasets", "Diagnosis", "Documents", "Emission", "Files",
    "GraphLayout",
    "HDF5", "Memory", "NetconvCLI", "NetconvKit", "Numpy", "ONNXExport", "Pages", "Pickles",
    "Readers", "TFLiteExport",
  ]
  for target in package.targets where bookkeeping.contains(target.name) {
    target.swiftSettings = [.unsafeFlags(["-Osize"])]
  }
}

// libhdf5 is loaded with the first HDF5 file, except in a program that has it inside; `make static` asks for it.
if Context.environment["NETCONV_INSIDE"] != nil {
  for target in package.targets where target.name == "CHDF5" {
    target.cSettings = [.define("CHDF5_INSIDE")]
    target.linkerSettings = ["hdf5", "sz", "aec", "z"].map { .linkedLibrary($0) }
  }
}

// A program with the same libraries and nothing of netconv; `make size` asks for it.
if Context.environment["NETCONV_SIZE"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Libraries",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"), "Digests",
      ],
      path: "Tools/size/Libraries"))
}

// `make check` names the tests that it wants; the others are neither compiled nor linked.
if let wanted = Context.environment["NETCONV_TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}

// Parsers built so that libFuzzer sees which branches its inputs take, and AddressSanitizer what they do with addresses;
// `make fuzz` asks for it. The system's libraries are as they are.
if Context.environment["NETCONV_FUZZ"] != nil {
  let instrumented: Set = [
    "ModelIR", "Confinement", "Files", "FlatBuffers", "HDF5", "Zlib", "ProtocolBuffers", "Pickles",
    "Numpy", "Operators", "Documents", "Readers", "Datasets", "Pictures", "ImageFilters",
    "NetconvKit", "FuzzTargets",
  ]
  for target in package.targets where instrumented.contains(target.name) {
    target.swiftSettings = [.unsafeFlags(["-sanitize=fuzzer,address"])]
  }
  let instrumentedC: Set = ["CPictures", "CChecksums", "CHDF5Window"]
  for target in package.targets where instrumentedC.contains(target.name) {
    target.cSettings = [.unsafeFlags(["-fsanitize=fuzzer-no-link,address"])]
  }
  package.targets += [
    .systemLibrary(name: "LibFuzzer", path: "Fuzzing/LibFuzzer"),
    .executableTarget(
      name: "Fuzzer", dependencies: ["FuzzTargets", "LibFuzzer"], path: "Fuzzing/Fuzzer",
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
  ]
}
