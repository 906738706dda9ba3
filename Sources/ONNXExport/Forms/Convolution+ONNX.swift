import ModelIR
import Operators

extension SpatialConvolution: ONNXForm {
  static var onnxOperations: String { "`Conv`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let kernel = try layer.required(.kernel)
    let layout = try Layout([.init([.outputChannels]), .init([.inputChannels])].with(Space.axes))
    return [
      try graph.convolve(
        x[0], window, groups: groups, kernel: try graph.parameter(kernel, as: layout), layer,
        activation)
    ]
  }
}

extension SpatialDepthwiseConvolution: ONNXForm {
  static var onnxOperations: String { "`Conv` with as many groups as channels" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let kernel = try layer.required(.kernel)
    let layout = try Layout([.init([.inputChannels, .multiplier]), .init([])].with(Space.axes))
    return [
      try graph.convolve(
        x[0], window, groups: kernel.spec.sizes[.inputChannels] ?? 1,
        kernel: try graph.parameter(kernel, as: layout), layer, activation)
    ]
  }
}

extension SpatialSeparableConvolution: ONNXForm {
  static var onnxOperations: String { "`Conv` with as many groups as channels, then `Conv`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let (first, second) = halves
    let shape = try depthwise.outputShape(for: x.map(\.shape))
    let between = try depthwise.write(
      x, ONNXLayer(shape, first.parameters(of: layer.parameters)), to: &graph)
    return try pointwise.write(
      between, ONNXLayer(layer.shape, second.parameters(of: layer.parameters)), to: &graph)
  }
}

extension ONNXGraphBuilder {
  fileprivate mutating func convolve<Space>(
    _ x: ONNXValue, _ window: Window<Space>, groups: Int, kernel: String, _ layer: ONNXLayer,
    _ activation: ActivationFunction
  ) throws(NetconvError) -> ONNXValue {
    var operands = [name(x, .first), kernel]
    if let bias = layer.parameters[.bias] { operands.append(try parameter(bias)) }
    let sum = add(
      "Conv", operands,
      window.onnx(over: x.shape.dimensions.dropLast()) + [.int("group", groups)], outputs: 1,
      isMain: true)
    return try activate(
      ONNXValue(name: sum[0], order: .first, shape: layer.shape), activation)
  }
}

extension [Layout.Dimension] {
  /// Returns the dimensions followed by the spatial axes of a kernel.
  func with(_ axes: [Axis]) -> [Layout.Dimension] { self + axes.map { .init([$0]) } }
}
