import ModelIR

/// Every order of some elements.
func permutations<Element>(of elements: [Element]) -> [[Element]] {
  guard let first = elements.first else { return [[]] }
  return permutations(of: Array(elements.dropFirst())).flatMap { rest in
    (0...rest.count).map { rest[..<$0] + [first] + rest[$0...] }
  }
}

/// The source index of each value of the target, computed by named indices: no strides, no merging.
///
/// - Parameters:
///   - source: a layout as text; only its letters count, since groups do not affect the order.
///   - target: a layout as text.
///   - sizes: the sizes by letter; 1 where absent.
///   - reversed: letters whose index counts from the end.
func origins(
  _ source: String, _ target: String, _ sizes: [Character: Int], reversed: Set<Character> = []
) -> [Int] {
  let axes = Array(target.filter(\.isLetter))
  let sourceAxes = Array(source.filter(\.isLetter))
  var origins: [Int] = []
  var index: [Character: Int] = [:]
  func walk(_ depth: Int) {
    if depth == axes.count {
      origins.append(sourceAxes.reduce(0) { $0 * (sizes[$1] ?? 1) + (index[$1] ?? 0) })
      return
    }
    let size = sizes[axes[depth]] ?? 1
    for value in 0..<size {
      index[axes[depth]] = reversed.contains(axes[depth]) ? size - 1 - value : value
      walk(depth + 1)
    }
  }
  walk(0)
  return origins
}

/// Sizes by axis from sizes by letter.
func axisSizes(_ sizes: [Character: Int]) -> [Axis: Int] {
  var result: [Axis: Int] = [:]
  for (letter, size) in sizes {
    if let axis = Axis(letter) { result[axis] = size }
  }
  return result
}

extension StridedCopy {
  /// The values that the copy makes of `values`.
  func applied(to values: [Float]) -> [Float] {
    [Float](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      values.withUnsafeBufferPointer { source in
        if let from = source.baseAddress, let to = buffer.baseAddress { run(from, to) }
      }
      initializedCount = count
    }
  }
}

extension StridedMove {
  /// Moves values into others.
  func apply(to values: [Float], into places: inout [Float]) {
    values.withUnsafeBufferPointer { source in
      places.withUnsafeMutableBufferPointer { destination in
        if let from = source.baseAddress, let to = destination.baseAddress { run(from, to) }
      }
    }
  }

  /// Returns the rearranged values in an array of their own.
  func applied(to values: [Float]) -> [Float] {
    var places = [Float](repeating: .nan, count: count)
    apply(to: values, into: &places)
    return places
  }
}

/// The values 0, 1, 2, ….
func ramp(_ count: Int) -> [Float] { (0..<count).map { Float($0) } }
