import ModelIR
import Operators

extension SpatialTransposedConvolution: ONNXForm {
  static var onnxOperations: String { "`ConvTranspose`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let layout = try Layout([.init([.inputChannels]), .init([.outputChannels])].with(Space.axes))
    let kernel = try graph.parameter(try layer.required(.kernel), as: layout)
    var operands = [graph.name(x[0], .first), kernel]
    if let bias = layer.parameters[.bias] { operands.append(try graph.parameter(bias)) }
    let cuts = window.axes.indices.map { index in
      cut(window.axes[index], x[0].shape.dimensions[index], outputPadding?.sizes[index])
    }
    let sum = graph.add(
      "ConvTranspose", operands,
      [
        .ints("kernel_shape", kernelSize.sizes), .ints("strides", strides.sizes),
        .ints("dilations", dilation.sizes),
        .ints("pads", cuts.map(\.before) + cuts.map(\.after)),
        .ints("output_padding", cuts.map(\.added)),
      ], outputs: 1, isMain: true)
    return [
      try graph.activate(
        ONNXValue(name: sum[0], order: .first, shape: layer.shape), activation)
    ]
  }

  /// Returns the padding that is cut off at both ends of an axis, and the output padding; the same for each length.
  private func cut(
    _ axis: WindowAxis, _ count: Int?, _ outputPadding: Int?
  ) -> (before: Int, after: Int, added: Int) {
    let count = count ?? axis.extent
    let length = axis.transposedCount(count, outputPadding: outputPadding)
    let before = axis.transposedPaddingBefore(count, length: length)
    let after = (count - 1) * axis.stride + axis.extent - before - length
    return (before, max(0, after), max(0, -after))
  }
}
