/// Lists of whole numbers, one for each of some others, in two arrays.
struct Adjacency {
  private var starts: [Int]
  private(set) var items: [Int]

  /// The values whose key is a number, in their order, for each number below `count`.
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

  /// The places in `items` of what belongs to `key`.
  func range(_ key: Int) -> Range<Int> { starts[key]..<starts[key + 1] }

  subscript(_ key: Int) -> ArraySlice<Int> { items[range(key)] }

  /// How many belong to `key`.
  func count(_ key: Int) -> Int { starts[key + 1] - starts[key] }

  /// Sorts what belongs to each key by `rank`, where no two are equal.
  mutating func sort(by rank: [Int]) {
    for key in 0..<(starts.count - 1) { sort(key, by: rank) }
  }

  /// Sorts what belongs to `key` by `rank`, where no two are equal.
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
