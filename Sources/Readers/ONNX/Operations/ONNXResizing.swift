import ModelIR
import Operators

/// Images and sequences of another size.
///
/// Source: onnx/docs/Operators.md, `Resize`; opset 9 for `Upsample`, opset 10 for scales alone.
enum ONNXResizing: ONNXOperation {
  static let names = ["Resize", "Upsample"]
  static let operators: [any Operator.Type] = [
    Resizing.self, UpSampling1D.self, UpSampling2D.self,
  ]
  static let refused = [
    "cubic interpolation", "regions", "antialias", "sizes other than those of images",
    "nearest pixels other than those at asymmetric floors and of whole factors",
    "factors that do not come to whole sizes, unless sizes are stated",
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let input = try graph.sample(node.input(0))
    let spatial = input.shape.rank - 1
    guard (1...2).contains(spatial) else { throw .wrongRankOfValue(input.shape, expected: 4) }
    guard !node.flag("antialias") else { throw .unknownSetting("antialias", "1", known: ["0"]) }
    let sizes = try lengths(node, input, graph)
    let own = Array(input.shape.dimensions.dropFirst())
    if own == sizes.map(Optional.init) { return [.value(input)] }
    let factors = zip(own, sizes).map { length, size in
      length.flatMap { $0 > 0 && size % $0 == 0 ? size / $0 : nil }
    }
    let mode = node.text("mode", default: "nearest")
    let coordinates =
      node.operation == "Upsample" || node.opset < 11
      ? "asymmetric" : node.text("coordinate_transformation_mode", default: "half_pixel")
    switch mode {
    case "nearest":
      let rounding =
        node.operation == "Upsample" || node.opset < 11
        ? "floor" : node.text("nearest_mode", default: "round_prefer_floor")
      // Whole factors repeat pixels: half a pixel never falls between two, nor does a floor.
      let isWhole = !factors.contains(nil)
      let repeats =
        isWhole
        && (coordinates == "asymmetric" && rounding == "floor"
          || coordinates.hasSuffix("half_pixel") && rounding != "floor" && rounding != "ceil")
      if repeats { return [.value(try enlarged(input, factors.compactMap(\.self), &graph))] }
      guard coordinates == "asymmetric", rounding == "floor" else {
        throw .unknownSetting(
          "nearest_mode", "\(rounding) with \(coordinates)", known: ["floor with asymmetric"])
      }
      return [.value(try resized(input, sizes, .nearest, .asymmetric, &graph))]
    case "linear", "bilinear":
      let known: [String: SamplingCoordinates] = [
        "align_corners": .alignCorners, "asymmetric": .asymmetric, "half_pixel": .halfPixel,
      ]
      // Of one pixel alone PyTorch takes the first, where half a pixel would be the middle.
      let isOrdinary = coordinates == "pytorch_half_pixel" && !sizes.contains(1)
      guard let place = isOrdinary ? .halfPixel : known[coordinates] else {
        throw .unknownSetting(
          "coordinate_transformation_mode", coordinates, known: known.keys.sorted())
      }
      return [.value(try resized(input, sizes, .bilinear, place, &graph))]
    default: throw .unknownSetting("mode", mode, known: ["linear", "nearest"])
    }
  }

  /// The lengths that are asked for.
  private static func lengths(
    _ node: MappedONNXNode, _ input: GraphValue, _ graph: GraphBuilder
  ) throws(NetconvError) -> [Int] {
    let spatial = input.shape.rank - 1
    let isNew = node.operation == "Resize" && node.opset >= 11
    let rank = spatial + 2
    let named =
      try node.integers("axes").map { axes throws(NetconvError) in
        try resolvedAxes(axes, rank: rank)
      } ?? Array(0..<rank)
    var scales = node.numbers("scales")
    if scales == nil, node.opset >= 9 || node.operation == "Resize" {
      scales = try node.optionalConstant(isNew ? 2 : 1)?.numbers()
    }
    if let scales, !scales.isEmpty {
      guard scales.count == named.count else { throw .wrongBlock([scales.count]) }
      var sizes: [Int] = []
      var all = [Double](repeating: 1, count: rank)
      for (axis, scale) in zip(named, scales) { all[axis] = scale }
      guard all[0] == 1, all[1] == 1 else { throw .batchAxis }
      for axis in 2..<rank {
        guard let length = input.shape.dimensions[axis - 1] else { throw .openSize(input.shape) }
        let size = (Double(length) * all[axis]).rounded()
        // Pixels are measured by the factor, which is a Float, and not by the sizes.
        guard abs(size - Double(length) * all[axis]) <= 1e-6 * size, (1...0x1p31).contains(size)
        else {
          throw .unreadUse("a factor of \(all[axis]) for \(length) pixels")
        }
        sizes.append(Int(size))
      }
      return sizes
    }
    guard isNew, let sizes = try node.optionalConstant(3) else {
      throw .missingOperand(3, node.operation)
    }
    let policy = node.text("keep_aspect_ratio_policy", default: "stretch")
    guard policy == "stretch" else {
      throw .unknownSetting("keep_aspect_ratio_policy", policy, known: ["stretch"])
    }
    let numbers = try sizes.numbers()
    guard numbers.count == named.count else { throw .wrongBlock([numbers.count]) }
    var lengths = input.shape.dimensions.dropFirst().map { $0 }
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
        lengths[axis - 2] = size
      }
    }
    let known = lengths.compactMap(\.self)
    guard known.count == spatial, known.allSatisfy({ $0 > 0 }) else { throw .openSize(input.shape) }
    return known
  }

  /// Pixels that are repeated.
  private static func enlarged(
    _ input: GraphValue, _ factors: [Int], _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphValue {
    let operation: any Operator =
      factors.count == 1
      ? UpSampling1D(size: Size1D(factors[0]))
      : UpSampling2D(size: Size2D(factors[0], factors[1]))
    return try graph.draft(operation, [input], axes: .channelsFirst)
  }

  private static func resized(
    _ input: GraphValue, _ lengths: [Int], _ interpolation: Interpolation,
    _ coordinates: SamplingCoordinates, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphValue {
    guard lengths.count == 2 else { throw .wrongRankOfValue(input.shape, expected: 4) }
    return try graph.draft(
      Resizing(
        size: Size2D(lengths[0], lengths[1]), interpolation: interpolation,
        coordinates: coordinates), [input], axes: .channelsFirst)
  }
}
