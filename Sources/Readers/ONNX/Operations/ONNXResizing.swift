import ModelIR
import Operators

/// Resizing of images and sequences.
///
/// Source: onnx/docs/Operators.md, `Resize`; opset 9 for `Upsample`, opset 10 with scales only.
enum ONNXResizing: ONNXOperation {
  static let names = ["Resize", "Upsample"]
  static let operators: [any Operator.Type] = [
    Dense.self, Resizing.self, UpSampling1D.self, UpSampling2D.self,
    UpSampling3D.self,
  ]
  static let refused = [
    "sizes other than those of images",
    "align_corners with factors that do not come to whole sizes, which ONNX and ONNX Runtime measure differently",
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let input = try graph.sample(node.input(0))
    let spatial = input.shape.rank - 1
    guard spatial > 0 else { throw .wrongRankOfValue(input.shape, expected: 4) }
    let axes = try axes(node, input, graph)
    let isOld = node.operation == "Upsample" || node.opset < 11
    let coordinates =
      isOld
      ? "asymmetric" : node.text("coordinate_transformation_mode", default: "half_pixel")
    if axes.allSatisfy({ $0.length == $0.size }), coordinates != "tf_crop_and_resize" {
      return [.value(input)]
    }
    let mode = node.text("mode", default: "nearest")
    let rounding = isOld ? "floor" : node.text("nearest_mode", default: "round_prefer_floor")
    if let known = try known(node, input, axes, mode, coordinates, rounding, &graph) {
      return [.value(known)]
    }
    let sampling: ONNXSampling.Mode
    switch mode {
    case "nearest": sampling = .nearest(rounding)
    case "linear", "bilinear": sampling = .linear
    case "cubic": sampling = .cubic(node.number("cubic_coeff_a", default: -0.75))
    default: throw .unknownSetting("mode", mode, known: ["cubic", "linear", "nearest"])
    }
    return [
      try sampled(
        node, input, axes,
        ONNXSampling(
          mode: sampling, coordinates: coordinates, antialiases: node.flag("antialias"),
          excludesOutside: node.flag("exclude_outside")), &graph)
    ]
  }

