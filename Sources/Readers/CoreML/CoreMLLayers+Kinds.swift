import ModelIR

// Layers of neural networks, by kind.
//
// Source: coremltools, mlmodel/format/NeuralNetwork.proto.

extension CoreMLLayers {
  /// Adds an array of parameters.
  private mutating func weights(
    _ layer: Layer, _ number: Int, _ shape: [Int], _ role: String, channels: Int? = nil
  ) throws(NetconvError) -> String {
    let name = "\(layer.output)/\(role)"
    let source = try CoreMLWeights.source(
      layer.fields.message(number), count: product(shape), channels: channels ?? shape.first ?? 1)
    nodes.addInitializer(name, .float32, shape, source)
    return name
  }

  func image(_ sizes: [Int?]) throws(NetconvError) -> Int {
    guard sizes.count == 4, let channels = sizes[1] else {
      throw .unreadUse("a layer of images, whose input is none")
    }
    return channels
  }

  mutating func convolve(_ layer: Layer, _ own: [Int?]) throws(NetconvError) -> [Int?] {
    let fields = layer.fields
    let channels = try image(own)
    let outputs = try fields.integer(1)
    let groups = max(1, try fields.integer(10, 1))
    let isTransposed = try fields.flag(60)
    guard !fields.has(100), outputs > 0, channels % groups == 0, outputs % groups == 0 else {
      throw .unreadUse("outputShape of a deconvolution, or groups that do not fit")
    }
    let window = try Window(fields, kernel: 20, stride: 30, dilation: 40)
    let shape = isTransposed ? [channels, outputs / groups] : [outputs, channels / groups]
    var attributes = try window.attributes(fields, valid: 50, same: 51)
    attributes["group"] = .integer(groups)
    attributes["dilations"] = .integers(window.dilation)
    var operands = [
      layer.input, try weights(layer, 90, shape + window.size, "weights"),
    ]
    if try fields.flag(70) { operands.append(try weights(layer, 91, [outputs], "bias")) }
    nodes.node(isTransposed ? "ConvTranspose" : "Conv", operands, attributes, to: [layer.output])
    let lengths =
      isTransposed
      ? [nil, nil] : try window.counts(of: Array(own[2...]), fields, valid: 50, same: 51)
    return [own[0], outputs] + lengths
  }

  mutating func pool(_ layer: Layer, _ own: [Int?]) throws(NetconvError) -> [Int?] {
    let fields = layer.fields
    let channels = try image(own)
    let type = try fields.integer(1)
    guard type < 2 else { throw .unreadUse("a pooling of kind L2") }
    if try fields.flag(60) {
      nodes.node(
        type == 0 ? "GlobalMaxPool" : "GlobalAveragePool", [layer.input], to: [layer.output])
      return [own[0], channels, 1, 1]
    }
    let window = try Window(fields, kernel: 10, stride: 20, dilation: nil)
    var attributes = try window.attributes(fields, valid: 30, same: 31)
    if fields.has(32) {
      let amounts = try CoreMLFields(fields.message(32)).integers(10)
      guard amounts.count == 2 || amounts.isEmpty else { throw .wrongSlice }
      attributes["pads"] = .integers(amounts.isEmpty ? [0, 0, 0, 0] : amounts + amounts)
      attributes["ceil_mode"] = .integer(1)
    }
    attributes["kernel_shape"] = .integers(window.size)
    if type == 1, try !fields.flag(50) { attributes["count_include_pad"] = .integer(1) }
    nodes.node(
      type == 0 ? "MaxPool" : "AveragePool", [layer.input], attributes, to: [layer.output])
    let lengths =
      fields.has(32)
      ? [nil, nil]
      : try window.counts(of: Array(own[2...]), fields, valid: 30, same: 31)
    return [own[0], channels] + lengths
  }

