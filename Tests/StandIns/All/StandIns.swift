@_exported import CryptoKit
@_exported import MetalPerformanceShadersGraph
