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
    for panel in 0..<panelCount {
      let first = columns.lowerBound + panel * width
      let filled = min(width, columns.upperBound - first)
      values.withUnsafeBufferPointer { values in
        for row in 0..<depth {
          let target = panels.base + (panel * depth + row) * width
          for column in 0..<filled { target[column] = values[row * rowLength + first + column] }
          for column in filled..<width { target[column] = 0 }
        }
      }
    }
  }

  /// Bytes of weights.
  var byteCount: Int { panels.count * MemoryLayout<Float>.size }
}
