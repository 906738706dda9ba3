/// How text is compiled; here always in the same way.
///
/// https://developer.apple.com/documentation/metal/mtlcompileoptions
open class MTLCompileOptions: NSObject, NSCopying {
  /// A copy.
  open func copy(with zone: NSZone? = nil) -> Any { MTLCompileOptions() }
}

/// Functions for a device.
///
/// https://developer.apple.com/documentation/metal/mtllibrary
public protocol MTLLibrary: NSObjectProtocol {
  /// The device that made it.
  var device: any MTLDevice { get }
  /// What functions are called.
  var functionNames: [String] { get }
  /// The function of a name, if there is one.
  func makeFunction(name functionName: String) -> (any MTLFunction)?
}

/// A function for a device.
///
/// https://developer.apple.com/documentation/metal/mtlfunction
public protocol MTLFunction: NSObjectProtocol {
  /// The device that it is for.
  var device: any MTLDevice { get }
  /// What it is called.
  var name: String { get }
}

/// A kernel, ready to be run.
///
/// https://developer.apple.com/documentation/metal/mtlcomputepipelinestate
public protocol MTLComputePipelineState: NSObjectProtocol {
  /// The device that it is for.
  var device: any MTLDevice { get }
  /// The most threads of a group.
  var maxTotalThreadsPerThreadgroup: Int { get }
  /// Threads that run together.
  var threadExecutionWidth: Int { get }
}

/// Functions that clang has compiled as C++, over the stand-in of Metal's standard library.
final class StandInLibrary: NSObject, MTLLibrary {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let device: any MTLDevice
  private let signatures: [String: FunctionSignature]
  private let image: UnsafeMutableRawPointer

  /// - Throws: what the compiler says.
  init(source: String, device: any MTLDevice) throws {
    self.device = device
    let signatures = try FunctionSignature.all(in: source)
    self.signatures = Dictionary(uniqueKeysWithValues: signatures.map { ($0.name, $0) })
    let kept = ProcessInfo.processInfo.environment["NETCONV_COMPILED_KERNELS"]
      .map { URL(filePath: $0).appending(path: "\(Self.hash(of: source)).so") }
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var product = folder.appending(path: "kernels.so")
    if let kept, FileManager.default.fileExists(atPath: kept.path) {
      product = kept
    } else {
      try Self.compile(
        "#line 1 \"kernels.metal\"\n" + source + signatures.map(\.function).joined(), in: folder,
        to: product)
      if let kept { try FileManager.default.copyItem(at: product, to: kept) }
    }
    guard let image = dlopen(product.path, RTLD_NOW | RTLD_LOCAL) else {
      throw Failure(description: String(cString: dlerror()))
    }
    self.image = image
  }

  /// Compiles text in a folder.
  ///
  /// - Throws: what the compiler says.
  private static func compile(_ source: String, in folder: URL, to product: URL) throws {
    let text = folder.appending(path: "kernels.cpp")
    try source.write(to: text, atomically: true, encoding: .utf8)
    let headers = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "MetalStandardLibrary")
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    // Kernels use what they compute in the order in which they say it; a device is free to do otherwise.
    compiler.arguments = [
      "clang++", "-std=c++17", "-O1", "-Wall", "-Werror", "-fPIC", "-shared", "-I", headers.path,
      text.path, "-o", product.path,
    ]
    let messages = Pipe()
    compiler.standardError = messages
    try compiler.run()
    let words = messages.fileHandleForReading.readDataToEndOfFile()
    compiler.waitUntilExit()
    guard compiler.terminationStatus == 0 else {
      throw Failure(description: String(decoding: words, as: UTF8.self))
    }
  }

  /// The 64-bit FNV-1a hash, under which `NETCONV_COMPILED_KERNELS`, a folder, keeps what was compiled.
  private static func hash(of text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  deinit { dlclose(image) }

  var functionNames: [String] { signatures.keys.sorted() }

  func makeFunction(name functionName: String) -> (any MTLFunction)? {
    guard let signature = signatures[functionName], let address = dlsym(image, signature.symbol)
    else { return nil }
    return StandInFunction(signature, address, library: self)
  }
}

/// A function of a library.
final class StandInFunction: NSObject, MTLFunction {
  /// Textures and buffers, and then the size of the grid.
  typealias Kernel =
    @convention(c) (
      UnsafeRawPointer, UnsafePointer<UnsafeMutableRawPointer?>, UInt32, UInt32
    ) -> Void
  /// Textures and buffers, the number of a corner, and where it goes.
  typealias Vertex =
    @convention(c) (
      UnsafeRawPointer, UnsafePointer<UnsafeMutableRawPointer?>, UInt32, UnsafeMutablePointer<Float>
    ) -> Void
  /// Textures and buffers, what lies between corners, and where the colour goes.
  typealias Fragment =
    @convention(c) (
      UnsafeRawPointer, UnsafePointer<UnsafeMutableRawPointer?>, UnsafePointer<Float>,
      UnsafeMutablePointer<Float>
    ) -> Void

  let signature: FunctionSignature
  private let address: UnsafeMutableRawPointer
  private let library: StandInLibrary

  var device: any MTLDevice { library.device }
  var name: String { signature.name }

  var kernel: Kernel { unsafeBitCast(address, to: Kernel.self) }
  var vertex: Vertex { unsafeBitCast(address, to: Vertex.self) }
  var fragment: Fragment { unsafeBitCast(address, to: Fragment.self) }

  init(
    _ signature: FunctionSignature, _ address: UnsafeMutableRawPointer, library: StandInLibrary
  ) {
    self.signature = signature
    self.address = address
    self.library = library
  }
}

/// `texture_memory` of the stand-in of Metal's standard library.
struct TextureMemory {
  var texels: UnsafeMutablePointer<Float>?
  var width = 0
  var height = 0
  var component = 0
  var isBGRA = 0
  var components = 4
}

final class StandInComputePipelineState: NSObject, MTLComputePipelineState {
  let function: StandInFunction

  var device: any MTLDevice { function.device }
  // Groups are no squares, and their sizes divide few pictures.
  var maxTotalThreadsPerThreadgroup: Int { 24 }
  var threadExecutionWidth: Int { 8 }

  init(_ function: StandInFunction) { self.function = function }
}
