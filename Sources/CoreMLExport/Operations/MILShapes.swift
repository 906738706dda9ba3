import ModelIR

/// Operations that change shapes and the order of axes.
enum MILShapes: MILTranslation {
  static let operations = [
    "Concat": "`concat`", "Expand": "`tile`", "Flatten": "`reshape`, `flatten2d`",
    "Reshape": "`reshape`", "Shape": "`shape`, `slice_by_index`", "Squeeze": "`squeeze`",
    "Tile": "`tile`", "Transpose": "`transpose`", "Unsqueeze": "`expand_dims`",
  ]

  static func write(
    _ node: MILNode, to program: inout MILBuilder
  ) throws(NetconvError) -> [MILValue] {
    let x = try node.input(0)
    switch node.type {
    case "Concat": return [try program.concatenate(node)]
    case "Expand": return [try program.repeating(x, try node.input(1))]
    case "Flatten": return [try program.flatten(x)]
    case "Reshape": return [try program.reshape(x, like: node.input(1))]
    case "Shape":
      let end = node.int("end", x.rank)
      return [try program.shape(of: x, node.int("start", 0), min(end, x.rank))]
    case "Squeeze": return [try program.squeeze(x, node.ints(1))]
    case "Tile":
      let counts = try node.ints(1)
      return [try program.tile(x, .ints(counts), counts)]
    case "Transpose":
      return [try program.transpose(x, node.ints("perm") ?? Array((0..<x.rank).reversed()))]
    default: return [try program.expand(x, node.ints(1))]
    }
  }
}

extension MILBuilder {
  /// Permutes the axes of a value.
  mutating func transpose(_ x: MILValue, _ order: [Int]) throws(NetconvError) -> MILValue {
    guard order != Array(order.indices) else { return x }
    let shape = order.map { x.shape[$0] }
    if x.isKnown {
      return MILValue(
        type: MILType(data: x.type.data, shape: shape), contents: .transposed(x, order))
    }
    let inverse = order.indices.map { axis in order.firstIndex(of: axis) ?? axis }
    return try rearrange(
      "transpose", x, order, shape: shape, parameter: "perm", inverse: ("transpose", inverse))
  }

  /// Adds axes of size 1.
  mutating func expand(_ x: MILValue, _ axes: [Int]) throws(NetconvError) -> MILValue {
    let axes = axes.map { $0 < 0 ? $0 + x.rank + axes.count : $0 }.sorted()
    var shape = x.shape
    for axis in axes { shape.insert(1, at: axis) }
    let known = shape.compactMap(\.self)
    if known.count == shape.count, let reshaped = x.reshaped(known) { return reshaped }
    return try rearrange(
      "expand_dims", x, axes, shape: shape, parameter: "axes", inverse: ("squeeze", axes))
  }

  /// Removes axes of size 1.
  mutating func squeeze(_ x: MILValue, _ axes: [Int]) throws(NetconvError) -> MILValue {
    let axes = axes.map { x.axis($0) }.sorted()
    let shape = x.shape.indices.filter { !axes.contains($0) }.map { x.shape[$0] }
    let known = shape.compactMap(\.self)
    if known.count == shape.count, let reshaped = x.reshaped(known) { return reshaped }
    return try rearrange(
      "squeeze", x, axes, shape: shape, parameter: "axes", inverse: ("expand_dims", axes))
  }

  /// Reshapes a value to a shape with at most one size that follows from the others.
  mutating func reshape(_ x: MILValue, _ shape: [Int?]) throws(NetconvError) -> MILValue {
    let known = shape.compactMap(\.self)
    if known.count == shape.count, let reshaped = x.reshaped(known) { return reshaped }
    guard known.count + 1 >= shape.count else { throw .openSizeForCoreML }
    return try add(
      "reshape", [("x", .value(x)), ("shape", .ints(shape.map { $0 ?? -1 }))], shape: shape,
      data: x.type.data)
  }