  /// An inner product of an image with one kernel for each pixel is a convolution with a window of one pixel.
  mutating func multiply(_ layer: Layer, _ own: [Int?]) throws(NetconvError) -> [Int?] {
    let fields = layer.fields
    let (inputs, outputs) = (try fields.integer(1), try fields.integer(2))
    guard inputs > 0, outputs > 0, try !fields.flag(22) else {
      throw .unreadUse("an inner product of integers, or of nothing")
    }
    let isPixelwise = own.count == 4 && own[1] == inputs
    let kernel = try weights(
      layer, 20, [outputs, inputs] + (isPixelwise ? [1, 1] : []), "weights")
    let bias = try fields.flag(10) ? [try weights(layer, 21, [outputs], "bias")] : []
    if isPixelwise {
      nodes.node("Conv", [layer.input, kernel] + bias, to: [layer.output])
      return [own[0], outputs] + own[2...]
    }
    let vector =
      own.count == 2
      ? layer.input : nodes.node("Flatten", [layer.input], ["axis": .integer(1)])
    nodes.node("Gemm", [vector, kernel] + bias, ["transB": .integer(1)], to: [layer.output])
    return [own[0], outputs]
  }

  mutating func activate(_ layer: Layer, _ own: [Int?]) throws(NetconvError) -> [Int?] {
    let plain = [10: "Relu", 30: "Tanh", 40: "Sigmoid", 60: "Softsign", 70: "Softplus"]
    let sloped = [15: "LeakyRelu", 20: "ThresholdedRelu", 50: "Elu"]
    let kinds = [5, 25, 31, 41, 71] + plain.keys + sloped.keys
    guard let kind = kinds.first(where: layer.fields.has) else {
      throw .missingAttribute("NonlinearityType")
    }
    let fields = try CoreMLFields(layer.fields.message(kind))
    let alpha = try kind == 25 || kind == 71 ? 0 : fields.float(1)
    let (x, output) = (layer.input, [layer.output])
    if let type = plain[kind] {
      nodes.node(type, [x], to: output)
    } else if let type = sloped[kind] {
      nodes.node(type, [x], ["alpha": .number(alpha)], to: output)
    } else if kind == 41 {
      nodes.node(
        "HardSigmoid", [x], ["alpha": .number(alpha), "beta": .number(try fields.float(2))],
        to: output)
    } else if kind == 5 {
      let scaled = nodes.node("Mul", [x, nodes.float(Double(alpha))])
      nodes.node("Add", [scaled, nodes.float(Double(try fields.float(2)))], to: output)
    } else if kind == 31 {
      let inner = nodes.node("Mul", [x, nodes.float(Double(try fields.float(2)))])
      nodes.node("Mul", [nodes.node("Tanh", [inner]), nodes.float(Double(alpha))], to: output)
    } else if kind == 25, own.count > 1, let channels = own[1] {
      let shape = [channels] + own.dropFirst(2).map { _ in 1 }
      let source = try CoreMLWeights.source(fields.message(1), count: channels, channels: channels)
      nodes.addInitializer("\(layer.output)/alpha", .float32, shape, source)
      nodes.node("PRelu", [x, "\(layer.output)/alpha"], to: output)
    } else {
      throw .unreadUse("the activation ParametricSoftplus")
    }
    return own
  }

  mutating func normalize(_ layer: Layer, _ own: [Int?]) throws(NetconvError) -> [Int?] {
    let fields = layer.fields
    let channels = try fields.integer(1)
    let epsilon: [String: ONNXAttribute] = ["epsilon": .number(try fields.float(10, 1e-5))]
    let affine = [
      try weights(layer, 15, [channels], "gamma"), try weights(layer, 16, [channels], "beta"),
    ]
    switch (try fields.flag(5), try fields.flag(6)) {
    case (true, true):
      nodes.node("InstanceNormalization", [layer.input] + affine, epsilon, to: [layer.output])
    case (false, false):
      let statistics = [
        try weights(layer, 17, [channels], "mean"), try weights(layer, 18, [channels], "variance"),
      ]
      nodes.node(
        "BatchNormalization", [layer.input] + affine + statistics, epsilon, to: [layer.output])
    default: throw .unreadUse("a batchnorm of the batch's own statistics")
    }
    return own
  }

