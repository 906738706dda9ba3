import ModelIR

/// One or more axes, not counting the batch; negative values count from the end.
///
/// In documents a single axis is a number, several are a list.
public struct AxisList: Sendable, Hashable {
  /// The axes as written in the document.
  public let axes: [Int]

  /// Creates a list of axes.
  public init(_ axes: [Int]) {
    self.axes = axes
  }

  /// Returns the axes as indices, in ascending order.
  ///
  /// - Throws: `badData` if an axis does not exist or is repeated, or if there is none.
  package func indices(rank: Int) throws(NetconvError) -> [Int] {
    var indices: [Int] = []
    for axis in axes { indices.append(try resolve(axis: axis, rank: rank)) }
    guard !indices.isEmpty, Set(indices).count == indices.count else { throw .wrongAxes(axes) }
    return indices.sorted()
  }

  /// Returns the number of elements along the axes in an array of `shape`.
  func count(in shape: [Int]) -> Int {
    ((try? indices(rank: shape.count)) ?? []).reduce(1) { $0 * shape[$1] }
  }
}

extension AxisList: ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral {
  /// Creates a list with one axis.
  public init(integerLiteral axis: Int) { self.init([axis]) }

  /// Creates a list with several axes.
  public init(arrayLiteral axes: Int...) { self.init(axes) }
}

extension AxisList: Codable {
  /// Decodes a number or a list.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let axis = try? container.decode(Int.self) {
      self.init([axis])
    } else {
      self.init(try container.decode([Int].self))
    }
  }

  /// Encodes a single axis as a number, several as a list.
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
  /// Returns a parameter with one value for each index along `axes`, which are in ascending order.
  ///
  /// - Throws: `badData` if a size is unknown, or the input has more axes than there are names.
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

/// Resolves an axis, which does not count the batch and may be negative, to an index.
///
/// - Throws: `badData` if there is no such axis.
func resolve(axis: Int, rank: Int) throws(NetconvError) -> Int {
  guard (-rank..<rank).contains(axis) else { throw .axisOutOfRange(axis, rank: rank) }
  return axis < 0 ? axis + rank : axis
}

extension NetconvError {
  fileprivate static func axisOutOfRange(_ axis: Int, rank: Int) -> NetconvError {
    NetconvError(
      .badData,
      "axis \(axis) does not exist in an input of rank \(rank) (the batch is not counted)")
  }

  fileprivate static func wrongAxes(_ axes: [Int]) -> NetconvError {
    NetconvError(.badData, "axis is \(axes), expected one axis or several, each once")
  }
}
