import ModelIR
import Operators

/// The mode of a padding.
enum GraphBorder {
  /// A constant.
  case number(Double)
  /// The value at the edge, repeated.
  case edge
  /// The values mirrored at the edge, without the value at the edge itself.
  case reflect
  /// The values mirrored at the edge, with the value at the edge itself.
  case symmetric
  /// The values from the opposite end.
  case wrap

  /// The largest count of indices along an axis; no network has more.
  private static let limit = 1 << 20

  /// The source indices along a padded axis; `nil` for constant padding, which has none.
  ///
  /// - Returns: `nil` also if the axis is too short to be mirrored.
  fileprivate func indices(_ length: Int, before: Int, after: Int) -> [Int]? {
    guard length > 0, before <= Self.limit, after <= Self.limit, length <= Self.limit else {
      return nil
    }
    let places = Array(-before..<length + after)
    switch self {
    case .number: return nil
    case .edge: return places.map { min(max($0, 0), length - 1) }
    case .reflect:
      guard max(before, after) < length else { return nil }
      return places.map { $0 < 0 ? -$0 : $0 < length ? $0 : 2 * length - 2 - $0 }
    case .symmetric:
      guard max(before, after) <= length else { return nil }
      return places.map { $0 < 0 ? -$0 - 1 : $0 < length ? $0 : 2 * length - 1 - $0 }
    case .wrap:
      guard max(before, after) <= length else { return nil }
      return places.map { ($0 + length) % length }
    }
  }
}

extension GraphBuilder {
  /// Pads a value.
  ///
  /// - Parameter pairs: the padding before and after each axis of the graph; negative counts crop.
  mutating func pad(
    _ input: GraphValue, _ pairs: [[Int]], with border: GraphBorder = .number(0)
  ) throws(NetconvError) -> GraphValue {
    guard pairs.count == input.rank, pairs.allSatisfy({ $0.count == 2 }),
      pairs.joined().allSatisfy({ (-(1 << 40)...1 << 40).contains($0) })
    else {
      throw .wrongPaddings(Array(pairs.joined()))
    }
    var own = [[Int]](repeating: [0, 0], count: input.shape.rank)
    for (axis, pair) in pairs.enumerated() where pair != [0, 0] {
      own[try input.sampleAxis(axis)] = pair
    }
    if own.allSatisfy({ $0 == [0, 0] }) { return input }
    let larger = own.map { $0.map { max(0, $0) } }
    var value = input
    if case .number(0) = border, let padded = try padWithZeros(input, larger) {
      value = padded
    } else {
      for (axis, pair) in larger.enumerated() where pair != [0, 0] {
        value = try pad(value, axis, pair, with: border)
      }
    }
    guard own.joined().contains(where: { $0 < 0 }) else { return value.with(input.batch) }
    var ranges: [Range<Int>?] = []
    for (pair, length) in zip(own, value.shape.dimensions) {
      let (before, after) = (max(0, -pair[0]), max(0, -pair[1]))
      if before == 0, after == 0 {
        ranges.append(nil)
        continue
      }
      guard let length, before + after < length else { throw .openSize(input.shape) }
      ranges.append(before..<length - after)
    }
    return try crop(value, to: ranges).with(input.batch)
  }

  /// Drafts zero padding of images and sequences; returns `nil` for other axes.
  private mutating func padWithZeros(
    _ input: GraphValue, _ own: [[Int]]
  ) throws(NetconvError) -> GraphValue? {
    switch own.count {
    case 2 where own[1] == [0, 0]: try pad(input, GraphWindow(sides: [own[0]]))
    case 2 where own[0] == [0, 0]:
      try pad(input, GraphWindow(sides: [own[1]], isChannelsFirst: true))
    case 3 where own[2] == [0, 0]: try pad(input, GraphWindow(sides: [own[0], own[1]]))
    case 3 where own[0] == [0, 0]:
      try pad(input, GraphWindow(sides: [own[1], own[2]], isChannelsFirst: true))
    default: nil
    }
  }

  /// Pads one axis of a sample.
  private mutating func pad(
    _ value: GraphValue, _ axis: Int, _ pair: [Int], with border: GraphBorder
  ) throws(NetconvError) -> GraphValue {
    guard let length = value.shape.dimensions[axis] else { throw .openSize(value.shape) }
    guard case .number(let number) = border else {
      guard let indices = border.indices(length, before: pair[0], after: pair[1]) else {
        throw .wrongPaddings(pair)
      }
      return try take(indices, of: value, along: axis)
    }
    guard let sizes = value.shape.known else { throw .openSize(value.shape) }
    // A table has at least two axes.
    if sizes.count == 1 {
      let column = try reshape(value, to: Shape(sizes + [1]))
      let padded = try pad(column, 0, pair, with: border)
      return try reshape(padded, to: Shape([length + pair[0] + pair[1]]))
    }
    var parts = [value]
    for (index, count) in pair.enumerated() where count > 0 {
      var own = sizes
      own[axis] = count
      let table = try table(
        .filled(number, shape: own, type: .float32, at: "\(node)/padding"), of: own)
      parts.insert(table, at: index == 0 ? 0 : parts.count)
    }
    return try draft(Concatenate(axis: axis), parts)
  }

  /// Drafts the values at the given indices along an axis of a sample, as a concatenation of strided slices.
  mutating func take(
    _ indices: [Int], of value: GraphValue, along axis: Int
  ) throws(NetconvError) -> GraphValue {
    var runs: [[Int]] = []
    for index in indices {
      if let run = runs.last, let last = run.last {
        let step = index - last
        if step != 0, run.count == 1 || step == last - run[run.count - 2] {
          runs[runs.count - 1].append(index)
          continue
        }
      }
      runs.append([index])
    }
    guard runs.count <= 64 else {
      let table = try table(
        GraphConstant(
          indices.map { Double($0) }, shape: [indices.count], type: .float32,
          path: "\(node)/indices"), of: [1, indices.count])
      var sizes = value.shape.dimensions
      sizes[axis] = indices.count
      return try reshape(draft(Gather(axis: axis), [value, table]), to: Shape(sizes)).with(
        value.batch)
    }
    var parts: [GraphValue] = []
    for run in runs {
      let step = run.count > 1 ? run[1] - run[0] : 1
      if step == 1 {
        var ranges = [Range<Int>?](repeating: nil, count: value.shape.rank)
        ranges[axis] = run[0]..<run[0] + run.count
        parts.append(try crop(value, to: ranges))
      } else {
        var (starts, steps) = (
          value.shape.dimensions.map { _ in 0 }, value.shape.dimensions.map { _ in 1 }
        )
        var counts = value.shape.dimensions
        (starts[axis], counts[axis], steps[axis]) = (run[0], run.count, step)
        parts.append(try draft(Slice(starts: starts, counts: counts, steps: steps), [value]))
      }
    }
    let joined = parts.count == 1 ? parts[0] : try draft(Concatenate(axis: axis), parts)
    return joined.with(value.batch)
  }
}