  /// The result by an image operator; `nil` if none applies.
  private static func known(
    _ node: MappedONNXNode, _ input: GraphValue, _ axes: [ONNXSampling.Axis], _ mode: String,
    _ coordinates: String, _ rounding: String, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphValue? {
    let sizes = axes.map(\.size)
    // Coordinates depend on the scale, not on the sizes.
    let isExact = axes.allSatisfy { axis in
      abs(Double(axis.size) - Double(axis.length) * axis.scale) <= 1e-6 * Double(axis.size)
    }
    guard isExact else {
      guard coordinates != "align_corners" else {
        throw .unreadUse("align_corners with factors that do not come to whole sizes")
      }
      return nil
    }
    guard !node.flag("antialias"), !node.flag("exclude_outside") else {
      return nil
    }
    switch mode {
    case "nearest":
      // With these modes, an integer scale repeats each pixel: no coordinate is a tie.
      let repeats =
        axes.allSatisfy { $0.size % $0.length == 0 }
        && (coordinates == "asymmetric" && rounding == "floor"
          || coordinates.hasSuffix("half_pixel") && rounding != "floor" && rounding != "ceil")
      if repeats, axes.count <= 3 {
        return try enlarged(input, axes.map { $0.size / $0.length }, &graph)
      }
      guard coordinates == "asymmetric", rounding == "floor", axes.count == 2 else { return nil }
      return try resized(input, sizes, .nearest, .asymmetric, &graph)
    case "linear", "bilinear":
      let known: [String: SamplingCoordinates] = [
        "align_corners": .alignCorners, "asymmetric": .asymmetric, "half_pixel": .halfPixel,
      ]
      // For an output of one pixel, PyTorch uses the first pixel, while half_pixel uses the centre.
      let isOrdinary = coordinates == "pytorch_half_pixel" && !sizes.contains(1)
      guard let place = isOrdinary ? .halfPixel : known[coordinates], axes.count == 2 else {
        return nil
      }
      return try resized(input, sizes, .bilinear, place, &graph)
    default: return nil
    }
  }

  /// The result by weighted sums, along one axis after the other.
  private static func sampled(
    _ node: MappedONNXNode, _ input: GraphValue, _ axes: [ONNXSampling.Axis],
    _ sampling: ONNXSampling, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphResult {
    var result = GraphResult.value(input)
    var outside: [[Bool]] = []
    for (index, axis) in axes.enumerated() {
      _ = try foldedCount(of: [axis.size, axis.length])
      let weights = try sampling.weights(axis)
      outside.append(weights.outside)
      let identity = (0..<axis.length).map { row in
        (0..<axis.length).map { $0 == row ? 1.0 : 0 }
      }
      if weights.rows == identity { continue }
      result = try graph.mix(
        result, along: index + 2,
        by: GraphConstant(
          weights.rows.flatMap(\.self), shape: [axis.size, axis.length], type: .float32,
          path: "\(graph.node)/weights \(index)"))
    }
    let fill = node.number("extrapolation_value", default: 0)
    guard fill != 0, outside.contains(where: { $0.contains(true) }) else { return result }
    // All weights outside of the input are 0.
    let sizes = axes.map(\.size)
    let count = try foldedCount(of: sizes)
    var values = [Double](repeating: 0, count: count)
    for place in 0..<count {
      var rest = place
      for (size, isOutside) in zip(sizes, outside).reversed() {
        if isOutside[rest % size] { values[place] = fill }
        rest /= size
      }
    }
    return try graph.apply(
      .add,
      [
        result,
        .constant(
          GraphConstant(
            values, shape: [1, 1] + sizes, type: .float32, path: "\(graph.node)/outside")),
      ])
  }

  /// The spatial axes with their output sizes.
  private static func axes(
    _ node: MappedONNXNode, _ input: GraphValue, _ graph: GraphBuilder
  ) throws(NetconvError) -> [ONNXSampling.Axis] {
    let isNew = node.operation == "Resize" && node.opset >= 11
    let rank = input.shape.rank + 1
    let named =
      try node.integers("axes").map { axes throws(NetconvError) in
        try resolvedAxes(axes, rank: rank)
      } ?? Array(0..<rank)
    var scales = node.numbers("scales")
    if scales == nil, node.opset >= 9 || node.operation == "Resize" {
      scales = try node.optionalConstant(isNew ? 2 : 1)?.numbers()
    }
    var axes: [ONNXSampling.Axis]
    if let scales, !scales.isEmpty {
      axes = try self.axes(scaled: scales, named, input)
    } else {
      axes = try self.axes(sized: node, named, input, graph)
    }
    if node.text("coordinate_transformation_mode", default: "") == "tf_crop_and_resize" {
      let region = try node.optionalConstant(1)?.numbers() ?? []
      guard region.count == 2 * named.count else { throw .wrongBlock([region.count]) }
      for (index, axis) in named.enumerated() where axis > 1 {
        let (start, end) = (region[index], region[index + named.count])
        guard start <= end else { throw .wrongBlock([region.count]) }
        axes[axis - 2].region = start...end
      }
    }
    return axes
  }

  private static func axes(
    scaled scales: [Double], _ named: [Int], _ input: GraphValue
  ) throws(NetconvError) -> [ONNXSampling.Axis] {
    guard scales.count == named.count else { throw .wrongBlock([scales.count]) }
    var all = [Double](repeating: 1, count: input.shape.rank + 1)
    for (axis, scale) in zip(named, scales) { all[axis] = scale }
    guard all[0] == 1, all[1] == 1 else { throw .batchAxis }
    return try all.indices.dropFirst(2).map { axis throws(NetconvError) in
      guard let length = input.shape.dimensions[axis - 1], length > 0 else {
        throw .openSize(input.shape)
      }
      // The scale is a float32, so its product may fall just below an integer.
      let product = Double(length) * all[axis]
      let size = (product + 1e-6 * product).rounded(.down)
      guard (1...0x1p31).contains(size) else {
        throw .unreadUse("a factor of \(all[axis]) for \(length) pixels")
      }
      return ONNXSampling.Axis(length: length, size: Int(size), scale: all[axis])
    }
  }

  private static func axes(
    sized node: MappedONNXNode, _ named: [Int], _ input: GraphValue, _ graph: GraphBuilder
  ) throws(NetconvError) -> [ONNXSampling.Axis] {
    guard node.operation == "Resize", node.opset >= 11, let sizes = try node.optionalConstant(3)
    else { throw .missingOperand(3, node.operation) }
    let numbers = try sizes.numbers()
    guard numbers.count == named.count else { throw .wrongBlock([numbers.count]) }
    var wanted = input.shape.dimensions.dropFirst().map { $0 }
    var isNamed = [Bool](repeating: false, count: wanted.count)
    for (index, axis) in named.enumerated() {
      let counts = sizes.batches?[index] ?? 0
      guard let size = Int(exactly: numbers[index]) else {
        throw .noInteger(numbers[index], "sizes")
      }
      switch axis {
      case 0:
        guard counts == 1 && size == 0 || counts == 0 && size == graph.batchSize else {
          throw .batchAxis
        }
      case 1: guard counts == 0, input.shape.dimensions[0] == size else { throw .batchAxis }
      default:
        guard counts == 0 else { throw .countsBatches(graph.node) }
        (wanted[axis - 2], isNamed[axis - 2]) = (size, true)
      }
    }
    let known = wanted.compactMap(\.self)
    let lengths = input.shape.dimensions.dropFirst().compactMap(\.self)
    guard known.count == wanted.count, lengths.count == wanted.count,
      (known + lengths).allSatisfy({ $0 > 0 })
    else { throw .openSize(input.shape) }
    let factors = zip(known, lengths).map { Double($0) / Double($1) }
    // The batch and the channels keep their sizes; a scale of 1 counts if they are named.
    let ofNamed =
      zip(factors, isNamed).filter(\.1).map(\.0) + (named.contains { $0 < 2 } ? [1] : [])
    let common: Double?
    switch node.text("keep_aspect_ratio_policy", default: "stretch") {
    case "stretch": common = nil
    case "not_larger": common = ofNamed.min()
    case "not_smaller": common = ofNamed.max()
    case let other:
      throw .unknownSetting(
        "keep_aspect_ratio_policy", other, known: ["not_larger", "not_smaller", "stretch"])
    }
    return lengths.indices.map { axis in
      guard let common, isNamed[axis] else {
        return ONNXSampling.Axis(length: lengths[axis], size: known[axis], scale: factors[axis])
      }
      let size = (common * Double(lengths[axis]) + 0.5).rounded(.down)
      return ONNXSampling.Axis(length: lengths[axis], size: Int(size), scale: common)
    }
  }

  /// Enlarges an image by repeating pixels.
  private static func enlarged(
    _ input: GraphValue, _ factors: [Int], _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphValue {
    guard let space = Spaces.axes(factors.count) else {
      throw .wrongRankOfValue(input.shape, expected: 4)
    }
    func operation<Space: SpatialAxes>(_: Space.Type) -> any Operator {
      SpatialUpSampling<Space>(size: SpatialSize(sizes: factors))
    }
    return try graph.draft(operation(space), [input], axes: .channelsFirst)
  }

  private static func resized(
    _ input: GraphValue, _ lengths: [Int], _ interpolation: Interpolation,
    _ coordinates: SamplingCoordinates, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphValue {
    return try graph.draft(
      Resizing(
        size: Size2D(lengths[0], lengths[1]), interpolation: interpolation,
        coordinates: coordinates), [input], axes: .channelsFirst)
  }
}
