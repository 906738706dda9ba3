import MetalPerformanceShadersGraph

/// Tensors from numbers, and the numbers of results.
struct GraphLab {
  let graph = MPSGraph()
  let device: MPSGraphDevice

  init() {
    guard let metal = MTLCreateSystemDefaultDevice() else { fatalError("no device") }
    device = MPSGraphDevice(mtlDevice: metal)
  }

  func constant(_ numbers: [Float], _ shape: [Int]) -> MPSGraphTensor {
    graph.constant(
      numbers.withUnsafeBytes { Data($0) }, shape: shape.map { NSNumber(value: $0) },
      dataType: .float32)
  }

  func run(
    _ tensor: MPSGraphTensor, _ feeds: [MPSGraphTensor: MPSGraphTensorData] = [:]
  ) -> [Float] {
    let results = graph.run(feeds: feeds, targetTensors: [tensor], targetOperations: nil)
    guard let data = results[tensor] else { fatalError("no result") }
    let count = data.shape.reduce(1) { $0 * $1.intValue }
    var numbers = [Float](repeating: -99, count: count)
    data.mpsndarray().readBytes(&numbers, strideBytes: nil)
    return numbers
  }

  func shape(_ tensor: MPSGraphTensor) -> [Int] { tensor.shape?.map(\.intValue) ?? [] }
}

func convolution(
  strides: (x: Int, y: Int) = (1, 1), dilations: (x: Int, y: Int) = (1, 1), groups: Int = 1,
  left: Int = 0, right: Int = 0, top: Int = 0, bottom: Int = 0,
  style: MPSGraphPaddingStyle = .explicit, data: MPSGraphTensorNamedDataLayout = .NHWC,
  weights: MPSGraphTensorNamedDataLayout = .HWIO
) -> MPSGraphConvolution2DOpDescriptor? {
  MPSGraphConvolution2DOpDescriptor(
    strideInX: strides.x, strideInY: strides.y, dilationRateInX: dilations.x,
    dilationRateInY: dilations.y, groups: groups, paddingLeft: left, paddingRight: right,
    paddingTop: top, paddingBottom: bottom, paddingStyle: style, dataLayout: data,
    weightsLayout: weights)
}

func pooling(
  _ width: Int, _ height: Int, strides: (x: Int, y: Int), left: Int = 0, right: Int = 0,
  style: MPSGraphPaddingStyle = .explicit, data: MPSGraphTensorNamedDataLayout = .NHWC
) -> MPSGraphPooling2DOpDescriptor? {
  MPSGraphPooling2DOpDescriptor(
    kernelWidth: width, kernelHeight: height, strideInX: strides.x, strideInY: strides.y,
    dilationRateInX: 1, dilationRateInY: 1, paddingLeft: left, paddingRight: right, paddingTop: 0,
    paddingBottom: 0, paddingStyle: style, dataLayout: data)
}
