import MetalPerformanceShadersGraph
import Testing

@Suite struct GraphTests {
  let lab = GraphLab()

  @Test func `a buffer is read when the graph runs`() throws {
    let metal = try #require(lab.device.metalDevice)
    let buffer = try #require(metal.makeBuffer(bytes: [Float(1), 2, 3, 9], length: 16))
    let input = lab.graph.placeholder(shape: [1, 3], dataType: .float32, name: "x")
    let output = lab.graph.addition(input, lab.constant([10, 20, 30], [3]), name: nil)
    #expect(lab.graph.placeholderTensors == [input] && input.operation.name == "x")
    let feed = MPSGraphTensorData(buffer, shape: [1, 3], dataType: .float32)
    #expect(lab.run(output, [input: feed]) == [11, 22, 33])
    buffer.contents().storeBytes(of: 5, as: Float.self)
    #expect(lab.run(output, [input: feed]) == [15, 22, 33])
    let queue = try #require(metal.makeCommandQueue())
    let results = lab.graph.run(
      with: queue, feeds: [input: feed], targetTensors: [output, input], targetOperations: nil)
    #expect(results.count == 2 && results[output]?.shape == [1, 3])
  }

  @Test func `a graph runs when its command buffer does`() throws {
    let metal = try #require(lab.device.metalDevice)
    let buffer = try #require(metal.makeBuffer(length: 8))
    let input = lab.graph.placeholder(shape: [-1, 2], dataType: .float32, name: "x")
    let output = lab.graph.addition(input, lab.constant([10, 20], [1, 2]), name: nil)
    let queue = try #require(metal.makeCommandQueue())
    let commandBuffer = MPSCommandBuffer(from: queue)
    let results = lab.graph.encode(
      to: commandBuffer,
      feeds: [input: MPSGraphTensorData(buffer, shape: [1, 2], dataType: .float32)],
      targetTensors: [output], targetOperations: nil, executionDescriptor: nil)
    let result = try #require(results[output])
    #expect(result.shape == [1, 2] && commandBuffer.status == .notEnqueued)
    buffer.contents().storeBytes(of: 5, as: Float.self)
    commandBuffer.commit()
    commandBuffer.waitUntilCompleted()
    #expect(commandBuffer.commandBuffer.status == .completed)
    var numbers: [Float] = [0, 0]
    result.mpsndarray().readBytes(&numbers, strideBytes: nil)
    #expect(numbers == [15, 20])
  }

