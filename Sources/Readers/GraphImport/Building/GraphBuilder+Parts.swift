import ModelIR
import Operators

// Slices, splits and concatenations.

extension GraphBuilder {
  // MARK: - Slices

  /// Slices a value or constant.
  ///
  /// - Parameter ranges: returns the slice for an array of the given shape, batch included; `nil` is an open size.
  mutating func slice(
    _ x: GraphResult, _ ranges: ([Int?]) throws(NetconvError) -> StridedSlice
  ) throws(NetconvError) -> GraphResult {
    if case .constant(let constant) = x {
      let slice = try ranges(constant.shape)
      return .constant(
        try constant.sliced(slice.parts, shape: slice.resultShape, at: node))
    }
    let input = try value([x], 0)
    let slice = try ranges(graphSizes(of: input).dimensions)
    var parts: [StridedSlice.Part] = []
    for (axis, part) in slice.parts.enumerated() {
      guard axis == input.batch?.axis else {
        parts.append(part)
        continue
      }
      let size = graphSizes(of: input).dimensions[axis]
      guard part.start == 0, part.stride == 1, part.count == size ?? -1 else { throw .batchAxis }
      parts += input.sampleAxes(axis).map {
        StridedSlice.Part(start: 0, stride: 1, count: input.shape.dimensions[$0] ?? -1)
      }
    }
    let isOpen = input.shape.dimensions.map { $0 == nil }
    let cropped: GraphValue
    if parts.contains(where: { $0.stride != 1 && $0.count != 1 }) {
      cropped = try draft(
        Slice(
          starts: parts.map(\.start), counts: zip(parts, isOpen).map { $1 ? nil : $0.count },
          steps: parts.map(\.stride)), [input])
    } else {
      cropped = try crop(
        input, to: zip(parts, isOpen).map { $1 ? nil : $0.start..<$0.start + $0.count })
    }
    return .value(try arranged(cropped.with(input.batch), slice.axes))
  }

  /// Splits a value or constant along an axis.
  ///
  /// - Parameter sizes: returns the sizes of the parts for an axis of the given length.
  mutating func split(
    _ x: GraphResult, along axis: Int, _ sizes: (Int) throws(NetconvError) -> [Int]
  ) throws(NetconvError) -> [GraphResult] {
    if case .constant(let constant) = x {
      let axis = try resolvedAxis(axis, rank: constant.shape.count)
      return try constant.split(along: axis, sizes: sizes(constant.shape[axis]), at: node).map {
        .constant($0)
      }
    }
    let input = try value([x], 0)
    let own = try input.sampleAxis(axis)
    guard let length = input.shape.dimensions[own] else { throw .openSlice(axis) }
    var start = 0
    var parts: [GraphResult] = []
    for size in try sizes(length) {
      var ranges = [Range<Int>?](repeating: nil, count: input.shape.rank)
      ranges[own] = start..<start + size
      start += size
      parts.append(.value(try crop(input, to: ranges).with(input.batch)))
    }
    return parts
  }

  /// Crops a value to `ranges`, one for each axis of a sample; `nil` keeps the whole axis.
  mutating func crop(
    _ input: GraphValue, to ranges: [Range<Int>?]
  ) throws(NetconvError) -> GraphValue {
    var value = input
    // Images and sequences have cropping layers.
    guard input.shape.rank <= 3 else {
      guard
        zip(ranges, input.shape.dimensions).contains(where: { range, length in
          range.map { $0 != 0..<(length ?? 0) } ?? false
        })
      else { return input }
      return try draft(
        Slice(
          starts: ranges.map { $0?.lowerBound ?? 0 }, counts: ranges.map { $0?.count },
          steps: ranges.map { _ in 1 }), [input])
    }
    for (axis, range) in ranges.enumerated() {
      guard let range, let length = input.shape.dimensions[axis], range != 0..<length else {
        continue
      }
      value = try crop(value, axis, before: range.lowerBound, after: length - range.upperBound)
    }
    return value
  }

