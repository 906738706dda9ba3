/// What a pickle keeps to use again, by number.
///
/// Picklers count from 0, so that nearly all values lie side by side.
struct PickleMemo {
  private var first: [PickleValue] = []
  /// Those whose numbers leave a gap.
  private var others: [Int: PickleValue] = [:]

  /// The number of values.
  var count: Int { first.count + others.count }

  /// Makes room for the first `count` values.
  mutating func reserveCapacity(_ count: Int) { first.reserveCapacity(count) }

  subscript(index: Int) -> PickleValue? {
    first.indices.contains(index) ? first[index] : others[index]
  }

  mutating func keep(_ value: PickleValue, at index: Int) {
    if first.indices.contains(index) {
      first[index] = value
    } else if index == first.count, others[index] == nil {
      first.append(value)
    } else {
      others[index] = value
    }
  }
}
