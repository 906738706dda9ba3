import ModelIR
import Operators

// Layers on integers that have parameters, windows or several inputs.

extension TFLiteIntegers {
  // MARK: - Sums of products

  /// Drafts a convolution or a fully-connected layer with its bias.
  func sums(_ graph: inout GraphBuilder) throws(NetconvError) -> GraphResult {
    let isDense = node.operation == "FULLY_CONNECTED"
    let place = node.operation == "TRANSPOSE_CONV" ? 2 : 0
    let x = try input(place)
    let kernel = try kernelScales(x)
    _ = try node.constant(1)
    let sums =
      isDense
      ? GraphResult.value(try TFLiteDense.product(node, &graph))
      : try TFLiteConvolution.sums(node, &graph)
    guard case .value(let value) = sums else { throw .expectedValue(place, node.operation) }
    let activation =
      try isDense ? node.options(8).choice(0) : TFLiteConvolution.activation(of: node)
    let bias = try bias(
      at: isDense ? 2 : TFLiteConvolution.biasPlace(of: node), x, kernel,
      channels: value.size(-1))
    let (output, limits) = (try output(), try limits(activation))
    guard output.type == x.type else { throw .computesOtherIntegers }
    try graph.change(value) { layer throws(NetconvError) in
      layer.operation = Quantized(
        layer.operation, inputs: [x], output: output, kernelScales: kernel, limits: limits,
        biasRemainders: bias.remainders)
      if let constant = bias.constant {
        layer.parameters[.bias] = GraphDraft.Parameter(constant: constant, layout: nil)
      }
    }
    return sums
  }

  /// The scales of the kernel: one, or one for each output channel.
  private func kernelScales(_ x: Quantization) throws(NetconvError) -> [Float] {
    guard node.inputTensors.count > 1, let tensor = node.inputTensors[1],
      let quantization = tensor.quantization
    else { throw .kernelOfOtherType }
    guard tensor.type.element == .number(x.type == .uint8 ? .uint8 : .int8) else {
      throw .kernelOfOtherType
    }
    let scales = quantization.scales
    let axis = node.operation == "DEPTHWISE_CONV_2D" ? 3 : 0
    guard scales.count == 1 || quantization.axis == axis else { throw .kernelOfOtherType }
    // The kernels for int8 do not subtract a zero point from weights, but for layers with one scale.
    let subtracts = x.type == .uint8 || node.operation == "FULLY_CONNECTED" && scales.count == 1
    guard subtracts || quantization.zeroPoints.allSatisfy({ $0 == 0 }) else {
      throw .kernelWithZeroPoint
    }
    guard x.type != .uint8 || scales.count == 1 else { throw .kernelOfOtherType }
    return scales
  }

  /// The bias as numbers, and what they lack of its integers.
  private func bias(
    at place: Int, _ x: Quantization, _ kernel: [Float], channels: Int
  ) throws(NetconvError) -> (constant: GraphConstant?, remainders: [Int]) {
    guard node.optional(place) != nil, let type = node.inputTensors[place]?.type.element else {
      return (nil, [])
    }
    let constant = try node.constant(place)
    // Kernels for 16 bits read a bias of 32 bits as if it had 64.
    guard type == (x.type == .int16 ? .number(.int64) : .int32), constant.count == channels else {
      throw .biasOfOtherType(type.name)
    }
    let stored = (constant.source as? DequantizedTFLiteSource)?.integers ?? constant.source
    let integers: [Double] = try stored.doubles()
    var (numbers, remainders): ([Double], [Int]) = ([], [])
    for (channel, integer) in integers.enumerated() {
      guard abs(integer) <= 0x1p47 else { throw .biasOfOtherType(type.name) }
      let scale = Quantized.biasScale(x.scale, kernel[kernel.count == 1 ? 0 : channel])
      let number = Float(integer * scale)
      guard number.isFinite else { throw .biasOfOtherType(type.name) }
      numbers.append(Double(number))
      remainders.append(Int(integer - (scale > 0 ? (Double(number) / scale).rounded() : 0)))
    }
    return (
      GraphConstant(
        numbers, shape: [channels], type: .float32, path: constant.path),
      remainders.allSatisfy { $0 == 0 } ? [] : remainders
    )
  }

  // MARK: - Two inputs