  mutating func crop(_ layer: Layer, _ own: [Int?]) throws(NetconvError) -> [Int?] {
    _ = try image(own)
    let sides = try layer.fields.borders(1)
    guard layer.inputs.count == 1, sides.count == 2 else {
      throw .unreadUse("a crop to the size of another value")
    }
    let ends = sides.map { $0.end == 0 ? Int(Int32.max) : -$0.end }
    nodes.node(
      "Slice",
      [layer.input, nodes.ints(sides.map(\.start)), nodes.ints(ends), nodes.ints([2, 3])],
      to: [layer.output])
    return Array(own[..<2])
      + zip(own[2...], sides).map { size, side in
        size.map { $0 - side.start - side.end }
      }
  }

  mutating func pad(_ layer: Layer, _ own: [Int?]) throws(NetconvError) -> [Int?] {
    _ = try image(own)
    let fields = layer.fields
    let sides = try fields.borders(10)
    guard sides.count == 2 else { throw .wrongSlice }
    let mode = fields.has(2) ? "reflect" : fields.has(3) ? "edge" : "constant"
    let value = try CoreMLFields(fields.message(1)).float(1)
    let amounts = [0, 0] + sides.map(\.start) + [0, 0] + sides.map(\.end)
    nodes.node(
      "Pad", [layer.input, nodes.ints(amounts), nodes.float(Double(value))],
      ["mode": .text(mode)], to: [layer.output])
    return Array(own[..<2])
      + zip(own[2...], sides).map { size, side in
        size.map { $0 + side.start + side.end }
      }
  }

  mutating func upsample(_ layer: Layer, _ own: [Int?]) throws(NetconvError) -> [Int?] {
    _ = try image(own)
    let factors = try layer.fields.integers(1)
    guard factors.count == 2, !layer.fields.has(7), factors.allSatisfy({ $0 > 0 }) else {
      throw .unreadUse("an upsample by fractions")
    }
    let isLinear = try layer.fields.integer(5) == 1
    let modes = ["asymmetric", "align_corners", "half_pixel"]
    let mode = try layer.fields.integer(6)
    guard modes.indices.contains(mode) else { throw .unreadUse("the mode \(mode) of an upsample") }
    let attributes: [String: ONNXAttribute] =
      isLinear
      ? ["mode": .text("linear"), "coordinate_transformation_mode": .text(modes[mode])]
      : [
        "mode": .text("nearest"), "coordinate_transformation_mode": .text("asymmetric"),
        "nearest_mode": .text("floor"),
      ]
    let scales = nodes.floats([1, 1] + factors.map { Double($0) }, [4])
    nodes.node("Resize", [layer.input, "", scales], attributes, to: [layer.output])
    return Array(own[..<2])
      + zip(own[2...], factors).map { size, factor in size.map { $0 * factor } }
  }

  /// Adds or multiplies values; a single one and a number.
  mutating func combine(
    _ layer: Layer, _ type: String, _ own: [Int?]
  ) throws(NetconvError) -> [Int?] {
    if layer.inputs.count == 1 {
      let number = nodes.float(Double(try layer.fields.float(1)))
      nodes.node(type, [layer.input, number], to: [layer.output])
      return own
    }
    var result = layer.input
    for (index, other) in layer.inputs.enumerated().dropFirst() {
      let isLast = index == layer.inputs.count - 1
      result = nodes.node(type, [result, other], to: isLast ? [layer.output] : [])
    }
    // Values with axes of size 1 are repeated.
    return layer.inputs.compactMap { sizes[$0] }.reduce(own) { first, second in
      first.count == second.count ? zip(first, second).map { $0 == 1 ? $1 : $0 } : first
    }
  }

  mutating func scale(
    _ layer: Layer, isScale: Bool, _ own: [Int?]
  ) throws(NetconvError) -> [Int?] {
    let fields = layer.fields
    let shape = try vector(fields.integers(1), own)
    let first = try weights(layer, 2, shape, isScale ? "scale" : "bias", channels: 1)
    let hasBias = isScale ? try fields.flag(3) : false
    let scaled = nodes.node(
      isScale ? "Mul" : "Add", [layer.input, first], to: hasBias ? [] : [layer.output])
    if hasBias {
      let bias = try weights(layer, 5, vector(fields.integers(4), own), "bias", channels: 1)
      nodes.node("Add", [scaled, bias], to: [layer.output])
    }
    return own
  }

