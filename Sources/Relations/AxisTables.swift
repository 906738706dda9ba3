import ModelIR

/// The positions of an array's values in another array, as a table per axis.
///
/// The value at the index (i, j, …) is at `origin + tables[0][i] + tables[1][j] + …`.
struct AxisTables {
  /// The offset of the first value.
  let origin: Int
  /// For each axis, the offset of each index relative to the first.
  let tables: [[Int]]

  /// An axis that moved as a unit, with its size and its stride in the other array.
  struct Digit: Equatable {
    let size: Int
    let stride: Int
    /// The permutation of the axis, if its indices are not consecutive.
    var order: [Int]?

    /// Splits the axis at these strides, so that no part crosses one.
    func split(at strides: [Int]) -> [Digit] {
      let step = abs(stride)
      guard order == nil,
        let cut = strides.first(where: {
          $0 > step && $0 < step * size && $0.isMultiple(of: step)
            && (step * size).isMultiple(of: $0)
        })
      else { return [self] }
      let outer = Digit(size: step * size / cut, stride: stride.signum() * cut)
      let inner = Digit(size: cut / step, stride: stride)
      return outer.split(at: strides) + inner.split(at: strides)
    }
  }

  /// The axes that moved as a unit within each axis, slowest first; `nil` if a table is irregular.
  var digits: [[Digit]]? {
    var all: [[Digit]] = []
    for table in tables {
      guard let digits = Self.digits(of: table) ?? Self.shuffled(table) else { return nil }
      all.append(digits)
    }
    return all
  }

  /// A table as nested loops.
  private static func digits(of table: [Int]) -> [Digit]? {
    guard table.count > 1 else { return [] }
    let stride = table[1]
    guard stride != 0 else { return nil }
    var size = 2
    while size < table.count, table[size] == size * stride { size += 1 }
    guard table.count.isMultiple(of: size) else { return nil }
    let outer = Swift.stride(from: 0, to: table.count, by: size).map { table[$0] }
    for index in table.indices
    where table[index] != outer[index / size] + index % size * stride {
      return nil
    }
    guard let rest = digits(of: outer) else { return nil }
    return rest + [Digit(size: size, stride: stride)]
  }

  /// A table as permuted blocks, such as gates or single indices.
  private static func shuffled(_ table: [Int]) -> [Digit]? {
    for size in stride(from: table.count / 2, through: 1, by: -1)
    where table.count.isMultiple(of: size) {
      let starts = stride(from: 0, to: table.count, by: size).map { table[$0] }
      let first = table[..<size].map { $0 - table[0] }
      guard let inner = digits(of: Array(first)),
        table.indices.allSatisfy({ table[$0] == starts[$0 / size] + first[$0 % size] })
      else { continue }
      let lowest = starts.min() ?? 0
      let sorted = starts.sorted()
      let stride = sorted.count > 1 ? sorted[1] - sorted[0] : 1
      guard stride > 0,
        sorted.enumerated().allSatisfy({ $1 == lowest + $0 * stride })
      else { continue }
      let order = starts.map { ($0 - lowest) / stride }
      return [Digit(size: starts.count, stride: stride, order: order)] + inner
    }
    return nil
  }

  /// The rearrangement described by the tables, if they use every value of an array with the shape
  /// `shape` once and produce the shape `target`.
  ///
  /// - Returns: The rearrangement of whole axes, and the permutations within axes.
  func rearrangement(of shape: [Int], to target: [Int]) -> (Rearrangement, orders: [Axis: [Int]])? {
    guard let digits = digits?.map({ $0.flatMap { $0.split(at: rowMajorStrides(of: shape)) } })
    else { return nil }
    let all = digits.joined().sorted { abs($0.stride) > abs($1.stride) }
    guard all.count <= Axis.places.count else { return nil }
    var stride = shape.reduce(1, *)
    for digit in all {
      guard stride == digit.size * abs(digit.stride) else { return nil }
      stride = abs(digit.stride)
    }
    guard stride == 1 else { return nil }
    let axes = Dictionary(
      zip(all.map { abs($0.stride) }, Axis.places), uniquingKeysWith: { first, _ in first })
    func axis(_ digit: Digit) -> Axis { axes[abs(digit.stride)] ?? Axis.places[0] }
    var sizes: [Axis: Int] = [:]
    var orders: [Axis: [Int]] = [:]
    for digit in all {
      sizes[axis(digit)] = digit.size
      orders[axis(digit)] = digit.order
    }
    var made = digits[...]
    let targets = target.map { $0 == 1 ? [] : made.popFirst() ?? [] }
    guard let groups = Self.groups(all, of: shape),
      let from = Self.layout(groups.map { $0.map(axis) }),
      let to = Self.layout(targets.map { $0.map(axis) }),
      let rearrangement = try? Rearrangement(
        from: from, to: to, sizes: sizes,
        reversing: Set(all.filter { $0.stride < 0 }.map(axis)))
    else { return nil }
    return (rearrangement, orders)
  }

  private static func layout(_ groups: [[Axis]]) -> Layout? {
    groups.isEmpty ? .scalar : try? Layout(groups.map { Layout.Dimension($0) })
  }

  /// The digits of each axis of `shape`; `nil` if a digit would span two axes.
  private static func groups(_ digits: [Digit], of shape: [Int]) -> [[Digit]]? {
    var rest = digits[...]
    var groups: [[Digit]] = []
    for size in shape {
      var group: [Digit] = []
      var product = 1
      while product < size, let digit = rest.popFirst() {
        group.append(digit)
        product *= digit.size
      }
      guard product == size else { return nil }
      groups.append(group)
    }
    return groups
  }
}
