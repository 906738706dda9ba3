import MetalPerformanceShadersGraph
import Testing

/// Kernels of 1, 10, 100 and so on show in each digit of a result which pixel a weight met.
@Suite struct GraphConvolutionTests {
  let lab = GraphLab()

  @Test func `descriptors that make no sense are none`() {
    #expect(convolution() != nil)
    #expect(convolution(strides: (0, 1)) == nil)
    #expect(convolution(left: -1) == nil)
    #expect(convolution(data: .HWIO) == nil)
    #expect(convolution(weights: .NHWC) == nil)
    #expect(pooling(2, 2, strides: (1, 1)) != nil)
    #expect(pooling(0, 2, strides: (1, 1)) == nil)
  }

  func run(
    _ numbers: [Float], _ shape: [Int], _ weights: [Float], _ kernel: [Int],
    _ descriptor: MPSGraphConvolution2DOpDescriptor?
  ) throws -> (shape: [Int], numbers: [Float]) {
    let result = lab.graph.convolution2D(
      lab.constant(numbers, shape), weights: lab.constant(weights, kernel),
      descriptor: try #require(descriptor), name: nil)
    return (lab.shape(result), lab.run(result))
  }

  @Test func `windows begin at the padded corner`() throws {
    let row: [Float] = [1, 2, 3, 4, 5]
    #expect(
      try run(row, [1, 1, 5, 1], [1, 10, 100], [1, 3, 1, 1], convolution()) == (
        [1, 1, 3, 1], [321, 432, 543]
      ))
    #expect(
      try run(row, [1, 1, 5, 1], [1, 10, 100], [1, 3, 1, 1], convolution(left: 2)) == (
        [1, 1, 5, 1], [100, 210, 321, 432, 543]
      ))
    #expect(
      try run(row, [1, 1, 5, 1], [1, 10], [1, 2, 1, 1], convolution(strides: (2, 1), right: 1)) == (
        [1, 1, 3, 1], [21, 43, 5]
      ))
    #expect(
      try run(
        row, [1, 1, 5, 1], [1, 10, 100], [1, 3, 1, 1], convolution(dilations: (2, 1))) == (
          [1, 1, 1, 1], [531]
        ))
  }

  @Test func `TensorFlow's same padding has its remainder at the end`() throws {
    #expect(
      try run([1, 2, 3], [1, 1, 3, 1], [1, 10], [1, 2, 1, 1], convolution(style: .TF_SAME)) == (
        [1, 1, 3, 1], [21, 32, 3]
      ))
    #expect(
      try run(
        [1, 2, 3, 4, 5, 6], [1, 1, 6, 1], [1, 10, 100], [1, 3, 1, 1],
        convolution(strides: (2, 1), style: .TF_SAME)) == ([1, 1, 3, 1], [321, 543, 65]))
    #expect(
      try run([1, 2, 3], [1, 1, 3, 1], [1, 10], [1, 2, 1, 1], convolution(style: .TF_VALID)) == (
        [1, 1, 2, 1], [21, 32]
      ))
  }

  @Test func `rows are not columns`() throws {
    // 3 x 2 pixels, a window of 1 x 2 (width, height) with a row of padding above.
    #expect(
      try run(
        [1, 2, 3, 4, 5, 6], [1, 2, 3, 1], [1, 10], [2, 1, 1, 1], convolution(top: 1)) == (
          [1, 2, 3, 1], [10, 20, 30, 41, 52, 63]
        ))
  }

  @Test func `the layouts of weights`() throws {
    // One pixel of 2 channels, 3 outputs: input 0 weighs 1, 2, 3, input 1 weighs 10, 20, 30.
    let pixel: [Float] = [1, 2]
    #expect(
      try run(pixel, [1, 1, 1, 2], [1, 2, 3, 10, 20, 30], [1, 1, 2, 3], convolution()) == (
        [1, 1, 1, 3], [21, 42, 63]
      ))
    #expect(
      try run(
        pixel, [1, 1, 1, 2], [1, 10, 2, 20, 3, 30], [3, 2, 1, 1], convolution(weights: .OIHW)) == (
          [1, 1, 1, 3], [21, 42, 63]
        ))
  }

  @Test func `the layouts of images`() throws {
    // 2 x 1 pixels (1, 3), (2, 4) of 2 channels, by planes; output: channel 0 + 10 * channel 1.
    #expect(
      try run(
        [1, 2, 3, 4], [1, 2, 1, 2], [1, 10], [1, 1, 2, 1], convolution(data: .NCHW)) == (
          [1, 1, 1, 2], [31, 42]
        ))
  }

  @Test func `groups do not meet`() throws {
    // Inputs 1, 2 and 3, 4; each group has 2 outputs of weights (1, 10) and (100, 1000), in HWIO.
    #expect(
      try run(
        [1, 2, 3, 4], [1, 1, 1, 4], [1, 100, 1, 100, 10, 1000, 10, 1000], [1, 1, 2, 4],
        convolution(groups: 2)) == ([1, 1, 1, 4], [21, 2100, 43, 4300]))
  }

  @Test func `each image of a batch`() throws {
    #expect(
      try run([1, 2, 3, 4], [2, 1, 2, 1], [1, 10], [1, 2, 1, 1], convolution()) == (
        [2, 1, 1, 1], [21, 43]
      ))
  }

  @Test func `depthwise results of a channel lie next to one another`() throws {
    let descriptor = try #require(
      MPSGraphDepthwiseConvolution2DOpDescriptor(
        strideInX: 1, strideInY: 1, dilationRateInX: 1, dilationRateInY: 1, paddingLeft: 0,
        paddingRight: 0, paddingTop: 0, paddingBottom: 0, paddingStyle: .explicit,
        dataLayout: .NHWC, weightsLayout: .HWIO))
    // 2 x 1 pixels of 2 channels: (1, 2), (3, 4). HWIO: column, channel, result.
    let result = lab.graph.depthwiseConvolution2D(
      lab.constant([1, 2, 3, 4], [1, 1, 2, 2]),
      weights: lab.constant([1, 2, 3, 4, 10, 20, 30, 40], [1, 2, 2, 2]), descriptor: descriptor,
      name: nil)
    // Channel 0: 1 * 1 + 3 * 10, 1 * 2 + 3 * 20; channel 1: 2 * 3 + 4 * 30, 2 * 4 + 4 * 40.
    #expect(lab.run(result) == [31, 62, 126, 168])
    #expect(lab.shape(result) == [1, 1, 1, 4])
  }

  func transpose(
    _ numbers: [Float], _ shape: [Int], _ weights: [Float], _ kernel: [Int],
    _ descriptor: MPSGraphConvolution2DOpDescriptor?, _ output: [NSNumber]
  ) throws -> [Float] {
    lab.run(
      lab.graph.convolutionTranspose2D(
        lab.constant(numbers, shape), weights: lab.constant(weights, kernel), outputShape: output,
        descriptor: try #require(descriptor), name: nil))
  }

  @Test func `a transposed convolution scatters kernels as they are`() throws {
    #expect(
      try transpose(
        [1, 2], [1, 1, 2, 1], [1, 10, 100], [1, 3, 1, 1], convolution(strides: (2, 1)),
        [1, 1, 5, 1]) == [1, 10, 102, 20, 200])
    // Same padding of the forward convolution from 4 to 2 pixels: a pixel behind is cut off.
    #expect(
      try transpose(
        [1, 2], [1, 1, 2, 1], [1, 10, 100], [1, 3, 1, 1],
        convolution(strides: (2, 1), style: .TF_SAME), [1, 1, 4, 1]) == [1, 10, 102, 20])
    // Of 6 pixels the last is reached by nobody.
    #expect(
      try transpose(
        [1, 2], [1, 1, 2, 1], [1, 10, 100], [1, 3, 1, 1], convolution(strides: (2, 1)),
        [1, 1, 6, 1]) == [1, 10, 102, 20, 200, 0])
  }

  @Test func `a transposed convolution's weights lead from its result to its source`() throws {
    // Source (1, 10) of 2 channels; result of 3: HWIO is 3 rows of 2.
    #expect(
      try transpose(
        [1, 10], [1, 1, 1, 2], [1, 2, 3, 4, 5, 6], [1, 1, 3, 2], convolution(), [1, 1, 1, 3]) == [
          21, 43, 65,
        ])
  }

  @Test func `the shape of a transposed convolution's result can be a tensor`() throws {
    let graph = lab.graph
    let source = graph.placeholder(shape: [-1, 1, 2, 1], dataType: .float32, name: nil)
    let sizes = graph.shapeOf(lab.constant([1, 2, 3], [1, 3]), name: nil)
    #expect(lab.run(graph.cast(sizes, to: .float32, name: nil)) == [1, 3])
    let batch = graph.sliceTensor(
      graph.shapeOf(source, name: nil), dimension: 0, start: 0, length: 1, name: nil)
    let rest = graph.constant(
      [Int32(1), 5, 1].withUnsafeBytes { Data($0) }, shape: [3], dataType: .int32)
    let result = graph.convolutionTranspose2D(
      source, weights: lab.constant([1, 10, 100], [1, 3, 1, 1]),
      outputShapeTensor: graph.concatTensors([batch, rest], dimension: 0, name: nil),
      descriptor: try #require(convolution(strides: (2, 1), left: 1)), name: nil)
    #expect(lab.shape(result) == [-1, -1, -1, -1])
    let feed = MPSGraphTensorData(
      device: lab.device, data: [Float(1), 2, 3, 4].withUnsafeBytes { Data($0) },
      shape: [2, 1, 2, 1], dataType: .float32)
    // A column is cut off at the left, and the last is reached by nobody.
    #expect(lab.run(result, [source: feed]) == [10, 102, 20, 200, 0, 30, 304, 40, 400, 0])
    let metal = try #require(lab.device.metalDevice)
    let commandBuffer = MPSCommandBuffer(from: try #require(metal.makeCommandQueue()))
    let promised = graph.encode(
      to: commandBuffer, feeds: [source: feed], targetTensors: [result], targetOperations: nil,
      executionDescriptor: nil)
    #expect(promised[result]?.shape == [2, 1, 5, 1])
  }

  @Test func `windows of a pooling`() throws {
    let row = lab.constant([1, 5, 2, 8, 3], [1, 1, 5, 1])
    func run(_ descriptor: MPSGraphPooling2DOpDescriptor?, isMax: Bool) throws -> [Float] {
      let descriptor = try #require(descriptor)
      return lab.run(
        isMax
          ? lab.graph.maxPooling2D(withSourceTensor: row, descriptor: descriptor, name: nil)
          : lab.graph.avgPooling2D(withSourceTensor: row, descriptor: descriptor, name: nil))
    }
    #expect(try run(pooling(2, 1, strides: (2, 1)), isMax: true) == [5, 8])
    #expect(try run(pooling(2, 1, strides: (2, 1), style: .TF_SAME), isMax: true) == [5, 8, 3])
    #expect(try run(pooling(2, 1, strides: (2, 1), left: 1), isMax: true) == [1, 5, 8])
    #expect(try run(pooling(2, 1, strides: (2, 1), right: 1), isMax: false) == [3, 5, 3])
    let counting = pooling(2, 1, strides: (2, 1), right: 1)
    counting?.includeZeroPadToAverage = true
    #expect(try run(counting, isMax: false) == [3, 5, 1.5])
  }

  @Test func `padding plays no part in a maximum, rows are not columns`() throws {
    let image = lab.constant([-1, -2, -3, -4, -5, -6], [1, 2, 3, 1])
    let wide = try #require(pooling(2, 1, strides: (1, 1), right: 1))
    let tall = try #require(pooling(1, 2, strides: (1, 1)))
    #expect(
      lab.run(lab.graph.maxPooling2D(withSourceTensor: image, descriptor: wide, name: nil)) == [
        -1, -2, -3, -4, -5, -6,
      ])
    #expect(
      lab.run(lab.graph.maxPooling2D(withSourceTensor: image, descriptor: tall, name: nil)) == [
        -1, -2, -3,
      ])
    let planes = lab.constant([-1, -2, -3, -4, -5, -6], [1, 1, 2, 3])
    let other = try #require(pooling(1, 2, strides: (1, 1), data: .NCHW))
    #expect(
      lab.run(lab.graph.maxPooling2D(withSourceTensor: planes, descriptor: other, name: nil)) == [
        -1, -2, -3,
      ])
  }
}
