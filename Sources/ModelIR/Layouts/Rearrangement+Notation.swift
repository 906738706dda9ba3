extension Rearrangement {
  /// Creates a rearrangement from einops notation, `(h w i) o -> o h w i`.
  ///
  /// - Parameters:
  ///   - pattern: a pattern whose axes are single letters; 1 is an axis of size 1.
  ///   - sizes: the sizes of all axes but one of each group.
  ///   - shape: the shape of the array to rearrange.
  ///   - reversed: the axes along which values are reversed.
  /// - Throws: `badData` if the pattern is invalid, or does not fit the shape.
  package init(
    pattern: String, sizes: [String: Int], of shape: [Int], reversing reversed: [String] = []
  ) throws(NetconvError) {
    let sides = pattern.split(separator: "->", omittingEmptySubsequences: false)
    guard sides.count == 2, let source = Self.layout(sides[0]), let target = Self.layout(sides[1]),
      Set(source.axes) == Set(target.axes)
    else { throw .badPattern(pattern) }
    var known: [Axis: Int] = [:]
    for (name, size) in sizes {
      guard let axis = Axis(lowercased: name), size > 0 else { throw .badPattern(pattern) }
      known[axis] = size
    }
    guard source.dimensions.count == shape.count else { throw .unlikeShape(pattern, shape) }
    for (group, size) in zip(source.dimensions.map(\.axes), shape) {
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
    let axes = reversed.map(Axis.init(lowercased:))
    guard axes.allSatisfy({ axis in source.axes.contains { $0 == axis } }) else {
      throw .badPattern(pattern)
    }
    try self.init(
      from: source, to: target, sizes: known, reversing: Set(axes.compactMap(\.self)))
  }

  /// Parses one side of a pattern: a layout in lower-case letters, with spaces and with `()` for an axis of size 1;
  /// empty for a scalar.
  private static func layout(_ side: Substring) -> Layout? {
    let text = side.filter { $0 != " " }.replacing("()", with: "1")
    guard !text.isEmpty else { return .scalar }
    guard text == text.lowercased() else { return nil }
    return Layout(text.uppercased())
  }

  /// The axes along which values are reversed, in einops notation.
  package var reversedNames: [String] { reversed.map(\.lowercased).sorted() }
}

extension Axis {
  /// Creates an axis from its name in einops notation.
  package init?(lowercased name: String) {
    guard name.count == 1, let letter = name.uppercased().first, name == name.lowercased() else {
      return nil
    }
    self.init(letter)
  }
}

extension NetconvError {
  fileprivate static func badPattern(_ pattern: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(pattern)) is not a rearrangement; write each axis once on each side, as in h w i o -> o h w i"
    )
  }

  fileprivate static func unlikeShape(_ pattern: String, _ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData, "\(quoted(pattern)) does not fit an array of the shape \(Shape(shape))")
  }
}
