@_exported import MetalPerformanceShaders

/// What all objects of a graph are.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphobject
open class MPSGraphObject: NSObject {}

/// Where a graph runs.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphdevice
open class MPSGraphDevice: MPSGraphObject {
  /// The device below.
  public let metalDevice: (any MTLDevice)?

  /// A Metal device.
  public init(mtlDevice metalDevice: any MTLDevice) { self.metalDevice = metalDevice }
}

/// An operation that computes tensors from tensors.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphoperation
open class MPSGraphOperation: MPSGraphObject {
  /// A name for tools.
  public let name: String
  /// What it reads.
  public let inputTensors: [MPSGraphTensor]
  /// What it makes.
  public private(set) var outputTensors: [MPSGraphTensor] = []
  let rule: Rule

  init(_ name: String?, _ inputs: [MPSGraphTensor], _ rule: Rule) {
    self.name = name ?? ""
    inputTensors = inputs
    self.rule = rule
  }

  func output(_ dataType: MPSDataType) -> MPSGraphTensor {
    let tensor = MPSGraphTensor(
      operation: self, shape: rule.shape(inputTensors.map(\.sizes)), dataType: dataType)
    outputTensors = [tensor]
    return tensor
  }
}

/// A value of a graph before it has numbers.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphtensor
open class MPSGraphTensor: MPSGraphObject {
  /// The sizes, slowest dimension first; -1 for one that the feeds decide.
  open var shape: [NSNumber]? { sizes.map { NSNumber(value: $0) } }
  /// The type of the numbers.
  public let dataType: MPSDataType
  // The operation has the tensor as its output.
  private unowned(unsafe) let maker: MPSGraphOperation
  let sizes: [Int]

  /// What makes it.
  open var operation: MPSGraphOperation { maker }

  init(operation: MPSGraphOperation, shape: [Int], dataType: MPSDataType) {
    maker = operation
    sizes = shape
    self.dataType = dataType
  }
}

/// A graph of operations, built once and run often.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph
open class MPSGraph: MPSGraphObject {
  /// The tensors that get their numbers from feeds.
  open private(set) var placeholderTensors: [MPSGraphTensor] = []
  private var operations: [MPSGraphOperation] = []

  /// An empty graph.
  public override init() { super.init() }

  /// A tensor that gets its numbers from feeds.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/placeholder(shape:datatype:name:)
  open func placeholder(
    shape: [NSNumber]?, dataType: MPSDataType, name: String?
  ) -> MPSGraphTensor {
    guard let shape else {
      preconditionFailure("a placeholder without a rank is not in the stand-in")
    }
    let tensor = add(
      name, [], dataType,
      Rule(shape: { _ in shape.map(\.intValue) }) { _, _ in
        preconditionFailure("a placeholder has no feed")
      })
    placeholderTensors.append(tensor)
    return tensor
  }

  /// A tensor with a copy of the data.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/constant(_:shape:datatype:)
  open func constant(_ data: Data, shape: [NSNumber], dataType: MPSDataType) -> MPSGraphTensor {
    constant(Value(data, shape.map(\.intValue), dataType))
  }

  /// A single number.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/constant(_:datatype:)
  open func constant(_ scalar: Double, dataType: MPSDataType) -> MPSGraphTensor {
    constant(scalar, shape: [1], dataType: dataType)
  }

  /// The same number everywhere.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/constant(_:shape:datatype:)
  open func constant(
    _ scalar: Double, shape: [NSNumber], dataType: MPSDataType
  ) -> MPSGraphTensor {
    let value = Value(shape.map(\.intValue), dataType)
    value.numbers.update(repeating: Float(scalar))
    value.round()
    return constant(value)
  }

  /// Runs the graph and waits for it.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/run(feeds:targettensors:targetoperations:)
  open func run(
    feeds: [MPSGraphTensor: MPSGraphTensorData], targetTensors: [MPSGraphTensor],
    targetOperations: [MPSGraphOperation]?
  ) -> [MPSGraphTensor: MPSGraphTensorData] {
    var values: [ObjectIdentifier: Value] = [:]
    for (tensor, data) in feeds {
      let value = data.value()
      precondition(
        value.shape.count == tensor.sizes.count
          && zip(value.shape, tensor.sizes).allSatisfy { $0 == $1 || $1 == -1 }
          && value.dataType == tensor.dataType,
        "a feed of \(value.shape) for a placeholder of \(tensor.sizes), or of another type")
      values[ObjectIdentifier(tensor)] = value
    }
    guard let device = feeds.values.first?.device ?? MPSGraphDevice.preferred else {
      preconditionFailure("no device")
    }
    return Dictionary(
      uniqueKeysWithValues: targetTensors.map { tensor in
        (tensor, MPSGraphTensorData(device: device, evaluate(tensor, &values)))
      })
  }