  /// Returns the shape of a parameter of channels for values with that many axes.
  private func vector(_ shape: [Int], _ own: [Int?]) throws(NetconvError) -> [Int] {
    guard shape.count == 1 || shape.count == 3, shape.allSatisfy({ $0 > 0 }) else {
      throw .wrongSlice
    }
    if own.count == 2 { return [try product(shape)] }
    return shape.count == 3 ? shape : shape + [1, 1]
  }

  mutating func flatten(_ layer: Layer, _ own: [Int?]) throws(NetconvError) -> [Int?] {
    let isLast = try layer.fields.integer(1) == 1
    let x =
      isLast && own.count == 4
      ? nodes.node("Transpose", [layer.input], ["perm": .integers([0, 2, 3, 1])]) : layer.input
    nodes.node("Flatten", [x], ["axis": .integer(1)], to: [layer.output])
    let sizes = own.dropFirst().compactMap(\.self)
    return [own[0], sizes.count == own.count - 1 ? sizes.reduce(1, *) : nil]
  }

  mutating func concatenate(_ layer: Layer, _ own: [Int?]) throws(NetconvError) -> [Int?] {
    guard try !layer.fields.flag(100) else { throw .unreadUse("a concat of sequences") }
    nodes.node("Concat", layer.inputs, ["axis": .integer(1)], to: [layer.output])
    let channels = layer.inputs.map { sizes[$0]?.dropFirst().first.flatMap(\.self) }
    var shape = own
    let known = channels.compactMap(\.self)
    if shape.count > 1 { shape[1] = known.count == channels.count ? known.reduce(0, +) : nil }
    return shape
  }

  /// The window of a convolution or a pooling.
  private struct Window {
    let size: [Int]
    let stride: [Int]
    let dilation: [Int]

    init(
      _ fields: CoreMLFields, kernel: Int, stride: Int, dilation: Int?
    ) throws(NetconvError) {
      let pair = { (list: [Int], fallback: Int) in
        list.isEmpty ? [fallback, fallback] : list
      }
      size = pair(try fields.integers(kernel), 3)
      self.stride = pair(try fields.integers(stride), 1)
      self.dilation =
        try dilation.map { number throws(NetconvError) in
          pair(try fields.integers(number), 1)
        } ?? [1, 1]
      guard
        [size, self.stride, self.dilation].allSatisfy({ list in
          list.count == 2 && list.allSatisfy { $0 > 0 }
        })
      else { throw .wrongSlice }
    }

    /// Returns the attributes for strides and padding, whose fields have these numbers.
    func attributes(
      _ fields: CoreMLFields, valid: Int, same: Int
    ) throws(NetconvError) -> [String: ONNXAttribute] {
      var attributes: [String: ONNXAttribute] = ["strides": .integers(stride)]
      if fields.has(same) {
        let isLower = try CoreMLFields(fields.message(same)).integer(1) == 1
        attributes["auto_pad"] = .text(isLower ? "SAME_LOWER" : "SAME_UPPER")
      } else {
        let sides = try CoreMLFields(fields.message(valid)).borders(1)
        if sides.count == 2 {
          attributes["pads"] = .integers(sides.map(\.start) + sides.map(\.end))
        }
      }
      return attributes
    }

    /// Returns the lengths of the output.
    func counts(
      of lengths: [Int?], _ fields: CoreMLFields, valid: Int, same: Int
    ) throws(NetconvError) -> [Int?] {
      let sides = try CoreMLFields(fields.message(valid)).borders(1)
      return lengths.enumerated().map { axis, length in
        guard let length else { return nil }
        if fields.has(same) { return (length + stride[axis] - 1) / stride[axis] }
        let pad = sides.count == 2 ? sides[axis].start + sides[axis].end : 0
        let extent = (size[axis] - 1) * dilation[axis] + 1
        return (length + pad - extent) / stride[axis] + 1
      }
    }
  }
}
