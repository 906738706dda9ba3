import ModelIR

/// The name of a package's module and class, and the prefix of its other types.
///
/// Placeholders are never replaced in a text that already contains names from a model.
struct PackageName: Sendable, CustomStringConvertible {
  let description: String

  /// Creates the name of a package that runs a network.
  ///
  /// - Throws: `usage` if a package of this name would not compile.
  init(_ name: String) throws(NetconvError) {
    try self.init(
      name,
      types: PackageLanguage.all.reduce(Self.types.union(PictureSource.types)) {
        $0.union($1.types)
      },
      suffixes: Self.suffixes.union(PictureSource.suffixes + ClassSource.suffixes)
        .union(PackageLanguage.all.flatMap { $0.files.map(\.suffix) }))
  }

  /// Creates the name of a filter package.
  ///
  /// - Throws: `usage` if a package of this name would not compile.
  init(_ name: String, for language: FilterLanguage) throws(NetconvError) {
    try self.init(
      name, types: Self.types.union(language.types), suffixes: language.suffixes.union([""]))
  }

  private init(
    _ name: String, types: Set<String>, suffixes: Set<String>
  ) throws(NetconvError) {
    let isName =
      name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      && name.first?.isUppercase == true
    guard isName else { throw .notAName(name) }
    guard !Self.words.contains(name) else { throw .wordAsName(name) }
    guard !Self.modules.contains(name) else { throw .moduleAsName(name) }
    guard !Self.swiftTypes.contains(name) else { throw .swiftTypeAsName(name) }
    for suffix in suffixes.sorted() where types.contains(name + suffix) {
      throw .typeAsName(name, hiding: name + suffix)
    }
    description = name
  }

  /// The suffixes of a package's types in every language, in addition to its files.
  private static let suffixes: Set<String> = [
    "", "Accuracy", "Activations", "Archive", "BlurTaps", "Class", "Comparison", "CustomLayers",
    "Directory", "Error", "Goldens", "GoldensError", "Memory", "Parameter", "Parameters", "Record",
    "Run", "SampleTable", "SelfTestError", "Tensor", "Tests",
  ]

  /// Reserved words of Swift that begin with a capital letter.
  private static let words: Set<String> = ["Any", "Protocol", "Self", "Type"]

  /// Modules of Swift and Apple: an app could no longer import a framework of the same name as the
  /// package.
  private static let modules: Set<String> = [
    "ARKit", "AVFoundation", "AVKit", "Accelerate", "Accessibility", "AppIntents", "AppKit",
    "AppTrackingTransparency", "AudioToolbox", "AudioUnit", "AuthenticationServices",
    "BackgroundTasks", "Builtin", "CFNetwork", "CallKit", "CarPlay", "Charts", "CloudKit",
    "Combine", "Compression", "Contacts", "ContactsUI", "CoreAudio", "CoreAudioTypes",
    "CoreBluetooth", "CoreData", "CoreFoundation", "CoreGraphics", "CoreHaptics", "CoreImage",
    "CoreLocation", "CoreMIDI", "CoreML", "CoreMedia", "CoreMotion", "CoreNFC", "CoreServices",
    "CoreSpotlight", "CoreTelephony", "CoreText", "CoreTransferable", "CoreVideo", "CoreWLAN",
    "CreateML", "Crypto", "CryptoKit", "Cxx", "CxxStdlib", "Darwin", "DeveloperToolsSupport",
    "DeviceCheck", "DiskArbitration", "Dispatch", "Distributed", "EventKit", "EventKitUI",
    "ExternalAccessory", "FileProvider", "Foundation", "FoundationEssentials", "FoundationModels",
    "FoundationNetworking", "FoundationXML", "GLKit", "GameController", "GameKit", "GameplayKit",
    "Glibc", "GroupActivities", "HealthKit", "HomeKit", "IOKit", "IOSurface", "ImageCaptureCore",
    "ImageIO", "Intents", "JavaScriptCore", "LinkPresentation", "LocalAuthentication", "MLCompute",
    "MPSCore", "MPSFunctions", "MPSImage", "MPSMatrix", "MPSNDArray", "MPSNeuralNetwork",
    "MPSRayIntersector", "MapKit", "MediaPlayer", "MediaToolbox", "MessageUI", "Messages", "Metal",
    "MetalFX", "MetalKit", "MetalPerformanceShaders", "MetalPerformanceShadersGraph", "MetricKit",
    "ModelIO", "MultipeerConnectivity", "Musl", "NaturalLanguage", "NearbyInteraction", "Network",
    "NetworkExtension", "OSLog", "ObjectiveC", "Observation", "OpenCL", "OpenGL", "OpenGLES",
    "PDFKit", "PackageDescription", "PackagePlugin", "PassKit", "PencilKit", "Photos", "PhotosUI",
    "PushKit", "QuartzCore", "QuickLook", "QuickLookThumbnailing", "RealityFoundation",
    "RealityKit", "RegexBuilder", "ReplayKit", "SafariServices", "SceneKit", "ScreenCaptureKit",
    "Security", "SensorKit", "ShazamKit", "Social", "SoundAnalysis", "Spatial", "Speech",
    "SpriteKit", "StoreKit", "Swift", "SwiftData", "SwiftShims", "SwiftUI", "Synchronization",
    "System", "SystemConfiguration", "TabularData", "Testing", "TipKit", "Translation", "UIKit",
    "UniformTypeIdentifiers", "UserNotifications", "VideoToolbox", "Vision", "VisionKit",
    "WatchConnectivity", "WatchKit", "WeatherKit", "WebKit", "WidgetKit", "XCTest",
  ]

