import ModelIR
import Operators

/// Transposed convolutions, which enlarge images and volumes.
///
/// Source: tensorflow/core/ops/nn_ops.cc, `Conv2DBackpropInput` and `Conv3DBackpropInputV2`.
enum GraphConvolutionTransposed: GraphOperation {
  static let names = ["Conv2DBackpropInput", "Conv3DBackpropInputV2"]
  static let operators: [any Operator.Type] = [
    TransposedConvolution2D.self, TransposedConvolution3D.self,
  ]
  static let refused = ["explicit padding", "sizes that the operator does not come to"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let sizes = try node.constant(0)
    let kernel = try node.constant(1)
    let input = try graph.sample(node.input(2), 2)
    let window = try GraphWindow(node)
    let count = window.strides.count
    guard kernel.shape.count == count + 2 else {
      throw .wrongRankOfConstant(kernel.shape, expected: count + 2)
    }
    guard let space = Spaces.axes(count), input.shape.rank == count + 1 else {
      throw .wrongRankOfValue(input.shape, expected: count + 2)
    }
    guard window.sides == nil else {
      throw .unknownSetting("padding", "EXPLICIT", known: ["SAME", "VALID"])
    }
    let (strides, dilation) = (window.strides, window.dilation)
    // The first size is that of the batch.
    let numbers = try sizes.numbers()
    guard numbers.count == count + 2 else { throw .wrongRankOfConstant(sizes.shape, expected: 1) }
    let spatial = node.spatialIndices(isFirst: window.isChannelsFirst)
    let target = spatial.map { Int(exactly: numbers[$0]) }
    let lengths = spatial.map { input.shape.dimensions[$0 - 1] }
    let sizesInBounds = (strides + dilation + kernel.shape.prefix(count)).allSatisfy {
      (1...1 << 20).contains($0)
    }
    guard sizesInBounds, lengths.allSatisfy({ $0 ?? 0 <= 1 << 40 }),
      target.allSatisfy({ (0...1 << 40).contains($0 ?? 0) })
    else {
      throw .wrongTransposedSize(strides)
    }
    var extra: [Int] = []
    var isUsual = true
    for axis in 0..<count {
      guard sizes.batches?[spatial[axis]] ?? 0 == 0, let length = lengths[axis],
        let size = target[axis]
      else { throw .openSize(input.shape) }
      let window = Window<Line>(
        size: Size1D(kernel.shape[axis]), strides: Size1D(strides[axis]),
        dilation: Size1D(dilation[axis]),
        padding: window.padding)
      let least = window.axes[0].transposedCount(length, outputPadding: 0)
      isUsual = isUsual && window.axes[0].transposedCount(length, outputPadding: nil) == size
      extra.append(size - least)
    }
    guard isUsual || extra.allSatisfy({ $0 >= 0 }) else { throw .wrongTransposedSize(target) }
    func operation<Space: SpatialAxes>(_: Space.Type) -> any Operator {
      SpatialTransposedConvolution<Space>(
        outputChannels: kernel.shape[count],
        kernelSize: SpatialSize(sizes: Array(kernel.shape.prefix(count))),
        strides: SpatialSize(sizes: strides), dilation: SpatialSize(sizes: dilation),
        padding: window.padding, outputPadding: isUsual ? nil : SpatialSize(sizes: extra))
    }
    let layout = Layout(axes: space.axes + [.outputChannels, .inputChannels])
    let value = try graph.draft(
      operation(space), [input],
      [.kernel: GraphDraft.Parameter(constant: kernel, layout: layout)], axes: window.axes)
    return [.value(value)]
  }
}
