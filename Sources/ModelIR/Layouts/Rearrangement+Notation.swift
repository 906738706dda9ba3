extension Rearrangement {
  /// The rearrangement that `pattern` says in einops notation, `(h w i) o -> o h w i`.
  ///
  /// - Parameters:
  ///   - pattern: axes are single letters; 1 is an axis of size 1.
  ///   - sizes: those of the axes of each group but one.
  ///   - shape: of the array that is rearranged.
  ///   - reversed: axes along which values are reversed.
  /// - Throws: `badData` if the text is no such pattern, or does not fit the shape.
  package init(
    pattern: String, sizes: [String: Int], of shape: [Int], reversing reversed: [String] = []
  ) throws(NetconvError) {
    let sides = pattern.split(separator: "->", omittingEmptySubsequences: false)
    guard sides.count == 2, let source = Self.dimensions(sides[0]),
      let target = Self.dimensions(sides[1]),
      Set(source.joined()) == Set(target.joined())
    else { throw .badPattern(pattern) }
    var known: [Axis: Int] = [:]
    for (name, size) in sizes {
      guard let axis = Self.axis(name[...]), size > 0 else { throw .badPattern(pattern) }
      known[axis] = size
    }
    guard source.count == shape.count else { throw .unlikeShape(pattern, shape) }
    for (group, size) in zip(source, shape) {
      let open = group.filter { known[$0] == nil }
      let rest = try product(group.compactMap { known[$0] })
      guard open.count <= 1, rest > 0, size.isMultiple(of: rest) else {
        throw .unlikeShape(pattern, shape)
      }
      if let axis = open.first {
        known[axis] = size / rest
      } else if rest != size {
        throw .unlikeShape(pattern, shape)
      }
    }
    let axes = reversed.map { Self.axis($0[...]) }
    guard axes.allSatisfy({ axis in source.joined().contains { $0 == axis } }) else {
      throw .badPattern(pattern)
    }
    try self.init(
      from: Self.layout(source), to: Self.layout(target), sizes: known,
      reversing: Set(axes.compactMap(\.self)))
  }

  /// The axes of each dimension; `nil` if the text is no side of a pattern, or names an axis twice.
  private static func dimensions(_ text: Substring) -> [[Axis]]? {
    var dimensions: [[Axis]] = []
    var group: [Axis]?
    var token = text.startIndex
    while token < text.endIndex {
      let character = text[token]
      token = text.index(after: token)
      switch character {
      case " ": continue
      case "(" where group == nil: group = []
      case ")":
        guard let closed = group else { return nil }
        dimensions.append(closed)
        group = nil
      case "1":
        if group == nil { dimensions.append([]) }
      default:
        guard let axis = axis(text[text.index(before: token)..<token]) else { return nil }
        if group == nil { dimensions.append([axis]) } else { group?.append(axis) }
      }
    }
    let axes = dimensions.joined()
    return group == nil && Set(axes).count == axes.count ? dimensions : nil
  }

  private static func axis(_ name: Substring) -> Axis? {
    guard name.count == 1, let letter = name.first, letter.isLowercase else { return nil }
    return letter.uppercased().first.flatMap(Axis.init)
  }

  private static func layout(_ dimensions: [[Axis]]) throws(NetconvError) -> Layout {
    // What has no axis at all is one value.
    try Layout(dimensions.isEmpty ? [Layout.Dimension([])] : dimensions.map { .init($0) })
  }
}

extension NetconvError {
  fileprivate static func badPattern(_ pattern: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(pattern)) is no rearrangement; write each axis once on each side, as in h w i o -> o h w i"
    )
  }

  fileprivate static func unlikeShape(_ pattern: String, _ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData, "\(quoted(pattern)) does not fit an array of the shape \(Shape(shape))")
  }
}