  /// Types of Swift's standard library that no package uses: a package of this name would shadow
  /// them.
  private static let swiftTypes: Set<String> = [
    "Actor", "AnyHashable", "AnyIterator", "AnyKeyPath", "AnySequence", "ArraySlice",
    "AsyncSequence", "AsyncStream", "BidirectionalCollection", "BinaryFloatingPoint",
    "BinaryInteger", "CaseIterable", "Character", "Clock", "ClosedRange", "CodingKey", "Codable",
    "Collection", "Comparable", "ContiguousArray", "ContinuousClock",
    "CustomDebugStringConvertible", "Decodable", "Decoder", "Duration", "Encodable", "Encoder",
    "Equatable", "ExpressibleByStringLiteral", "FixedWidthInteger", "Float16", "Float80",
    "FloatingPoint", "Hashable", "Hasher", "Identifiable", "Int8", "Int16", "Int64", "Int128",
    "InlineArray", "IteratorProtocol", "KeyPath", "KeyValuePairs", "LosslessStringConvertible",
    "MainActor", "Mirror", "MutableCollection", "Never", "Numeric", "ObjectIdentifier",
    "OpaquePointer", "OptionSet", "PartialKeyPath", "RandomAccessCollection",
    "RandomNumberGenerator", "RangeExpression", "RangeReplaceableCollection", "RawRepresentable",
    "ReferenceWritableKeyPath", "RegexComponent", "Regex", "Result", "ReversedCollection",
    "Sequence", "SetAlgebra", "SignedInteger", "SignedNumeric", "Slice", "Span", "StaticBigInt",
    "StaticString", "Strideable", "StrideThrough", "StrideTo", "StringProtocol", "Substring",
    "SystemRandomNumberGenerator", "Task", "TaskGroup", "TextOutputStream", "ThrowingTaskGroup",
    "UInt", "UInt8", "UInt64", "UInt128", "Unicode", "Unmanaged", "UnsafeBufferPointer",
    "UnsafeMutableBufferPointer", "UnsafePointer", "UnsafeRawPointer", "UnsignedInteger", "Void",
    "WritableKeyPath", "Zip2Sequence",
  ]

  /// External types and constants that packages use in every language, and the names of types
  /// nested in their own.
  private static let types: Set<String> = [
    "Answer", "AnyObject", "Array", "Bool", "Bundle", "CGColorSpace", "CGContext", "CGImage",
    "CGImageAlphaInfo", "CGRect", "CVPixelBuffer", "CVPixelBufferGetBaseAddress",
    "CVPixelBufferGetBytesPerRow", "CVPixelBufferGetHeight", "CVPixelBufferGetPixelFormatType",
    "CVPixelBufferGetWidth", "CVPixelBufferLockBaseAddress", "CVPixelBufferUnlockBaseAddress",
    "CommandLine", "CustomStringConvertible", "Data", "Dictionary", "DispatchGroup",
    "DispatchQueue", "DispatchSemaphore", "DispatchTime", "Double", "Entry", "Error", "Float",
    "Input", "Int", "Int32", "JSONSerialization", "Layer", "MAP_FAILED", "MAP_PRIVATE", "MTLBuffer",
    "MTLCommandBuffer", "MTLCommandQueue", "MTLCreateSystemDefaultDevice", "MTLDevice", "MTLTensor",
    "MemoryLayout", "NSCoder", "NSError", "NSLock", "NSNumber", "NSObject", "NSZone", "O_RDONLY",
    "Optional", "Outputs", "PROT_READ", "Package", "Picture", "Range", "SHA256", "Sendable", "Set",
    "String", "Tally", "UInt16", "UInt32", "UInt64", "UInt8", "URL", "UTF8", "UnsafeMutablePointer",
    "UnsafeMutableRawBufferPointer", "UnsafeMutableRawPointer", "UnsafeRawBufferPointer", "Value",
    "Void", "XCTAssertTrue", "XCTUnwrap", "XCTestCase",
  ]
}

extension NetconvError {
  fileprivate static func wordAsName(_ name: String) -> NetconvError {
    NetconvError(
      .usage, "\(quoted(name)) is a keyword of Swift; choose another name for the module")
  }

  fileprivate static func moduleAsName(_ name: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(name)) is a module of Swift or of the system; choose another name for the module")
  }

  fileprivate static func swiftTypeAsName(_ name: String) -> NetconvError {
    NetconvError(
      .usage, "\(quoted(name)) is a type of Swift; choose another name for the module")
  }

  fileprivate static func typeAsName(_ name: String, hiding type: String) -> NetconvError {
    NetconvError(
      .usage,
      "a module \(quoted(name)) would have a type \(type), which conflicts with another type of its code; "
        + "choose another name for the module")
  }

  fileprivate static func notAName(_ name: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(name)) is not a valid name of a Swift module; use letters, digits and _, and begin with a capital letter"
    )
  }
}
