/// The type of a value.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphtype
open class MPSGraphType: MPSGraphObject {}

/// A type with sizes.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphshapedtype
open class MPSGraphShapedType: MPSGraphType {
  /// The sizes, slowest dimension first.
  open var shape: [NSNumber]?
  /// The type of the numbers.
  open var dataType: MPSDataType

  /// Numbers of a type in a shape.
  public init(shape: [NSNumber]?, dataType: MPSDataType) {
    (self.shape, self.dataType) = (shape, dataType)
  }
}

/// How far a graph is optimised.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphoptimization
public enum MPSGraphOptimization: UInt64, Sendable {
  /// The core optimisations only.
  case level0 = 0
  /// Others, too; operations may run elsewhere than on the GPU.
  case level1 = 1
}

/// How a graph is compiled.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphcompilationdescriptor
open class MPSGraphCompilationDescriptor: MPSGraphObject {
  /// How far the graph is optimised; here only said, for tests.
  open var optimizationLevel = MPSGraphOptimization.level1

  /// With the defaults.
  public override init() { super.init() }
}

/// How an executable is run.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphexecutableexecutiondescriptor
open class MPSGraphExecutableExecutionDescriptor: MPSGraphObject {}

/// A graph for feeds of certain shapes, and certain results.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphexecutable
open class MPSGraphExecutable: MPSGraphObject {
  /// What is fed, in the order in which it has to be.
  ///
  /// Nothing says which order that is: here it is another than that in which the graph was built.
  public let feedTensors: [MPSGraphTensor]?
  /// What is computed, in the order in which results come; here too it is an order of its own.
  public let targetTensors: [MPSGraphTensor]?
  private let graph: MPSGraph
  private let shapes: [MPSGraphTensor: [Int]]

  fileprivate init(
    _ graph: MPSGraph, _ feeds: [MPSGraphTensor: MPSGraphShapedType], _ targets: [MPSGraphTensor]
  ) {
    self.graph = graph
    feedTensors = graph.placeholderTensors.filter { feeds[$0] != nil }.reversed()
    targetTensors = graph.inOrder(targets).reversed()
    shapes = feeds.mapValues { $0.shape?.map(\.intValue) ?? [] }
  }

  /// Adds the graph to a command buffer.
  ///
  /// - Parameter inputsArray: in the order of ``feedTensors``, of the shapes that the graph was compiled for.
  /// - Returns: data in the order of ``targetTensors``, that can be read when the command buffer has run.
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphexecutable/encode(to:inputs:results:executiondescriptor:)
  open func encode(
    to commandBuffer: MPSCommandBuffer, inputs inputsArray: [MPSGraphTensorData],
    results resultsArray: [MPSGraphTensorData]?,
    executionDescriptor: MPSGraphExecutableExecutionDescriptor?
  ) -> [MPSGraphTensorData] {
    precondition(resultsArray == nil, "results into arrays that are given are not in the stand-in")
    let tensors = feedTensors ?? []
    precondition(tensors.count == inputsArray.count, "\(inputsArray.count) inputs")
    for (tensor, data) in zip(tensors, inputsArray) {
      precondition(
        shapes[tensor] == data.shape.map(\.intValue),
        "an executable for \(shapes[tensor] ?? []) is fed \(data.shape)")
    }
    let targets = targetTensors ?? []
    let results = graph.encode(
      to: commandBuffer, feeds: Dictionary(uniqueKeysWithValues: zip(tensors, inputsArray)),
      targetTensors: targets, targetOperations: nil, executionDescriptor: nil)
    return targets.compactMap { results[$0] }
  }
}

extension MPSGraph {
  /// Compiles the graph for feeds of some shapes; all that it does here is to say so, for tests.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/compile(with:feeds:targettensors:targetoperations:compilationdescriptor:)
  public func compile(
    with device: MPSGraphDevice?, feeds: [MPSGraphTensor: MPSGraphShapedType],
    targetTensors: [MPSGraphTensor], targetOperations: [MPSGraphOperation]?,
    compilationDescriptor: MPSGraphCompilationDescriptor?
  ) -> MPSGraphExecutable {
    let level = compilationDescriptor?.optimizationLevel ?? .level1
    let shapes = placeholderTensors.compactMap { feeds[$0]?.shape?.map(\.intValue) }
    StandInTrace.write("compiled for \(shapes) at level \(level.rawValue)")
    return MPSGraphExecutable(self, feeds, targetTensors)
  }
}
