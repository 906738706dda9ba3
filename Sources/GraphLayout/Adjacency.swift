/// Lists of integers, one for each key, stored in two arrays.
struct Adjacency {
  private var starts: [Int]
  private(set) var items: [Int]

  /// Groups the values by their keys, in order; keys are below `count`.
  init(count: Int, keys: [Int], values: [Int]) {
    starts = [Int](repeating: 0, count: count + 1)
    for key in keys { starts[key + 1] += 1 }
    for index in 0..<count { starts[index + 1] += starts[index] }
    var next = starts
    items = [Int](repeating: 0, count: keys.count)
    for (key, value) in zip(keys, values) {
      items[next[key]] = value
      next[key] += 1
    }
  }

  /// The range in `items` of a key's values.
  func range(_ key: Int) -> Range<Int> { starts[key]..<starts[key + 1] }

  subscript(_ key: Int) -> ArraySlice<Int> { items[range(key)] }

  /// The number of values of a key.
  func count(_ key: Int) -> Int { starts[key + 1] - starts[key] }

  /// Sorts the values of each key by `rank`, whose elements are distinct.
  mutating func sort(by rank: [Int]) {
    for key in 0..<(starts.count - 1) { sort(key, by: rank) }
  }

  /// Sorts the values of a key by `rank`, whose elements are distinct.
  mutating func sort(_ key: Int, by rank: [Int]) {
    switch count(key) {
    case 0, 1: break
    case 2:
      let first = starts[key]
      if rank[items[first]] > rank[items[first + 1]] { items.swapAt(first, first + 1) }
    default: items[range(key)].sort { rank[$0] < rank[$1] }
    }
  }
}
