import ModelIR

/// A loader's view of an array whose values encode their indices, compared with the expected array.
package struct Reading: Sendable {
  /// The values in storage order.
  private let expected: [Float]
  /// The order of the axes.
  private let layout: Layout
  private let sizes: [Axis: Int]
  /// The dtype of the stored values; `nil` if they are in no file.
  private let type: ElementType?
  /// The largest distance of equal values.
  private let tolerance: Float

  /// Creates an expected array.
  ///
  /// - Parameters:
  ///   - type: The dtype of the stored values, if any.
  ///   - tolerance: The allowed distance of a value.
  package init(
    _ expected: [Float], _ layout: Layout, sizes: [Axis: Int], type: ElementType?,
    tolerance: Float = 0
  ) {
    self.expected = expected
    self.layout = layout
    self.sizes = sizes
    self.type = type
    self.tolerance = tolerance
  }

  /// The error in `seen`, such as `read as OHWI, is HWIO`; `nil` if there is none.
  package func finding(_ seen: ReportedArray) -> String? {
    let stated = seen.layout ?? layout
    let isThere =
      stated == layout
      ? agree(seen.values, expected) : agree(seen.values, rearranged(layout, stated, []))
    if isThere {
      return shapeFinding(seen.shape, stated).map {
        "\($0); the values have the layout \(shapeText(stated))"
      }
    }
    let what =
      seen.layout != nil && agree(seen.values, expected)
      ? "the values have the layout \(shapeText(layout))" : valueFinding(seen.values)
    let statement = seen.layout.map { "; it is declared as \($0)" } ?? ""
    return what + statement + (shapeFinding(seen.shape, stated).map { "; \($0)" } ?? "")
  }

  /// The axes whose order cannot be checked, because the shape of `seen` merges them.
  package func uncheckedAxes(_ seen: ReportedArray) -> [Axis] {
    ArrangedShape(seen.layout ?? layout, sizes).axesHidden(by: seen.shape ?? [])
  }

  private func valueFinding(_ seen: [Float]) -> String {
    bytesFinding(seen) ?? gateFinding(seen) ?? orderFinding(seen) ?? placeFinding(seen)
      ?? otherValuesFinding(seen)
  }

  private func agree(_ a: some Collection<Float>, _ b: some Collection<Float>) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy(agree)
  }

  private func agree(_ a: Float, _ b: Float) -> Bool {
    a == b || abs(a - b) <= tolerance || a.bitPattern == b.bitPattern
  }
}

// MARK: - Shapes

extension Reading {
  /// The error in the shape of values in `layout`; `nil` if there is none.
  private func shapeFinding(_ shape: [Int]?, _ layout: Layout) -> String? {
    guard let shape, !ArrangedShape(layout, sizes).fits(shape),
      shape.reduce(1, *) == expected.count
    else { return nil }
    let text = Shape(shape).description
    let other = axes.orders.lazy.compactMap(Layout.init(apart:)).first {
      ArrangedShape($0, sizes).isShown(by: shape)
    }
    return other.map { "its shape \(text) is that of \($0)" }
      ?? "its shape \(text) merges axes in another order"
  }

  /// The layout and shape: `OHWI (5, 3, 4, 2)`.
  private func shapeText(_ layout: Layout) -> String {
    guard let shape = try? layout.shape(sizes) else { return layout.description }
    return "\(layout) \(Shape(shape))"
  }
}

// MARK: - Orders

extension Reading {
  /// The axes with more than one element.
  private var axes: [Axis] { layout.axes.filter { sizes[$0] ?? 1 > 1 } }

  /// Finds an order of the axes, with reversed axes, that explains the values.
  private func orderFinding(_ seen: [Float]) -> String? {
    let known = axes.map { [SizedAxis($0, size: sizes[$0] ?? 1)] }
    guard seen.count == expected.count, known.joined().reduce(1, { $0 * $1.size }) == seen.count
    else { return nil }
    let loads = Arrangements(known, nil, known: .target)
    let stores = Arrangements(known, nil, known: .source)
    for (load, store) in zip(loads, stores) {
      let flip = load.reversed
      let reversal = flip.isEmpty ? "" : ", " + Self.reversal(flip)
      if load.source == load.target {
        if agree(seen, load.applied(to: expected)) { return Self.reversal(flip) }
      } else if type != nil, agree(seen, load.applied(to: expected)) {
        return (axes.count == 2 ? "transposed: " : "")
          + "read as \(load.source), is \(layout)\(reversal)"
      } else if agree(seen, store.applied(to: expected)) {
        return "in the order \(store.target), is \(layout)\(reversal)"
      }
    }
    return nil
  }

  /// Finds another order of the gates that explains the values.
  private func gateFinding(_ seen: [Float]) -> String? {
    guard seen.count == expected.count, let gates = layout.gates else { return nil }
    let other = gates.others.first {
      agree(seen, rearranged(layout, layout.with(gates: $0), []))
    }
    return other.map { "the gates are in the order \($0.words), expected \(gates.letters)" }
  }

