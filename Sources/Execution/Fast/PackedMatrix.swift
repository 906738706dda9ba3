import Dispatch

/// The right side of a matrix product in the order in which the kernel reads it.
struct PackedMatrix: Sendable {
  /// Rows, over which is summed.
  let depth: Int
  /// Results.
  let columns: Int
  /// Columns that the kernel does at once, each panel after the other, filled up with zeros.
  let panels: AlignedBuffer<Float>
  /// One value per column of all panels.
  let bias: AlignedBuffer<Float>

  /// The number of panels.
  let panelCount: Int

  /// Packs `columns` of a matrix of `depth` rows that are `values.count / depth` long.
  init(
    _ values: [Float], depth: Int, columns: Range<Int>, bias: [Float]?, panelWidth width: Int
  ) {
    let rowLength = values.count / depth
    self.depth = depth
    self.columns = columns.count
    panelCount = (columns.count + width - 1) / width
    panels = AlignedBuffer(uninitializedCount: panelCount * depth * width)
    self.bias = AlignedBuffer(
      bias.map { Array($0[columns]) } ?? [], count: panelCount * width, filler: 0)
    let packed = self
    let shares = panels.count > Self.smallestShared ? panelCount : 1
    values.withUnsafeBufferPointer { values in
      let source = Shared(values.baseAddress.map { $0 + columns.lowerBound })
      DispatchQueue.concurrentPerform(iterations: shares) { share in
        guard let source = source.value else { return }
        let count = packed.panelCount
        for panel in count * share / shares..<count * (share + 1) / shares {
          packed.pack(panel, of: source, rowLength: rowLength, width: width)
        }
      }
    }
  }

  /// Matrices of fewer values are sooner packed by one thread.
  private static let smallestShared = 1 << 18

  private func pack(
    _ panel: Int, of source: UnsafePointer<Float>, rowLength: Int, width: Int
  ) {
    let first = panel * width
    let filled = min(width, columns - first)
    for row in 0..<depth {
      let target = panels.base + (panel * depth + row) * width
      target.update(from: source + row * rowLength + first, count: filled)
      (target + filled).update(repeating: 0, count: width - filled)
    }
  }

  /// Bytes of weights.
  var byteCount: Int { panels.count * MemoryLayout<Float>.size }
}