  @Test func `an executable has orders of its own, and is for one shape`() async throws {
    let (graph, metal) = (lab.graph, try #require(lab.device.metalDevice))
    let first = graph.placeholder(shape: [-1, 2], dataType: .float32, name: "a")
    let second = graph.placeholder(shape: [-1, 2], dataType: .float32, name: "b")
    let difference = graph.subtraction(first, second, name: nil)
    let product = graph.multiplication(first, second, name: nil)
    let type = MPSGraphShapedType(shape: [1, 2], dataType: .float32)
    let executable = graph.compile(
      with: lab.device, feeds: [first: type, second: type], targetTensors: [difference, product],
      targetOperations: nil, compilationDescriptor: MPSGraphCompilationDescriptor())
    #expect(executable.feedTensors == [second, first])
    #expect(executable.targetTensors == [product, difference])
    func data(_ numbers: [Float]) -> MPSGraphTensorData {
      MPSGraphTensorData(
        device: lab.device, data: numbers.withUnsafeBytes { Data($0) },
        shape: [NSNumber(value: numbers.count / 2), 2], dataType: .float32)
    }
    let commandBuffer = MPSCommandBuffer(from: try #require(metal.makeCommandQueue()))
    let results = executable.encode(
      to: commandBuffer, inputs: [data([1, 10]), data([5, 6])], results: nil,
      executionDescriptor: nil)
    commandBuffer.commit()
    commandBuffer.waitUntilCompleted()
    let numbers = results.map { result in
      var numbers: [Float] = [0, 0]
      result.mpsndarray().readBytes(&numbers, strideBytes: nil)
      return numbers
    }
    #expect(numbers == [[5, 60], [4, -4]])
    await #expect(processExitsWith: .failure) {
      let lab = GraphLab()
      let input = lab.graph.placeholder(shape: [-1, 2], dataType: .float32, name: "a")
      let executable = lab.graph.compile(
        with: lab.device, feeds: [input: MPSGraphShapedType(shape: [1, 2], dataType: .float32)],
        targetTensors: [lab.graph.negative(with: input, name: nil)], targetOperations: nil,
        compilationDescriptor: nil)
      guard let queue = lab.device.metalDevice?.makeCommandQueue() else { exit(0) }
      let two = MPSGraphTensorData(
        device: lab.device, data: Data(count: 16), shape: [2, 2], dataType: .float32)
      _ = executable.encode(
        to: MPSCommandBuffer(from: queue), inputs: [two], results: nil, executionDescriptor: nil)
    }
  }

  @Test func `constants are copies`() {
    var numbers: [Float] = [1, 2]
    let tensor = lab.constant(numbers, [2])
    numbers[0] = 9
    #expect(lab.run(tensor) == [1, 2])
    #expect(lab.run(lab.graph.constant(2.5, shape: [2, 1], dataType: .float32)) == [2.5, 2.5])
    #expect(lab.run(lab.graph.constant(2.5, dataType: .float32)) == [2.5])
  }

  @Test func `halves round to even after each operation`() throws {
    let data = [Float16(2048), 1].withUnsafeBytes { Data($0) }
    let halves = lab.graph.constant(data, shape: [2], dataType: .float16)
    let sum = lab.graph.reductionSum(with: halves, axis: 0, name: nil)
    let back = lab.graph.cast(sum, to: .float32, name: nil)
    #expect(sum.dataType == .float16 && lab.run(back) == [2048])
    let array = try #require(
      lab.graph.run(feeds: [:], targetTensors: [halves], targetOperations: nil)[halves]
    ).mpsndarray()
    var bits = [UInt16](repeating: 0, count: 2)
    array.readBytes(&bits, strideBytes: nil)
    #expect(bits == [0x6800, 0x3C00])
    #expect(array.numberOfDimensions == 1 && array.length(ofDimension: 0) == 2)
  }

  @Test func `an array can be read with strides`() throws {
    let tensor = lab.constant([1, 2, 3, 4, 5, 6], [2, 3])
    let results = lab.graph.run(feeds: [:], targetTensors: [tensor], targetOperations: nil)
    let array = try #require(results[tensor]).mpsndarray()
    #expect(array.length(ofDimension: 0) == 3 && array.length(ofDimension: 1) == 2)
    var strides = [8, 4]
    var numbers = [Float](repeating: 0, count: 6)
    array.readBytes(&numbers, strideBytes: &strides)  // columns 2 floats apart, rows 1
    #expect(numbers == [1, 4, 2, 5, 3, 6])
  }

  @Test func `a size that the feeds decide`() {
    let input = lab.graph.placeholder(shape: [-1, 2], dataType: .float32, name: nil)
    let doubled = lab.graph.multiplication(
      input, lab.graph.constant(2, dataType: .float32), name: nil)
    #expect(lab.shape(doubled) == [-1, 2])
    let data = MPSGraphTensorData(
      device: lab.device, data: [Float(1), 2, 3, 4, 5, 6].withUnsafeBytes { Data($0) },
      shape: [3, 2], dataType: .float32)
    #expect(lab.run(doubled, [input: data]) == [2, 4, 6, 8, 10, 12])
  }

  @Test func `numbers of one type do not meet those of another`() async {
    await #expect(processExitsWith: .failure) {
      let graph = MPSGraph()
      _ = graph.addition(
        graph.constant(1, dataType: .float32), graph.constant(1, dataType: .float16), name: nil)
    }
  }
}
