import Documents

/// A rule between tensors with their full names, as the values of two sets of weights show it.
struct FoundRule: Hashable {
  /// The relation between the tensors.
  enum Shape: Hashable {
    case one
    case join(axis: Int)
    case split(axis: Int)
    case stack
    case unstack
  }

  /// The operations on the values, which tensors of several layers may share.
  struct Motion: Hashable {
    var pattern: String?
    var sizes: [String: Int] = [:]
    var scale: Double?
    var add: Double?

    /// The motion of a part of a map.
    init(_ part: WeightsMap.Part) {
      (pattern, sizes) = (part.pattern, part.sizes ?? [:])
      (scale, add) = (part.factor, part.offset)
    }

    /// A motion that changes nothing.
    init() {}

    var isIdentity: Bool { self == Motion() }
  }

  /// The mark of the number in names that a stack counts.
  static let counter = "\u{1}"

  var shape: Shape
  /// The source tensors; of a stack, one name with ``counter`` in it.
  var from: [String]
  /// The resulting tensors; of an unstack, one name with ``counter`` in it.
  var to: [String]
  var motion = Motion()
  /// The lengths of the parts of a join or split.
  var parts: [Int] = []
  /// The number of tensors of a stack.
  var count = 1

  /// True if the rule has no effect.
  var isIdentity: Bool { shape == .one && from == to && motion.isIdentity }

  /// The tensors that the rule takes.
  var taken: [String] {
    shape == .stack
      ? (0..<count).map { from[0].replacing(Self.counter, with: "\($0)") } : from
  }
}

extension FoundRule.Motion {
  /// Returns the motion of a piece without the axis of length 1 that a stack makes of it; `nil` if there is none.
  var unstacked: Self? { without(side: 1) }

  /// Returns the motion of a piece without the axis of length 1 that it has within a stack; `nil` if there is none.
  var ofStacked: Self? { without(side: 0) }

  private func without(side: Int) -> Self? {
    guard let pattern else { return nil }
    var sides = pattern.split(separator: "->").map { side in
      side.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    }
    guard sides.count == 2, sides[side].first == "1" else { return nil }
    sides[side].removeFirst()
    var motion = self
    let isSame = sides[0] == sides[1]
    motion.pattern =
      isSame ? nil : sides.map { $0.joined(separator: " ") }.joined(separator: " -> ")
    if isSame { motion.sizes = [:] }
    return motion
  }
}
