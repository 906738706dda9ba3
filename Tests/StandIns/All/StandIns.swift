// Where Testing and a module of this name meet, the compiler looks for an overlay that Linux lacks.
import CoreGraphics
@_exported import CoreVideo
@_exported import CryptoKit
@_exported import MetalKit
@_exported import MetalPerformanceShadersGraph
