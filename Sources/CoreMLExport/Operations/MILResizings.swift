import ModelIR

/// Resizes of images and sequences.
enum MILResizings: MILTranslation {
  static let operations = ["Resize": "`upsample_nearest_neighbor`, `resize_bilinear`"]

  static func write(
    _ node: MILNode, to program: inout MILBuilder
  ) throws(NetconvError) -> [MILValue] {
    let x = try node.input(0)
    let factors: [Float]? =
      if case .floats(let values)? = node.optional(2)?.contents { values } else { nil }
    if node.string("mode") == "nearest" {
      guard let factors else { throw .openSizeForCoreML }
      return [try program.upsample(x, factors.dropFirst(2).map { Int($0) })]
    }
    let sizes: [Int?]
    if let factors {
      sizes = zip(x.shape, factors).map { size, factor in size.map { $0 * Int(factor) } }
    } else if case .ints(let values)? = node.optional(3)?.contents {
      sizes = values
    } else {
      throw .openSizeForCoreML
    }
    guard x.rank == 4, let height = sizes[2], let width = sizes[3] else {
      throw .openSizeForCoreML
    }
    return [
      try program.add(
        "resize_bilinear",
        [
          ("x", .value(x)), ("target_size_height", .int(height)),
          ("target_size_width", .int(width)), ("sampling_mode", .string(try mode(of: node))),
        ], shape: x.shape.prefix(2) + [height, width])
    ]
  }

  /// Returns the sampling mode.
  ///
  /// Source: coremltools, converters/mil/mil/ops/defs/iOS15/image_resizing.py, `resize_bilinear`.
  private static func mode(of node: MILNode) throws(NetconvError) -> String {
    switch node.string("coordinate_transformation_mode") {
    case "half_pixel": "UNALIGN_CORNERS"
    case "align_corners": "STRICT_ALIGN_CORNERS"
    case "asymmetric": "DEFAULT"
    default: throw .notInCoreML("this resize")
    }
  }
}

extension MILBuilder {
  /// Repeats each value along the spatial axes; the operation does so along the last two.
  fileprivate mutating func upsample(
    _ x: MILValue, _ factors: [Int]
  ) throws(NetconvError) -> MILValue {
    switch factors.count {
    case 1:
      let image = try expand(x, [2])
      return try squeeze(upsample(image, height: 1, width: factors[0]), [2])
    case 2: return try upsample(x, height: factors[0], width: factors[1])
    default:
      guard let sizes = x.shape.dropFirst().map({ $0 }) as? [Int] else { throw .openSizeForCoreML }
      let (channels, depth, area) = (sizes[0], sizes[1], sizes[2] * sizes[3])
      let slices = try reshape(x, [x.shape[0], channels * depth, sizes[2], sizes[3]])
      let large = try upsample(slices, height: factors[1], width: factors[2])
      let whole = area * factors[1] * factors[2]
      let rows = try reshape(large, [x.shape[0], channels, depth, whole])
      let deep = try upsample(rows, height: factors[0], width: 1)
      return try reshape(
        deep,
        [
          x.shape[0], channels, depth * factors[0], sizes[2] * factors[1], sizes[3] * factors[2],
        ])
    }
  }

  private mutating func upsample(
    _ x: MILValue, height: Int, width: Int
  ) throws(NetconvError) -> MILValue {
    try add(
      "upsample_nearest_neighbor",
      [
        ("x", .value(x)), ("scale_factor_height", .int(height)),
        ("scale_factor_width", .int(width)),
      ], shape: x.shape.prefix(2) + [x.shape[2].map { $0 * height }, x.shape[3].map { $0 * width }])
  }
}
