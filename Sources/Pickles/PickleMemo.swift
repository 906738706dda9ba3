/// The memo of a pickle: values for reuse, by index.
///
/// Picklers number values from 0, so that nearly all indices are contiguous.
struct PickleMemo {
  private var first: [PickleValue] = []
  /// The values whose indices are not contiguous.
  private var others: [Int: PickleValue] = [:]

  /// The number of values.
  var count: Int { first.count + others.count }

  /// Reserves memory for the first `count` values.
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
