import Dispatch

/// The right operand of a matrix product, packed in the order in which the kernel reads it.
struct PackedMatrix: Sendable {
  /// The number of rows, which are summed over.
  let depth: Int
  /// The number of columns.
  let columns: Int
  /// Panels of columns that the kernel processes together, one after another, padded with zeros.
  let panels: AlignedBuffer<Float>
  /// One value per column of all panels.
  let bias: AlignedBuffer<Float>

  /// The number of panels.
  let panelCount: Int

  /// Packs `columns` of a matrix of `depth` rows of length `values.count / depth`.
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

  /// The number of values below which one thread packs faster than several.
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

  /// The size of the weights in bytes.
  var byteCount: Int { panels.count * MemoryLayout<Float>.size }
}
