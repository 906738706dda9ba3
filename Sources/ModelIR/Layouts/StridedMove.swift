/// A copy in which both the source and the destination are strided.
///
/// It applies a ``StridedCopy`` to a part of a tensor: neither source nor destination need be dense, and ``reversed``
/// is the inverse copy.
public struct StridedMove: Sendable, Equatable {
  /// One loop of the copy.
  public struct Loop: Sendable, Equatable {
    /// The number of steps.
    public var size: Int
    /// The distance between steps in the source, in values.
    public var from: Int
    /// The distance between steps in the destination, in values.
    public var to: Int

    /// Creates a loop of `size` steps.
    public init(size: Int, from: Int, to: Int) {
      self.size = size
      self.from = from
      self.to = to
    }
  }

  /// The offsets at which the loops start.
  public struct Start: Sendable, Equatable {
    /// The offset in the source.
    public var from: Int
    /// The offset in the destination.
    public var to: Int

    /// Creates a pair of offsets.
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  private let loops: [Loop]
  private let starts: [Start]

  /// Creates a copy over `loops`, with adjacent loops merged where possible.
  ///
  /// - Parameters:
  ///   - loops: the loops, outermost first.
  ///   - starts: the offsets at which the loops start, once for each: several where steps have no constant stride.
  public init(_ loops: [Loop], starts: [Start] = [Start(from: 0, to: 0)]) {
    var merged: [Loop] = []
    for loop in loops where loop.size != 1 {
      if let last = merged.last, last.from == loop.from * loop.size,
        last.to == loop.to * loop.size
      {
        merged[merged.count - 1] = Loop(
          size: last.size * loop.size, from: loop.from, to: loop.to)
      } else {
        merged.append(loop)
      }
    }
    self.loops = merged
    self.starts = starts
  }

  /// The number of values copied.
  public var count: Int { loops.reduce(starts.count) { $0 * $1.size } }

  /// The inverse copy.
  public var reversed: StridedMove {
    StridedMove(
      loops.map { Loop(size: $0.size, from: $0.to, to: $0.from) },
      starts: starts.map { Start(from: $0.to, to: $0.from) })
  }

  /// The same copy for values of twice the width: each moves a pair of float32 values.
  package var ofPairs: StridedMove {
    StridedMove(
      loops.map { Loop(size: $0.size, from: 2 * $0.from, to: 2 * $0.to) }
        + [Loop(size: 2, from: 1, to: 1)],
      starts: starts.map { Start(from: 2 * $0.from, to: 2 * $0.to) })
  }
}

// MARK: - Running it

extension StridedMove {
  /// Copies ``count`` values.
  ///
  /// The two innermost loops are copied as rows, or transposed; the others are iterated.
  /// - Precondition: `source` and `destination` cover every index that the loops reach.
  public func run(_ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<Float>) {
    guard count > 0 else { return }
    for start in starts { walk(source + start.from, destination + start.to) }
  }

  /// Copies all elements of the loops from one pair of start offsets.
  private func walk(_ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<Float>) {
    var loops = loops
    var from = source
    var to = destination
    // Consecutive values are traversed in ascending order, in both the source and the destination.
    func walkUpwards(_ index: Int, _ stride: WritableKeyPath<Loop, Int>) {
      guard loops[index][keyPath: stride] < 0 else { return }
      from += loops[index].from * (loops[index].size - 1)
      to += loops[index].to * (loops[index].size - 1)
      loops[index].from.negate()
      loops[index].to.negate()
    }
    guard let column = loops.indices.min(by: { abs(loops[$0].from) < abs(loops[$1].from) }),
      let row = loops.indices.min(by: { abs(loops[$0].to) < abs(loops[$1].to) })
    else {
      to.pointee = from.pointee
      return
    }
    walkUpwards(column, \.from)
    if row == column {
      Self.forEachPlace(of: loops, except: [row]) {
        Self.copyRow(from + $0, to + $1, loops[row])
      }
    } else {
      walkUpwards(row, \.to)
      let block = TransposedBlock(column: loops[column], row: loops[row])
      Self.forEachPlace(of: loops, except: [row, column]) { block.run(from + $0, to + $1) }
    }
  }

  /// Calls `body` with the source and destination offset of every iteration of the other loops.
  private static func forEachPlace(
    of all: [Loop], except excepted: Set<Int>, _ body: (Int, Int) -> Void
  ) {
    let loops = all.indices.filter { !excepted.contains($0) }.map { all[$0] }
    var position = loops.map { _ in 0 }
    var from = 0
    var to = 0
    while true {
      body(from, to)
      var level = loops.count - 1
      while level >= 0 {
        let loop = loops[level]
        position[level] += 1
        from += loop.from
        to += loop.to
        if position[level] < loop.size { break }
        from -= loop.from * loop.size
        to -= loop.to * loop.size
        position[level] = 0
        level -= 1
      }
      if level < 0 { return }
    }
  }

  private static func copyRow(
    _ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<Float>, _ row: Loop
  ) {
    if row.from == 1, row.to == 1 {
      destination.update(from: source, count: row.size)
    } else {
      for index in 0..<row.size { destination[index * row.to] = source[index * row.from] }
    }
  }
}

extension [StridedMove.Start] {
  /// Returns every start offset by each of `steps`.
  func stepped(_ steps: [StridedMove.Start]) -> [StridedMove.Start] {
    flatMap { start in
      steps.map { StridedMove.Start(from: start.from + $0.from, to: start.to + $0.to) }
    }
  }
}
