import ModelIR

/// Resizes of images.
///
/// Source: coremltools, converters/mil/mil/ops/defs/iOS15/image_resizing.py.
enum CoreMLResizing: CoreMLOperationKind {
  static let names = ["resize_bilinear", "upsample_bilinear", "upsample_nearest_neighbor"]

  static func write(
    _ operation: MappedCoreMLOperation, to nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    switch operation.type {
    case "resize_bilinear": try bilinear(operation, &nodes)
    case "upsample_bilinear": try bilinearByFactors(operation, &nodes)
    case "upsample_nearest_neighbor": try nearestByFactors(operation, &nodes)
    default: throw .unknownOperation(operation.type, reading: [])
    }
  }

  /// Returns the factors of all axes.
  private static func factors(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) -> String {
    guard let rank = nodes.shape(of: try operation.input("x"))?.count, rank == 4 else {
      throw .unreadUse("a resize of other than images")
    }
    let own = [
      try operation.number("scale_factor_height", 1), try operation.number("scale_factor_width", 1),
    ]
    guard own.allSatisfy({ $0 == $0.rounded() && $0 >= 1 }) else {
      throw .unreadUse("a resize by \(own[0]) and \(own[1])")
    }
    return nodes.floats([1, 1] + own, [4])
  }

  private static func nearestByFactors(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    nodes.node(
      "Resize", [try operation.input("x"), "", try factors(operation, &nodes)],
      [
        "mode": .text("nearest"), "coordinate_transformation_mode": .text("asymmetric"),
        "nearest_mode": .text("floor"),
      ], to: [operation.output])
  }

  /// Factors that are no integers give a size, and with that the distance of what is sampled.
  private static func bilinearByFactors(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let mode = try operation.flag("align_corners", true) ? "align_corners" : "half_pixel"
    let x = try operation.input("x")
    let attributes: [String: ONNXAttribute] = [
      "mode": .text("linear"), "coordinate_transformation_mode": .text(mode),
    ]
    let own = [
      try operation.number("scale_factor_height", 1), try operation.number("scale_factor_width", 1),
    ]
    if own.allSatisfy({ $0 == $0.rounded() }) {
      nodes.node(
        "Resize", [x, "", try factors(operation, &nodes)], attributes, to: [operation.output])
      return
    }
    let lengths: [Int] = (nodes.shape(of: x) ?? []).suffix(2).compactMap(\.self)
    guard lengths.count == 2, own.allSatisfy({ $0 > 0 && $0 < 65536 }) else {
      throw .unreadUse("a resize of an open size by \(own[0]) and \(own[1])")
    }
    let size = [Int(Double(lengths[0]) * own[0]), Int(Double(lengths[1]) * own[1])]
    nodes.node("Resize", [x, "", "", sizes(x, size, &nodes)], attributes, to: [operation.output])
  }

  /// Returns the sizes of an image with another height and width.
  private static func sizes(_ x: String, _ size: [Int], _ nodes: inout CoreMLNodes) -> String {
    let kept = nodes.node("Shape", [x], ["start": .integer(0), "end": .integer(2)])
    return nodes.node("Concat", [kept, nodes.ints(size)], ["axis": .integer(0)])
  }

  private static func bilinear(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let x = try operation.input("x")
    let modes = [
      "DEFAULT": "asymmetric", "STRICT_ALIGN_CORNERS": "align_corners",
      "UNALIGN_CORNERS": "half_pixel",
    ]
    let stated = try operation.text("sampling_mode", "DEFAULT")
    guard let mode = modes[stated] else {
      throw .unknownSetting("sampling_mode", stated, known: modes.keys.sorted())
    }
    let size = [
      try operation.int("target_size_height", 1), try operation.int("target_size_width", 1),
    ]
    nodes.node(
      "Resize", [x, "", "", sizes(x, size, &nodes)],
      ["mode": .text("linear"), "coordinate_transformation_mode": .text(mode)],
      to: [operation.output])
  }
}
