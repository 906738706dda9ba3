import FlatBuffers
import ModelIR
import Operators

extension SpatialTransposedConvolution: TFLiteForm where Space: PlanarAxes {
  static var tfliteOperations: String {
    "`TRANSPOSE_CONV`, cut by `STRIDED_SLICE` where padding is neither same nor valid; refused with a dilation"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    guard dilation == .one else { throw .dilatedTransposedConvolution }
    let input = graph.planar(try graph.expanded(x[0]), Space.self)
    let kernel = try layer.required(.kernel)
    let matrix = try graph.parameter(
      kernel, as: .of([.outputChannels], Space.axes, [.inputChannels]),
      shape: [outputChannels] + kernelSize.sizes.planarSizes + [
        kernel.spec.sizes[.inputChannels] ?? 1
      ])
    let cuts = try cuts(x[0])
    let sizes = cuts.map(\.whole).planarSizes + [outputChannels]
    // The output has the batch of the input, which is known when the graph runs.
    let shape = graph.concatenate(
      [try graph.batch(of: input), graph.ints(sizes)], along: 0)
    var operands = [shape, matrix, input]
    if let bias = layer.parameters[.bias] { operands.append(try graph.parameter(bias)) }
    let strides = strides.sizes.planarSizes
    let sum = graph.add(
      .transposeConv, operands,
      (49, [0: .byte(padding == .same ? 0 : 1), 1: .int(strides[1]), 2: .int(strides[0])]),
      sizes: [input.sizes[0]] + sizes.map { .fixed($0) })
    let whole = graph.lines(sum, Space.self)
    let parts = cuts.enumerated().compactMap { axis, cut -> TFLiteGraphBuilder.Part? in
      guard cut.whole != cut.length else { return nil }
      return .init(
        axis: axis + 1, start: cut.before, end: cut.before + cut.length, step: 1, count: cut.length)
    }
    return [try graph.activate(graph.slice(whole, parts), activation)]
  }

  /// Returns for each axis the length that the operator computes, the output's, and the pixels cut off before it.
  ///
  /// With `SAME` the operator cuts off as many pixels as the operator of the model.
  private func cuts(
    _ x: TFLiteValue
  ) throws(NetconvError) -> [(whole: Int, length: Int, before: Int)] {
    let counts = try x.known()
    return window.axes.indices.map { index in
      let axis = window.axes[index]
      let length = axis.transposedCount(counts[index], outputPadding: outputPadding?.sizes[index])
      guard case .amounts = padding else { return (length, length, 0) }
      let before = axis.transposedPaddingBefore(counts[index], length: length)
      return (max((counts[index] - 1) * axis.stride + axis.extent, before + length), length, before)
    }
  }
}

extension NetconvError {
  fileprivate static let dilatedTransposedConvolution = NetconvError(
    .badData, "has a dilation, which TRANSPOSE_CONV of TensorFlow Lite does not have")
}
