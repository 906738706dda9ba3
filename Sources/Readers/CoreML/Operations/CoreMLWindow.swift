import ModelIR

/// Convolutions and poolings.
///
/// Source: coremltools, converters/mil/mil/ops/defs/iOS15/conv.py and pool.py.
enum CoreMLWindow: CoreMLOperationKind {
  static let names = ["avg_pool", "conv", "conv_transpose", "max_pool"]

  static func write(
    _ operation: MappedCoreMLOperation, to nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    switch operation.type {
    case "avg_pool", "max_pool": try pool(operation, &nodes)
    case "conv": try convolution(operation, &nodes)
    case "conv_transpose": try transposed(operation, &nodes)
    default: throw .unknownOperation(operation.type, reading: [])
    }
  }

  private static func convolution(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let operands = [try operation.input("x"), try operation.input("weight")]
    let attributes = try window(operation).merging([
      "group": .integer(try operation.int("groups", 1))
    ]) { first, _ in first }
    nodes.node(
      "Conv", operands + [operation.optional("bias")].compactMap(\.self), attributes,
      to: [operation.output])
  }

  private static func transposed(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let operands = [try operation.input("x"), try operation.input("weight")]
    var attributes = try window(operation)
    attributes["group"] = .integer(try operation.int("groups", 1))
    if let stated = try operation.ints("output_shape") {
      let added = try excess(operation, stated, of: operands, nodes)
      if added.contains(where: { $0 != 0 }) { attributes["output_padding"] = .integers(added) }
    }
    nodes.node(
      "ConvTranspose", operands + [operation.optional("bias")].compactMap(\.self), attributes,
      to: [operation.output])
  }

  /// Returns by how much the stated shape of an output exceeds that of the sums.
  private static func excess(
    _ operation: MappedCoreMLOperation, _ stated: [Int], of operands: [String], _ nodes: CoreMLNodes
  ) throws(NetconvError) -> [Int] {
    guard try operation.text("pad_type", "valid") != "same",
      let lengths = nodes.shape(of: operands[0])?.dropFirst(2).map({ $0 ?? 0 }),
      let kernel = nodes.shape(of: operands[1])?.dropFirst(2).map({ $0 ?? 0 })
    else { throw .unreadUse("output_shape with an open size or the padding same") }
    let ones = kernel.map { _ in 1 }
    let strides = try operation.ints("strides") ?? ones
    let dilations = try operation.ints("dilations") ?? ones
    let isCustom = try operation.text("pad_type", "valid") == "custom"
    let pad = isCustom ? try operation.ints("pad") ?? [] : []
    return try kernel.indices.map { axis throws(NetconvError) in
      let cut = pad.count == 2 * kernel.count ? pad[2 * axis] + pad[2 * axis + 1] : 0
      let sum = (lengths[axis] - 1) * strides[axis] + (kernel[axis] - 1) * dilations[axis] + 1 - cut
      let added = (stated.count == kernel.count + 2 ? stated[axis + 2] : 0) - sum
      guard (0..<max(1, strides[axis])).contains(added) else {
        throw .unreadUse("an output_shape of \(stated)")
      }
      return added
    }
  }

  private static func pool(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    var attributes = try window(operation)
    guard let sizes = try operation.ints("kernel_sizes") else {
      throw .missingAttribute("kernel_sizes")
    }
    attributes["dilations"] = nil
    attributes["kernel_shape"] = .integers(sizes)
    if try operation.flag("ceil_mode") { attributes["ceil_mode"] = .integer(1) }
    let isMean = operation.type == "avg_pool"
    if isMean, try !operation.flag("exclude_padding_from_average") {
      attributes["count_include_pad"] = .integer(1)
    }
    nodes.node(
      isMean ? "AveragePool" : "MaxPool", [try operation.input("x")], attributes,
      to: [operation.output])
  }

  /// Returns the attributes for strides, dilations and padding.
  private static func window(
    _ operation: MappedCoreMLOperation
  ) throws(NetconvError) -> [String: ONNXAttribute] {
    var attributes: [String: ONNXAttribute] = [:]
    for name in ["strides", "dilations"] {
      if let values = try operation.ints(name) { attributes[name] = .integers(values) }
    }
    switch try operation.text("pad_type", "valid") {
    case "valid": break
    case "same": attributes["auto_pad"] = .text("SAME_UPPER")
    case "same_lower": attributes["auto_pad"] = .text("SAME_LOWER")
    case "custom":
      // Both ends of each axis follow each other; in the graph all ends of one side do.
      let pad = try operation.ints("pad") ?? []
      let ends = { (first: Int) in stride(from: first, to: pad.count, by: 2).map { pad[$0] } }
      attributes["pads"] = .integers(ends(0) + ends(1))
    case let other:
      throw .unknownSetting(
        "pad_type", other, known: ["custom", "same", "same_lower", "valid"])
    }
    return attributes
  }
}