  /// Reshapes a value; in the shape 0 keeps a size, and -1 follows from the others.
  fileprivate mutating func reshape(
    _ x: MILValue, like target: MILValue
  ) throws(NetconvError) -> MILValue {
    guard case .ints(let wanted) = target.contents else { throw .openSizeForCoreML }
    var shape = wanted.enumerated().map { axis, size in size == 0 ? x.shape[axis] : size }
    if let place = shape.firstIndex(of: -1) {
      let others = shape.enumerated().filter { $0.offset != place }.map(\.element)
      let kept = others.filter { $0 == nil }.count
      let sizes = x.shape.compactMap(\.self)
      // Open sizes that stay are on both sides.
      if kept == x.rank - sizes.count {
        let rest = others.compactMap(\.self).reduce(1, *)
        guard rest > 0 else { throw .openSizeForCoreML }
        shape[place] = sizes.reduce(1, *) / rest
      } else {
        shape[place] = nil
      }
    }
    return try reshape(x, shape)
  }

  /// Merges all axes but the batch.
  fileprivate mutating func flatten(_ x: MILValue) throws(NetconvError) -> MILValue {
    let sizes = x.shape.dropFirst().compactMap(\.self)
    guard sizes.count < x.rank - 1 else { return try reshape(x, [x.shape[0], sizes.reduce(1, *)]) }
    return try add("flatten2d", [("x", .value(x)), ("axis", .int(1))], shape: [x.shape[0], nil])
  }

  /// Returns some of the sizes of a value.
  fileprivate mutating func shape(
    of x: MILValue, _ start: Int, _ end: Int
  ) throws(NetconvError) -> MILValue {
    let sizes = Array(x.shape[start..<end])
    guard sizes.contains(nil) else { return ints(sizes.compactMap(\.self)) }
    let all = try add("shape", [("x", .value(x))], shape: [x.rank], data: .int32)
    var part = all
    if sizes.count < x.rank {
      part = try slice(all, [(start, end, 1)])
    }
    part.contents = .ints(sizes)
    return part
  }

  /// Repeats a value along axes of size 1, up to a shape.
  fileprivate mutating func repeating(
    _ x: MILValue, _ target: MILValue
  ) throws(NetconvError) -> MILValue {
    guard case .ints(let sizes) = target.contents, sizes.count == x.rank else {
      throw .openSizeForCoreML
    }
    guard x.shape.contains(where: { $0 != 1 }) else {
      return try tile(x, .value(target), sizes)
    }
    // Only axes of size 1 are repeated: the counts of the others are 1.
    var parts: [MILValue] = []
    var counts: [Int?] = []
    for (axis, size) in sizes.enumerated() {
      let isRepeated = x.shape[axis] == 1 && size != 1
      counts.append(isRepeated ? size : 1)
      parts.append(isRepeated ? try slice(target, [(axis, axis + 1, 1)]) : ints([1]))
    }
    let known = counts.compactMap(\.self)
    if known.count == counts.count { return try tile(x, .ints(known), counts) }
    let list = try add(
      "concat", [("values", .list(parts)), ("axis", .int(0)), ("interleave", .bool(false))],
      shape: [counts.count], data: .int32)
    return try tile(x, .value(list), counts)
  }

  fileprivate mutating func tile(
    _ x: MILValue, _ counts: MILOperand, _ sizes: [Int?]
  ) throws(NetconvError) -> MILValue {
    let shape = zip(x.shape, sizes).map { own, count in
      count == 1 ? own : own.flatMap { own in count.map { own * $0 } }
    }
    return try add(
      "tile", [("x", .value(x)), ("reps", counts)], shape: shape, data: x.type.data)
  }

  /// Concatenates values; those that are known are put into the program when they are read.
  fileprivate mutating func concatenate(_ node: MILNode) throws(NetconvError) -> MILValue {
    let parts = try node.inputs.indices.map { index throws(NetconvError) in try node.input(index) }
    let axis = parts[0].axis(node.int("axis", 0))
    var shape = parts[0].shape
    let sizes = parts.map { $0.shape[axis] }
    shape[axis] = sizes.contains(nil) ? nil : sizes.compactMap(\.self).reduce(0, +)
    let type = MILType(data: parts[0].type.data, shape: shape)
    if parts.allSatisfy(\.isKnown), type.data == .float32 {
      return MILValue(type: type, contents: .joined(parts, axis: axis))
    }
    let known = parts.map { part -> [Int?]? in
      if case .ints(let values) = part.contents { values } else { nil }
    }
    var result = try add(
      "concat", [("values", .list(parts)), ("axis", .int(axis)), ("interleave", .bool(false))],
      outputs: [type])[0]
    if type.data == .int32, !known.contains(where: { $0 == nil }) {
      result.contents = .ints(known.flatMap { $0 ?? [] })
    }
    return result
  }
}
