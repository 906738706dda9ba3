import ModelIR
import Operators

/// Transposed convolutions, which enlarge images.
///
/// Source: tensorflow/core/ops/nn_ops.cc, `Conv2DBackpropInput`.
enum GraphConvolutionTransposed: GraphOperation {
  static let names = ["Conv2DBackpropInput"]
  static let operators: [any Operator.Type] = [TransposedConvolution2D.self]
  static let refused = ["explicit padding", "sizes that the operator does not come to"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let sizes = try node.constant(0)
    let kernel = try node.constant(1)
    let input = try graph.sample(node.input(2), 2)
    guard kernel.shape.count == 4 else { throw .wrongRankOfConstant(kernel.shape, expected: 4) }
    guard input.shape.rank == 3 else { throw .wrongRankOfValue(input.shape, expected: 4) }
    let window = try GraphWindow(node)
    guard window.sides == nil else {
      throw .unknownSetting("padding", "EXPLICIT", known: ["SAME", "VALID"])
    }
    let (strides, dilation) = (window.strides, window.dilation)
    // The first size is that of the batch.
    let numbers = try sizes.numbers()
    guard numbers.count == 4 else { throw .wrongRankOfConstant(sizes.shape, expected: 1) }
    let spatial = window.isChannelsFirst ? [2, 3] : [1, 2]
    let target = spatial.map { Int(exactly: numbers[$0]) }
    let lengths = spatial.map { input.shape.dimensions[$0 - 1] }
    let sizesInBounds = (strides + dilation + kernel.shape.prefix(2)).allSatisfy {
      (1...1 << 20).contains($0)
    }
    guard sizesInBounds, lengths.allSatisfy({ $0 ?? 0 <= 1 << 40 }),
      target.allSatisfy({ (0...1 << 40).contains($0 ?? 0) })
    else {
      throw .wrongTransposedSize(strides)
    }
    var extra: [Int] = []
    var isUsual = true
    for axis in 0..<2 {
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
    let value = try graph.draft(
      TransposedConvolution2D(
        outputChannels: kernel.shape[2], kernelSize: Size2D(kernel.shape[0], kernel.shape[1]),
        strides: Size2D(strides[0], strides[1]), dilation: Size2D(dilation[0], dilation[1]),
        padding: window.padding, outputPadding: isUsual ? nil : Size2D(extra[0], extra[1])),
      [input],
      [.kernel: GraphDraft.Parameter(constant: kernel, layout: .hwoi)],
      axes: window.axes)
    return [.value(value)]
  }
}