  /// Runs the graph on a queue and waits for it.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/run(with:feeds:targettensors:targetoperations:)
  open func run(
    with commandQueue: any MTLCommandQueue, feeds: [MPSGraphTensor: MPSGraphTensorData],
    targetTensors: [MPSGraphTensor], targetOperations: [MPSGraphOperation]?
  ) -> [MPSGraphTensor: MPSGraphTensorData] {
    run(feeds: feeds, targetTensors: targetTensors, targetOperations: targetOperations)
  }

  /// Adds the graph to a command buffer.
  ///
  /// - Returns: data that can be read when the command buffer has run.
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/encode(to:feeds:targettensors:targetoperations:executiondescriptor:)
  open func encode(
    to commandBuffer: MPSCommandBuffer, feeds: [MPSGraphTensor: MPSGraphTensorData],
    targetTensors: [MPSGraphTensor], targetOperations: [MPSGraphOperation]?,
    executionDescriptor: MPSGraphExecutionDescriptor?
  ) -> [MPSGraphTensor: MPSGraphTensorData] {
    if StandInTrace.graphsCommit { commandBuffer.commitAndContinue() }
    var shapes: [ObjectIdentifier: [Int]] = [:]
    for (tensor, data) in feeds { shapes[ObjectIdentifier(tensor)] = data.shape.map(\.intValue) }
    let device = MPSGraphDevice(mtlDevice: commandBuffer.device)
    let promises = targetTensors.map { tensor in
      (tensor, Promise(shape(of: tensor, &shapes), tensor.dataType))
    }
    commandBuffer.encode { [self] in
      let results = run(feeds: feeds, targetTensors: targetTensors, targetOperations: nil)
      for (tensor, promise) in promises { promise.value = results[tensor]?.value() }
    }
    return Dictionary(
      uniqueKeysWithValues: promises.map { ($0, MPSGraphTensorData(device: device, $1)) })
  }

  /// The shape that a tensor has with some feeds.
  private func shape(
    of tensor: MPSGraphTensor, _ shapes: inout [ObjectIdentifier: [Int]]
  ) -> [Int] {
    if let shape = shapes[ObjectIdentifier(tensor)] { return shape }
    let operation = tensor.operation
    let inputs = operation.inputTensors.map { shape(of: $0, &shapes) }
    let result =
      operation.rule.shapeInput.map { sizes(operation.inputTensors[$0], &shapes).sizes }
      ?? operation.rule.shape(inputs)
    shapes[ObjectIdentifier(tensor)] = result
    return result
  }

  /// The numbers of a tensor that follow from shapes alone.
  private func sizes(
    _ tensor: MPSGraphTensor, _ shapes: inout [ObjectIdentifier: [Int]]
  ) -> Value {
    let (rule, sources) = (tensor.operation.rule, tensor.operation.inputTensors)
    if let constant = rule.constant { return constant }
    if rule.givesSizes { return Value(sizes: shape(of: sources[0], &shapes)) }
    precondition(!sources.isEmpty, "a shape that depends on what is fed")
    let inputs = sources.map { sizes($0, &shapes) }
    let result = Value(rule.shape(inputs.map(\.shape)), tensor.dataType)
    rule.compute(inputs, result)
    return result
  }

  private func evaluate(
    _ tensor: MPSGraphTensor, _ values: inout [ObjectIdentifier: Value]
  ) -> Value {
    if let value = values[ObjectIdentifier(tensor)] { return value }
    let rule = tensor.operation.rule
    if let value = rule.constant { return value }
    let inputs = tensor.operation.inputTensors.map { evaluate($0, &values) }
    let shape = rule.shapeInput.map { inputs[$0].sizes } ?? rule.shape(inputs.map(\.shape))
    let result = Value(shape, tensor.dataType)
    rule.compute(inputs, result)
    result.round()
    values[ObjectIdentifier(tensor)] = result
    return result
  }

  /// Tensors in the order in which they were added, each once.
  func inOrder(_ tensors: [MPSGraphTensor]) -> [MPSGraphTensor] {
    operations.flatMap(\.outputTensors).filter(tensors.contains)
  }

  private func constant(_ value: Value) -> MPSGraphTensor {
    add(nil, [], value.dataType, Rule(constant: value))
  }

  func add(
    _ name: String?, _ inputs: [MPSGraphTensor], _ dataType: MPSDataType, _ rule: Rule
  ) -> MPSGraphTensor {
    let operation = MPSGraphOperation(name, inputs, rule)
    operations.append(operation)
    return operation.output(dataType)
  }

  /// An operation whose result has the type of its inputs, which is the same for all.
  func add(_ name: String?, _ inputs: [MPSGraphTensor], _ rule: Rule) -> MPSGraphTensor {
    precondition(
      inputs.allSatisfy { $0.dataType == inputs[0].dataType },
      "tensors of different types meet: \(inputs.map(\.dataType))")
    return add(name, inputs, inputs[0].dataType, rule)
  }
}

/// How a graph is run.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphexecutiondescriptor
open class MPSGraphExecutionDescriptor: MPSGraphObject {}

extension MPSGraphDevice {
  static var preferred: MPSGraphDevice? {
    MTLCreateSystemDefaultDevice().map { MPSGraphDevice(mtlDevice: $0) }
  }
}
