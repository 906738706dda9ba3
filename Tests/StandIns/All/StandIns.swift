@_exported import CryptoKit
@_exported import MetalKit
@_exported import MetalPerformanceShadersGraph
