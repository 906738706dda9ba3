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

/// Kernels that clang has compiled as C++, over the stand-in of Metal's standard library.
final class StandInLibrary: NSObject, MTLLibrary {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let device: any MTLDevice
  private let kernels: [String: KernelSignature]
  /// Functions for corners and pixels, which nobody runs here.
  private let shaders: Set<String>
  private let image: UnsafeMutableRawPointer

  /// - Throws: what the compiler says.
  init(source: String, device: any MTLDevice) throws {
    self.device = device
    let signatures = try KernelSignature.all(in: source)
    kernels = Dictionary(uniqueKeysWithValues: signatures.map { ($0.name, $0) })
    shaders = Set(
      source.matches(of: #/\b(?:vertex|fragment) \w+ (\w+)\(/#).map { String($0.output.1) })
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = folder.appending(path: "kernels.cpp")
    let product = folder.appending(path: "kernels.so")
    try
      ("#line 1 \"kernels.metal\"\n" + source
      + signatures.map(\.function).joined()).write(to: text, atomically: true, encoding: .utf8)
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
    guard let image = dlopen(product.path, RTLD_NOW | RTLD_LOCAL) else {
      throw Failure(description: String(cString: dlerror()))
    }
    self.image = image
  }

  deinit { dlclose(image) }

  var functionNames: [String] { (Array(kernels.keys) + shaders).sorted() }

  func makeFunction(name functionName: String) -> (any MTLFunction)? {
    if shaders.contains(functionName) {
      return StandInShader(name: functionName, device: device)
    }
    guard let signature = kernels[functionName],
      let address = dlsym(image, signature.symbol)
    else { return nil }
    return StandInFunction(
      signature, unsafeBitCast(address, to: StandInFunction.Run.self), library: self)
  }
}

/// A function for corners or pixels.
final class StandInShader: NSObject, MTLFunction {
  let name: String
  let device: any MTLDevice

  init(name: String, device: any MTLDevice) {
    self.name = name
    self.device = device
  }
}

/// A kernel of a library.
final class StandInFunction: NSObject, MTLFunction {
  /// Textures, buffers, and the size of the grid.
  typealias Run =
    @convention(c) (
      UnsafeRawPointer, UnsafePointer<UnsafeMutableRawPointer?>, UInt32, UInt32
    ) -> Void

  let signature: KernelSignature
  let run: Run
  private let library: StandInLibrary

  var device: any MTLDevice { library.device }
  var name: String { signature.name }

  init(_ signature: KernelSignature, _ run: @escaping Run, library: StandInLibrary) {
    self.signature = signature
    self.run = run
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
