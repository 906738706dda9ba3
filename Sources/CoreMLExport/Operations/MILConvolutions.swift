import ModelIR

/// Convolutions and transposed convolutions.
enum MILConvolutions: MILTranslation {
  static let operations = ["Conv": "`conv`", "ConvTranspose": "`conv_transpose`"]

  static func write(
    _ node: MILNode, to program: inout MILBuilder
  ) throws(NetconvError) -> [MILValue] {
    let (x, kernel) = (try node.input(0), try node.input(1))
    guard let sizes = kernel.knownShape else { throw .openSizeForCoreML }
    let window = try MILWindow(node, size: Array(sizes.dropFirst(2)))
    return [
      node.type == "Conv"
        ? try convolve(node, x, kernel, sizes, window, &program)
        : try transpose(node, x, kernel, sizes, window, &program)
    ]
  }

  private static func convolve(
    _ node: MILNode, _ x: MILValue, _ kernel: MILValue, _ sizes: [Int], _ window: MILWindow,
    _ program: inout MILBuilder
  ) throws(NetconvError) -> MILValue {
    let shape = x.shape.prefix(1) + [sizes[0]] + window.counts(of: x.shape.dropFirst(2))
    return try program.add(
      "conv",
      [
        ("x", .value(x)), ("weight", .value(kernel)), ("bias", node.optional(2).map { .value($0) }),
        ("groups", .int(node.int("group", 1))), ("dilations", .ints(window.dilations)),
      ] + window.operands, shape: Array(shape))
  }

  /// Adds a transposed convolution; what its output has beyond the sums is only the bias.
  private static func transpose(
    _ node: MILNode, _ x: MILValue, _ kernel: MILValue, _ sizes: [Int], _ window: MILWindow,
    _ program: inout MILBuilder
  ) throws(NetconvError) -> MILValue {
    guard kernel.isKnown else { throw .openParameterForCoreML("conv_transpose") }
    let added = node.ints("output_padding") ?? window.strides.map { _ in 0 }
    let bias = node.optional(2)
    let isPadded = added.contains { $0 > 0 }
    let counts = window.transposedCounts(of: x.shape.dropFirst(2))
    var sum = try program.add(
      "conv_transpose",
      [
        ("x", .value(x)), ("weight", .value(kernel)),
        ("bias", isPadded ? nil : bias.map { .value($0) }),
        ("groups", .int(node.int("group", 1))), ("dilations", .ints(window.dilations)),
      ] + window.operands,
      shape: Array(x.shape.prefix(1) + [sizes[1] * node.int("group", 1)] + counts))
    guard isPadded else { return sum }
    sum = try program.pad(sum, added.map { [0, $0] })
    guard let bias, let count = bias.knownShape?.first else { return sum }
    let column = [count] + added.map { _ in 1 }
    guard let column = bias.reshaped(column) else {
      throw .openParameterForCoreML("conv_transpose")
    }
    return try program.combine("add", sum, column)
  }
}

/// The window of a convolution or a pooling.
struct MILWindow {
  /// The sizes along the spatial axes.
  let sizes: [Int]
  let strides: [Int]
  let dilations: [Int]
  /// The padding at both ends of each axis; `nil` for as much as gives the output as many values as there are strides.
  let sides: [(before: Int, after: Int)]?

  /// Creates the window of a node.
  init(_ node: MILNode, size: [Int]) throws(NetconvError) {
    sizes = size
    strides = node.ints("strides") ?? size.map { _ in 1 }
    dilations = node.ints("dilations") ?? size.map { _ in 1 }
    switch node.string("auto_pad") {
    case "SAME_UPPER": sides = nil
    case "SAME_LOWER": throw .openSizeForCoreML
    default:
      let pads = node.ints("pads") ?? size.flatMap { _ in [0, 0] }
      sides = zip(pads, pads.dropFirst(size.count)).map { ($0, $1) }
    }
  }

  /// The operands for strides and padding.
  var operands: [(String, MILOperand?)] {
    [
      ("strides", .ints(strides)), ("pad_type", .string(sides == nil ? "same" : "custom")),
      (
        "pad",
        .ints(sides.map { $0.flatMap { [$0.before, $0.after] } } ?? sizes.flatMap { _ in [0, 0] })
      ),
    ]
  }

  private func extent(_ axis: Int) -> Int { (sizes[axis] - 1) * dilations[axis] + 1 }

  /// Returns the sizes of the output for those of the input.
  func counts(of lengths: ArraySlice<Int?>) -> [Int?] {
    lengths.enumerated().map { axis, length in
      guard let length else { return nil }
      guard let sides else { return (length + strides[axis] - 1) / strides[axis] }
      let padded = length + sides[axis].before + sides[axis].after
      return (padded - extent(axis)) / strides[axis] + 1
    }
  }

  /// Returns the sizes of the output of a transposed convolution.
  func transposedCounts(of lengths: ArraySlice<Int?>) -> [Int?] {
    lengths.enumerated().map { axis, length in
      guard let length, let sides else { return nil }
      return (length - 1) * strides[axis] + extent(axis) - sides[axis].before - sides[axis].after
    }
  }
}
