import ModelIR

/// One axis or several, counted without the batch, negative ones from the end; in documents a number or a
/// list.
public struct AxisList: Sendable, Hashable {
  /// As the document has them.
  public let axes: [Int]

  /// These axes.
  public init(_ axes: [Int]) {
    self.axes = axes
  }

  /// The axes as indices, in ascending order.
  ///
  /// - Throws: `badData` if one does not exist or is named twice, or there is none.
  package func indices(rank: Int) throws(NetconvError) -> [Int] {
    var indices: [Int] = []
    for axis in axes { indices.append(try resolve(axis: axis, rank: rank)) }
    guard !indices.isEmpty, Set(indices).count == indices.count else { throw .wrongAxes(axes) }
    return indices.sorted()
  }

  /// The number of places along the axes in an array of `shape`.
  func count(in shape: [Int]) -> Int {
    ((try? indices(rank: shape.count)) ?? []).reduce(1) { $0 * shape[$1] }
  }
}

extension AxisList: ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral {
  /// One axis.
  public init(integerLiteral axis: Int) { self.init([axis]) }

  /// Several axes.
  public init(arrayLiteral axes: Int...) { self.init(axes) }
}

extension AxisList: Codable {
  /// Reads a number or a list.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let axis = try? container.decode(Int.self) {
      self.init([axis])
    } else {
      self.init(try container.decode([Int].self))
    }
  }

  /// Writes a number where there is one axis.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if axes.count == 1 {
      try container.encode(axes[0])
    } else {
      try container.encode(axes)
    }
  }
}

extension Shape {
  /// A parameter with one value for each place along `axes`, which are indices in ascending order.
  ///
  /// - Throws: `badData` if a size is unknown, or the input has too many axes for each to have a name.
  func parameter(
    _ role: ParameterRole, along axes: [Int], isOptional: Bool = false
  ) throws(NetconvError) -> ParameterSpec {
    var sizes: [Axis: Int] = [:]
    if axes.count == 1 {
      guard let channels = dimensions[axes[0]] else { throw .unknownSize(self) }
      return ParameterSpec(
        role, .vector, .c, [.channels: channels], isOptional: isOptional,
        featureAxis: axes[0] == rank - 1 ? .channels : nil)
    }
    let names = Array([Axis.depth, .height, .width, .channels].suffix(rank))
    guard names.count == rank else { throw .wrongRank(self, expected: "one to four axes") }
    for axis in axes {
      guard let size = dimensions[axis] else { throw .unknownSize(self) }
      sizes[names[axis]] = size
    }
    return ParameterSpec(
      role, .vector, try Layout(axes.map { Layout.Dimension([names[$0]]) }), sizes,
      isOptional: isOptional)
  }
}

/// An axis counted without the batch, negative ones from the end, as an index.
///
/// - Throws: `badData` if there is no such axis.
func resolve(axis: Int, rank: Int) throws(NetconvError) -> Int {
  guard (-rank..<rank).contains(axis) else { throw .axisOutOfRange(axis, rank: rank) }
  return axis < 0 ? axis + rank : axis
}
