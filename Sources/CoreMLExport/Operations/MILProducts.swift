import ModelIR

/// Products of matrices.
enum MILProducts: MILTranslation {
  static let operations = [
    "Gemm": "`linear`", "MatMul": "`matmul`; with a constant `linear`",
    "Einsum": "`matmul` between `transpose` and `reshape`",
  ]

  static func write(
    _ node: MILNode, to program: inout MILBuilder
  ) throws(NetconvError) -> [MILValue] {
    let (x, y) = (try node.input(0), try node.input(1))
    switch node.type {
    case "Gemm":
      let isTransposed = node.int("transB", 0) == 1
      let kernel = isTransposed ? y : try program.transpose(y, [1, 0])
      return [try program.linear(x, kernel, node.optional(2))]
    case "MatMul":
      if case .transposed(let kernel, [1, 0]) = y.contents {
        return [try program.linear(x, kernel, nil)]
      }
      return [try program.product(x, y, transposesSecond: false)]
    default: return [try einsum(node, x, y, &program)]
    }
  }

  /// Sums over the only axis that both values have besides the batch.
  private static func einsum(
    _ node: MILNode, _ x: MILValue, _ y: MILValue, _ program: inout MILBuilder
  ) throws(NetconvError) -> MILValue {
    let parts = (node.string("equation") ?? "").split { ",->".contains($0) }.map { Array($0) }
    guard parts.count == 3, parts[0].first == parts[1].first, parts[2].first == parts[0].first,
      let summed = parts[0].first(where: { parts[1].contains($0) && !parts[2].contains($0) }),
      parts[2] == parts[0].filter({ $0 != summed }) + parts[1].dropFirst().filter({ $0 != summed })
    else { throw .notInCoreML("this Einsum") }
    let sides = try zip([x, y], parts).map { value, letters throws(NetconvError) -> MILValue in
      let axes = letters.indices.filter { letters[$0] != summed }
      let place = letters.firstIndex(of: summed) ?? 0
      let moved = try program.transpose(value, axes + [place])
      let rest = axes.dropFirst().map { value.shape[$0] }
      guard let count = value.shape[place], !rest.contains(nil) else { throw .openSizeForCoreML }
      return try program.reshape(moved, [nil, rest.compactMap(\.self).reduce(1, *), count])
    }
    let product = try program.product(sides[0], sides[1], transposesSecond: true)
    let shape = zip([x, y], parts).flatMap { value, letters in
      letters.indices.dropFirst().filter { letters[$0] != summed }.map { value.shape[$0] }
    }
    return try program.reshape(product, [nil] + shape)
  }
}

extension MILBuilder {
  /// Multiplies the last axis by a kernel whose outputs come first.
  fileprivate mutating func linear(
    _ x: MILValue, _ kernel: MILValue, _ bias: MILValue?
  ) throws(NetconvError) -> MILValue {
    // The operation is defined for up to three axes, and for constants.
    guard x.rank <= 3, kernel.isKnown, bias?.isKnown != false, kernel.isStored else {
      let sum = try product(x, kernel, transposesSecond: true)
      return try bias.map { bias throws(NetconvError) in try combine("add", sum, bias) } ?? sum
    }
    return try add(
      "linear",
      [
        ("x", .value(x)), ("weight", .value(kernel)), ("bias", bias.map { .value($0) }),
      ], shape: x.shape.dropLast() + [kernel.shape[0]])
  }

  fileprivate mutating func product(
    _ x: MILValue, _ y: MILValue, transposesSecond: Bool
  ) throws(NetconvError) -> MILValue {
    let columns = y.shape[y.rank - (transposesSecond ? 2 : 1)]
    let batch = Self.broadcast(x.shape.dropLast(2), y.shape.dropLast(2))
    return try add(
      "matmul",
      [
        ("x", .value(x)), ("y", .value(y)), ("transpose_x", .bool(false)),
        ("transpose_y", .bool(transposesSecond)),
      ], shape: batch + [x.shape[x.rank - 2], columns])
  }
}

extension MILValue {
  /// True if the values are stored in the order of the axes.
  var isStored: Bool {
    switch contents {
    case .floats, .ints, .tensor: true
    case .transposed, .joined, nil: false
    }
  }
}