  /// Drafts a crop along one of at most three axes, which is first permuted to a spatial axis.
  private mutating func crop(
    _ value: GraphValue, _ axis: Int, before: Int, after: Int
  ) throws(NetconvError) -> GraphValue {
    let rank = value.shape.rank
    switch (rank, axis) {
    case (1, _):
      let line = try draft(Reshape(shape: [value.shape.dimensions[0] ?? -1, 1]), [value])
      let cropped = try draft(Cropping1D(before: before, after: after), [line])
      return try draft(Flatten(), [cropped])
    case (2, 0): return try draft(Cropping1D(before: before, after: after), [value])
    case (3, 0):
      return try draft(Cropping2D(top: before, bottom: after, left: 0, right: 0), [value])
    case (3, 1):
      return try draft(Cropping2D(top: 0, bottom: 0, left: before, right: after), [value])
    default:
      // The last axis is moved to the front and back again.
      let order = [rank - 1] + Array(0..<rank - 1)
      let moved = try draft(Permute(order: order), [value])
      let cropped = try crop(moved, 0, before: before, after: after)
      return try draft(Permute(order: Array(1..<rank) + [0]), [cropped])
    }
  }

  /// Gathers the values at constant indices along an axis, whose index includes the batch; negative indices count from
  /// the end.
  mutating func take(
    at indices: GraphConstant, of value: GraphValue, along axis: Int
  ) throws(NetconvError) -> GraphResult {
    let along = try resolvedAxis(axis, rank: value.rank)
    guard let length = graphSizes(of: value).dimensions[along] else {
      throw along == value.batch?.axis ? .batchAxis : .openSlice(along)
    }
    let numbers = try indices.integers().map { $0 < 0 ? $0 + length : $0 }
    guard numbers.allSatisfy({ (0..<length).contains($0) }), let first = numbers.first else {
      throw .wrongSlice
    }
    // A scalar index removes the axis, even the batch axis of a batch of one.
    if indices.shape.isEmpty {
      return try slice(.value(value)) { shape throws(NetconvError) in
        var slice = StridedSlice(of: shape)
        for axis in shape.indices {
          if axis == along { try slice.take(index: first) } else { try slice.takeAll() }
        }
        return slice
      }
    }
    let result = try take(numbers, of: value, along: value.sampleAxis(along))
    guard indices.shape.count > 1 else { return .value(result) }
    // The axes of the indices replace the gathered axis.
    let own = try result.sampleAxis(along)
    var (sizes, batch) = (result.shape.dimensions, result.batch)
    sizes.replaceSubrange(own..<own + 1, with: indices.shape.map { $0 })
    if let place = batch, along < place.axis { batch?.axis += indices.shape.count - 1 }
    return .value(try reshape(result, to: Shape(sizes)).with(batch))
  }

  // MARK: - Concatenation

  /// Concatenates values, or constants, along an axis.
  mutating func concatenate(
    _ parts: [GraphResult], along axis: Int
  ) throws(NetconvError) -> GraphResult {
    if let constants = parts.constants {
      return .constant(try .joined(constants, along: axis, at: node))
    }
    let parts = try alike(parts)
    guard
      case .value(let model)? = parts.first(where: {
        if case .constant = $0 { false } else { true }
      })
    else { throw .expectedValue(0, operation) }
    let own = try model.sampleAxis(axis)
    let values = try parts.indices.map { index throws(NetconvError) in
      guard case .constant(let table) = parts[index] else { return try value(parts, index) }
      // A table beside values is the same for every sample; only its size along the concatenated axis may differ.
      guard let sizes = table.tableSizes(beside: model), sizes.count == model.shape.rank,
        (2...4).contains(sizes.count),
        sizes.indices.allSatisfy({ $0 == own || model.shape.dimensions[$0] == sizes[$0] })
      else { throw .notPerChannel(table.shape, model.shape) }
      return try self.table(table, of: sizes).with(model.batch)
    }
    guard let first = values.first else { throw .missingOperand(0, operation) }
    guard values.allSatisfy({ $0.batch == first.batch && $0.shape.rank == first.shape.rank })
    else { throw .mergedBatch }
    guard values.count > 1 else { return .value(first) }
    return .value(
      try draft(
        Concatenate(axis: own == first.shape.rank - 1 ? -1 : own), values,
        axes: .counted(moved: { rank in Concatenate(axis: movedAxis(own, rank: rank)) }),
        batch: first.batch))
  }
}

extension [GraphResult] {
  /// All results as constants; `nil` if any of them is not one.
  var constants: [GraphConstant]? {
    var constants: [GraphConstant] = []
    for case .constant(let constant) in self { constants.append(constant) }
    return constants.count == count ? constants : nil
  }
}