  private func rearranged(_ source: Layout, _ target: Layout, _ flip: Set<Axis>) -> [Float] {
    guard
      let move = try? Rearrangement(from: source, to: target, sizes: sizes, reversing: flip),
      move.copy.count == expected.count
    else { return [] }
    return move.applied(to: expected)
  }

  private static func reversal(_ axes: Set<Axis>) -> String {
    let names = axes.map(\.description).sorted().joined(separator: " and ")
    return axes == [.height, .width] ? "rotated: H and W reversed" : "\(names) reversed"
  }
}

// MARK: - Offsets

extension Reading {
  /// Finds missing values or an offset.
  private func placeFinding(_ seen: [Float]) -> String? {
    let common = min(seen.count, expected.count)
    if common > 1, seen.count != expected.count, agree(seen.prefix(common), expected.prefix(common))
    {
      return seen.count < expected.count
        ? "cut off: the first \(seen.count) of \(expected.count) values"
        : "too long: \(expected.count) values, and \(seen.count - expected.count) more"
    }
    // An offset has to leave at least half of the values.
    for offset in 1..<max(2, expected.count) {
      let count = min(expected.count - offset, seen.count)
      guard 2 * count >= expected.count, count > 1 else { break }
      if agree(seen.prefix(count), expected[offset..<offset + count]) {
        return Self.offset(offset, "earlier")
      }
    }
    for offset in 1..<max(2, seen.count) {
      let count = min(seen.count - offset, expected.count)
      guard 2 * count >= expected.count, count > 1 else { break }
      if agree(seen[offset..<offset + count], expected.prefix(count)) {
        return Self.offset(offset, "later")
      }
    }
    return nil
  }

  private static func offset(_ count: Int, _ direction: String) -> String {
    "offset: stored \(count) \(count == 1 ? "value" : "values") \(direction) than it was read"
  }

  private func otherValuesFinding(_ seen: [Float]) -> String {
    guard seen.count == expected.count else {
      return "\(seen.count) values, expected \(expected.count)"
    }
    if type != nil, seen.sorted() == expected.sorted() {
      return "the right values, but not in any order of axes"
    }
    let wrong = seen.indices.filter { !agree(seen[$0], expected[$0]) }
    return
      "\(wrong.count) of \(seen.count) values differ, the first at index \(wrong.first ?? 0): "
      + "\(numeral(seen[wrong.first ?? 0])), expected \(numeral(expected[wrong.first ?? 0]))"
  }
}

// MARK: - Bytes

extension Reading {
  /// Finds a wrong dtype or byte order.
  private func bytesFinding(_ seen: [Float]) -> String? {
    guard let type, let bytes = type.littleEndianBytes(of: expected), seen.count > 1 else {
      return nil
    }
    if type.byteCount > 1, agree(seen, Self.decode(bytes, type, .big)) {
      return "wrong byte order: \(type) is little-endian"
    }
    let others: [ElementType] = [.float32, .float16, .bfloat16, .float64, .int8, .uint8, .int32]
    for other in others where other != type {
      let values = Self.decode(bytes, other, .little)
      let common = min(values.count, seen.count)
      // A loader that expects the same number of values reads past the end.
      guard common > 1, 4 * common >= expected.count else { continue }
      if agree(seen.prefix(common), values.prefix(common)) { return "\(type) read as \(other)" }
    }
    return nil
  }

  private static func decode(
    _ bytes: [UInt8], _ type: ElementType, _ order: ByteOrder
  ) -> [Float] {
    let count = bytes.count / type.byteCount
    return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      bytes.withUnsafeBytes {
        type.decode(
          UnsafeRawBufferPointer(rebasing: $0[..<(count * type.byteCount)]), order,
          into: UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
      }
      initialized = count
    }
  }
}

extension ElementType {
  /// The bytes of values that the type represents exactly; `nil` for types that no target accepts.
  fileprivate func littleEndianBytes(of values: [Float]) -> [UInt8]? {
    func bytes<Pattern: FixedWidthInteger>(_ pattern: (Float) -> Pattern?) -> [UInt8]? {
      var bytes: [UInt8] = []
      for value in values {
        guard let pattern = pattern(value) else { return nil }
        withUnsafeBytes(of: pattern.littleEndian) { bytes += $0 }
      }
      return bytes
    }
    return switch self {
    case .float32: bytes(\.bitPattern)
    case .float16: bytes { Half.bits(from: $0) }
    case .bfloat16: bytes { UInt16(truncatingIfNeeded: $0.bitPattern >> 16) }
    case .int8: bytes { Int8(exactly: $0) }
    case .float64, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64: nil
    }
  }
}

/// An array as a loader reports it.
package struct ReportedArray: Sendable {
  /// The values in memory order.
  package let values: [Float]
  /// The shape, if reported.
  package let shape: [Int]?
  /// The axis order that the loader intends; `nil` for that of the file.
  package let layout: Layout?

  /// Creates an array with `values`.
  package init(_ values: [Float], shape: [Int]? = nil, layout: Layout? = nil) {
    self.values = values
    self.shape = shape
    self.layout = layout
  }
}
