import Foundation
import MetalPerformanceShadersGraph

/// How far a graph is optimised when it is compiled.
///
/// Before macOS 12.3 and iOS 15.4 there is no choice.
public enum NAMEOptimizationLevel {
  /// The core optimisations; all runs on the GPU.
  case level0
  /// MPSGraph's own choice: layers may run on the Neural Engine and the CPU, too. The self-test does not try it.
  case level1
}

/// The graph in compiled form: for each size of a batch it is compiled once, and kept.
final class NAMEExecutables {
  private let graph: MPSGraph
  private let device: MPSGraphDevice
  private let inputs: [MPSGraphTensor]
  private var compiled:
    [(batch: NSNumber, targets: [MPSGraphTensor], executable: MPSGraphExecutable)] = []
  var optimizationLevel = NAMEOptimizationLevel.level0

  init(_ graph: MPSGraph, _ inputs: [MPSGraphTensor], device: MPSGraphDevice) {
    (self.graph, self.inputs, self.device) = (graph, inputs, device)
  }

  /// Adds the graph to a command buffer.
  ///
  /// - Parameter values: of each input, all with a batch of the same size.
  /// - Returns: of each target what it is when the command buffer has run.
  func encode(
    to commandBuffer: MPSCommandBuffer, _ values: [MPSGraphTensorData],
    _ targets: [MPSGraphTensor]
  ) throws -> [MPSGraphTensorData] {
    let executable = executable(values, targets)
    // It takes inputs in an order of its own, and so it gives results.
    let fed = executable.feedTensors?.compactMap { inputs.firstIndex(of: $0) } ?? []
    guard let outputs = executable.targetTensors, fed.count == inputs.count else {
      throw NAMEError("the graph could not be compiled")
    }
    let results = executable.encode(
      to: commandBuffer, inputs: fed.map { values[$0] }, results: nil, executionDescriptor: nil)
    return try targets.map { target in
      guard let index = outputs.firstIndex(of: target), index < results.count else {
        throw NAMEError("the graph gave no result")
      }
      return results[index]
    }
  }

  private func executable(
    _ values: [MPSGraphTensorData], _ targets: [MPSGraphTensor]
  ) -> MPSGraphExecutable {
    let batch = values[0].shape[0]
    for known in compiled where known.batch == batch && known.targets == targets {
      return known.executable
    }
    let descriptor = MPSGraphCompilationDescriptor()
    if #available(macOS 12.3, iOS 15.4, *) {
      descriptor.optimizationLevel = optimizationLevel == .level0 ? .level0 : .level1
    }
    var feeds: [MPSGraphTensor: MPSGraphShapedType] = [:]
    for (input, value) in zip(inputs, values) {
      feeds[input] = MPSGraphShapedType(shape: value.shape, dataType: value.dataType)
    }
    var each: [MPSGraphTensor] = []
    for target in targets where !each.contains(target) { each.append(target) }
    let executable = graph.compile(
      with: device, feeds: feeds, targetTensors: each, targetOperations: nil,
      compilationDescriptor: descriptor)
    compiled.append((batch, targets, executable))
    return executable
  }
}

extension NAME {
  #if customLayers
  /// Makes the network with the weights of an archive.
  ///
  /// - Parameters:
  ///   - customLayers: computes the layers that only the app knows.
  ///   - optimizationLevel: how far the graph is optimised; other initialisers take `.level0`.
  public convenience init(
    device: MTLDevice, archive: NAMEArchive, customLayers: any NAMECustomLayers,
    optimizationLevel: NAMEOptimizationLevel
  ) throws {
    try self.init(device: device, archive: archive, customLayers: customLayers)
    executables.optimizationLevel = optimizationLevel
  }

  /// Makes the network with weights from anywhere.
  ///
  /// - Parameters:
  ///   - customLayers: computes the layers that only the app knows.
  ///   - optimizationLevel: how far the graph is optimised; other initialisers take `.level0`.
  public convenience init(
    device: MTLDevice, customLayers: any NAMECustomLayers,
    optimizationLevel: NAMEOptimizationLevel, values: @escaping (NAMEParameter) throws -> Data
  ) throws {
    try self.init(device: device, customLayers: customLayers, values: values)
    executables.optimizationLevel = optimizationLevel
  }
  #else
  /// Makes the network with the weights of an archive.
  ///
  /// - Parameter optimizationLevel: how far the graph is optimised; other initialisers take `.level0`.
  public convenience init(
    device: MTLDevice, archive: NAMEArchive, optimizationLevel: NAMEOptimizationLevel
  ) throws {
    try self.init(device: device, archive: archive)
    executables.optimizationLevel = optimizationLevel
  }

  /// Makes the network with weights from anywhere.
  ///
  /// - Parameter optimizationLevel: how far the graph is optimised; other initialisers take `.level0`.
  public convenience init(
    device: MTLDevice, optimizationLevel: NAMEOptimizationLevel,
    values: @escaping (NAMEParameter) throws -> Data
  ) throws {
    try self.init(device: device, values: values)
    executables.optimizationLevel = optimizationLevel
  }
  #endif
}
