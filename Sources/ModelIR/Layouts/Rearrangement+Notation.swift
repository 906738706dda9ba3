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

  /// One side of a pattern: a layout in small letters, with blanks and `()` for an axis of size 1; nothing for a number
  /// without axes.
  private static func layout(_ side: Substring) -> Layout? {
    let text = side.filter { $0 != " " }.replacing("()", with: "1")
    guard !text.isEmpty else { return .scalar }
    guard text == text.lowercased() else { return nil }
    return Layout(text.uppercased())
  }

  /// The axes along which values are reversed, as einops spells them.
  package var reversedNames: [String] { reversed.map(\.lowercased).sorted() }
}

extension Axis {
  /// The axis that einops spells `name`.
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