  /// Drafts a sum, difference or product of two inputs, of which one may be constant.
  ///
  /// - Parameter options: The member of the union `BuiltinOptions`, whose first field is the activation.
  func combined(
    _ operation: any Operator, options: Int, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let settings = try node.options(options)
    let layer = try quantized(
      operation, [input(0), input(1)], limits: limits(settings.choice(0)))
    // Scales that are powers of two have kernels of their own, unless the options say that they have not.
    let output = try output()
    if output.type == .int16, options != 21, try settings.flag(1, default: true),
      (layer.inputs + [output]).allSatisfy({ $0.scale.significand == 1 })
    {
      throw .shiftsIntegers
    }
    let operands = try graph.ofOneRank(graph.alike([node.input(0), node.input(1)]))
    var values: [GraphValue] = []
    for case .value(let value) in operands { values.append(value) }
    guard let model = values.first else { throw .expectedValue(0, node.operation) }
    let isRow = values.count == 1 && model.shape.rank == 1
    values = []
    for operand in operands {
      switch operand {
      case .constant(let constant):
        guard let sizes = constant.tableSizes(beside: model) else {
          throw .shapesDiffer(constant.shape, model.shape.dimensions.map { $0 ?? -1 })
        }
        values.append(try graph.table(constant, of: isRow ? [1] + sizes : sizes).with(model.batch))
      default:
        let value = try graph.value([operand], 0)
        values.append(
          isRow ? try graph.reshape(value, to: Shape([1] + value.shape.dimensions)) : value)
      }
    }
    guard values[0].batch == values[1].batch || isRow else {
      throw .ranksDiffer(values[0].shape, values[1].shape)
    }
    let result = try graph.draft(layer, values, batch: model.batch)
    guard isRow else { return .value(result) }
    return .value(
      try graph.reshape(result, to: Shape(Array(result.shape.dimensions.dropFirst())))
        .with(model.batch))
  }

  /// Drafts a concatenation of inputs with different scales; `nil` if there is nothing to rescale.
  func concatenated(_ graph: inout GraphBuilder) throws(NetconvError) -> GraphResult? {
    guard node.operation == "CONCATENATION", try output().type == .uint8 else { return nil }
    let scales = try node.inputs.indices.map { index throws(NetconvError) in try input(index) }
    let output = try output()
    guard scales.contains(where: { $0 != output }) else { return nil }
    let options = try node.options(10)
    guard try options.choice(1) == 0 else { throw .fusedTFLiteActivation(try options.choice(1)) }
    let values = try node.inputs.indices.map { index throws(NetconvError) in
      try node.value(index)
    }
    guard values.allSatisfy({ $0.batch == values[0].batch }) else { throw .batchAxis }
    let axis = try values[0].sampleAxis(options.integer(0))
    return .value(
      try graph.draft(
        quantized(Concatenate(axis: axis), scales), values, batch: values[0].batch))
  }

  // MARK: - Windows and axes

  /// Drafts a pooling; a maximum keeps the scale.
  func pooled(_ graph: inout GraphBuilder) throws(NetconvError) -> GraphResult {
    let (x, limits) = (try input(0), try limits(node.options(5).choice(5)))
    guard try x == output() else { throw .poolsToOtherScale }
    let result = try TFLitePooling.pooled(node, &graph)
    guard case .value(let value) = result else { return result }
    if node.operation == "AVERAGE_POOL_2D" {
      try graph.change(value) { layer throws(NetconvError) in
        layer.operation = try quantized(layer.operation, [x], limits: limits)
      }
    } else if limits != x.range {
      return .value(
        try graph.draft(
          quantized(Identity(), [x], limits: limits), [value], batch: value.batch))
    }
    return result
  }

  /// Drafts the mean along axes of samples.
  func mean(_ graph: inout GraphBuilder) throws(NetconvError) -> GraphResult {
    let value = try node.value(0)
    guard value.batch == .first || value.batch == nil else { throw .batchAxis }
    let axes = try node.constant(1).integers().map { axis throws(NetconvError) in
      try value.sampleAxis(axis)
    }
    let keeps = try node.options(27).flag(0)
    return try draft(
      Reduce(.mean, axes: AxisList(Array(Set(axes)).sorted()), keepDimensions: keeps), &graph)
  }

  /// Drafts a bilinear interpolation.
  func resized(
    _ kind: any TFLiteOperation.Type, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    let x = try input(0)
    guard try x == output() else { throw .poolsToOtherScale }
    let before = graph.drafts.count
    let results = try kind.results(of: node, &graph)
    guard case .value(let value) = results[0], value.draft >= before else { return results[0] }
    try graph.change(value) { layer throws(NetconvError) in
      layer.operation = try quantized(layer.operation, [x])
    }
    return results[0]
  }
}

extension NetconvError {
  fileprivate static var kernelOfOtherType: NetconvError {
    NetconvError(
      .badData,
      "the kernel has other integers or scales than kernels of such values, which is not read")
  }

  fileprivate static var kernelWithZeroPoint: NetconvError {
    NetconvError(.badData, "the kernel has a zero point, which the interpreter ignores")
  }

  fileprivate static func biasOfOtherType(_ type: String) -> NetconvError {
    NetconvError(
      .badData, "the bias of \(type) has another type, size or magnitude than such layers have")
  }

  fileprivate static var computesOtherIntegers: NetconvError {
    NetconvError(
      .badData, "computes integers of another type than its inputs have, which is not read")
  }

  fileprivate static var shiftsIntegers: NetconvError {
    NetconvError(
      .badData,
      "adds integers of 16 bits whose scales are powers of two by shifting, which is not read"
    )
  }

  fileprivate static var poolsToOtherScale: NetconvError {
    NetconvError(
      .badData, "pools or interpolates integers of one scale to those of another, which is not read"
    )
  }
}
