internal import CKernels
import ModelIR
import Operators

/// Attention over inputs of known shapes.
struct AttentionStep: KernelStep {
  /// A mask and the distances between its values.
  struct Mask: Sendable {
    let kind: AttentionMask
    /// The index of the input.
    let input: Int
    /// The distances between the values of neighbouring heads, queries and keys; 0 where they are repeated.
    let strides: (head: Int, query: Int, key: Int)
    /// The number of values for each image.
    let count: Int

    init(kind: AttentionMask, input: Int, shape: [Int]) {
      self.kind = kind
      self.input = input
      count = shape.reduce(1, *)
      switch kind {
      case .keys: strides = (0, 0, 1)
      case .queries, .results: strides = (0, 1, 0)
      case .pairs, .bias:
        let sizes = shape.count == 3 ? shape : [1] + shape
        strides = (
          sizes[0] == 1 ? 0 : sizes[1] * sizes[2], sizes[1] == 1 ? 0 : sizes[2],
          sizes[2] == 1 ? 0 : 1
        )
      }
    }
  }

  /// The number of queries that are processed together.
  static let queriesAtOnce = 64

  let operation: Attention
  let sizes: AttentionSizes
  let level: CPULevel
  /// The factor of the scores.
  let factor: Float
  let masks: [Mask]
  private let keyOffsets: AlignedBuffer<Int>
  private let widthOffsets: AlignedBuffer<Int>
  private let zeros: AlignedBuffer<Float>

  init(
    operation: Attention, sizes: AttentionSizes, level: CPULevel, factor: Float, masks: [Mask]
  ) {
    self.operation = operation
    self.sizes = sizes
    self.level = level
    self.factor = factor
    self.masks = masks
    let keysAtOnce = Self.keysAtOnce(level)
    keyOffsets = AlignedBuffer(Array(0..<keysAtOnce), filler: 0)
    widthOffsets = AlignedBuffer(Array(0..<sizes.width), filler: 0)
    zeros = AlignedBuffer(
      [], count: max(keysAtOnce, sizes.valueWidth + level.tileColumns), filler: 0)
  }

  /// The number of keys that are processed together: whole panels of the matrix product.
  private static func keysAtOnce(_ level: CPULevel) -> Int {
    (256 + level.tileColumns - 1) / level.tileColumns * level.tileColumns
  }

  private var keysAtOnce: Int { Self.keysAtOnce(level) }

  /// Returns `count`, filled up to whole panels.
  private func padded(_ count: Int) -> Int {
    (count + level.tileColumns - 1) / level.tileColumns * level.tileColumns
  }

  private var packedKeyCount: Int { padded(sizes.keys) * sizes.width }
  private var packedValueCount: Int { sizes.keys * padded(sizes.valueWidth) }

  var scratchCount: Int {
    packedKeyCount + packedValueCount
      + Self.queriesAtOnce * (keysAtOnce + sizes.valueWidth + 2)
  }

  func run(_ operands: Operands) {
    let blocks = (sizes.queries + Self.queriesAtOnce - 1) / Self.queriesAtOnce
    let work = Self.queriesAtOnce * sizes.keys * (sizes.width + sizes.valueWidth)
    operands.team.share(
      operands.images * sizes.heads * blocks, smallest: 1 + elementwiseShare / max(1, work)
    ) { share, thread in
      let memory = Scratch(self, operands.scratches[thread])
      var packed = -1
      for index in share {
        let (place, block) = index.quotientAndRemainder(dividingBy: blocks)
        let (image, head) = place.quotientAndRemainder(dividingBy: sizes.heads)
        let source = image * sizes.keyHeads + sizes.keyHead(of: head)
        if source != packed { pack(image, sizes.keyHead(of: head), operands, memory) }
        packed = source
        let first = block * Self.queriesAtOnce
        attend(
          first..<min(sizes.queries, first + Self.queriesAtOnce), image, head, operands, memory)
      }
    }
  }

  /// The scratch memory of a thread.
  private struct Scratch {
    let keys: UnsafeMutablePointer<Float>
    let values: UnsafeMutablePointer<Float>
    let scores: UnsafeMutablePointer<Float>
    let means: UnsafeMutablePointer<Float>
    let largest: UnsafeMutablePointer<Float>
    let sums: UnsafeMutablePointer<Float>

    init(_ step: AttentionStep, _ scratch: UnsafeMutablePointer<Float>) {
      keys = scratch
      values = keys + step.packedKeyCount
      scores = values + step.packedValueCount
      means = scores + queriesAtOnce * step.keysAtOnce
      largest = means + queriesAtOnce * step.sizes.valueWidth
      sums = largest + queriesAtOnce
    }
  }
}

// MARK: - Packing

extension AttentionStep {
  /// Packs the keys of a head, times the factor of scores, and its values, as the matrix product reads them.
  private func pack(_ image: Int, _ head: Int, _ operands: Operands, _ memory: Scratch) {
    let (tile, width) = (level.tileColumns, sizes.width)
    let keyStride = sizes.keyHeads * width
    let keys = operands.inputs[1] + image * sizes.keys * keyStride + head * width
    let scale = operation.softCap.map { factor / Float($0) } ?? factor
    for key in 0..<padded(sizes.keys) {
      let target = memory.keys + key / tile * tile * width + key % tile
      let source = keys + key * keyStride
      for axis in 0..<width { target[axis * tile] = key < sizes.keys ? scale * source[axis] : 0 }
    }
    let valueStride = sizes.keyHeads * sizes.valueWidth
    let values =
      operands.inputs[2] + image * sizes.keys * valueStride + head * sizes.valueWidth
    for first in stride(from: 0, to: sizes.keys, by: keysAtOnce) {
      let count = min(keysAtOnce, sizes.keys - first)
      let block = memory.values + first * padded(sizes.valueWidth)
      for panel in stride(from: 0, to: sizes.valueWidth, by: tile) {
        let filled = min(tile, sizes.valueWidth - panel)
        for key in 0..<count {
          let target = block + panel * count + key * tile
          target.update(from: values + (first + key) * valueStride + panel, count: filled)
          (target + filled).update(repeating: 0, count: tile - filled)
        }
      }
    }
  }
}

// MARK: - Blocks

extension AttentionStep {
  /// Computes the means of some queries of a head.
  private func attend(
    _ queries: Range<Int>, _ image: Int, _ head: Int, _ operands: Operands, _ memory: Scratch
  ) {
    let count = queries.count
    memory.means.update(repeating: 0, count: count * sizes.valueWidth)
    memory.largest.update(repeating: -.infinity, count: count)
    memory.sums.update(repeating: 0, count: count)
    let first = operation.reach(of: queries.lowerBound, keys: sizes.keys).lowerBound
    let end = operation.reach(of: queries.upperBound - 1, keys: sizes.keys).upperBound
    for start in stride(from: first / keysAtOnce * keysAtOnce, to: end, by: keysAtOnce) {
      let keys = start..<min(sizes.keys, start + keysAtOnce)
      score(queries, keys, image, head, operands, memory)
      for row in 0..<count {
        mask(row, queries.lowerBound + row, keys, image, head, operands, memory)
        let change = level.softmaxPart(
          memory.scores + row * keysAtOnce, count: keys.count, largest: memory.largest + row,
          sum: memory.sums + row)
        guard change != 1 else { continue }
        let means = memory.means + row * sizes.valueWidth
        for index in 0..<sizes.valueWidth { means[index] *= change }
      }
      multiply(
        memory.scores, rowStride: keysAtOnce, keyOffsets, depth: keys.count,
        memory.values + keys.lowerBound * padded(sizes.valueWidth), adding: memory.means,
        to: memory.means, rows: count, columns: sizes.valueWidth, stride: sizes.valueWidth)
    }
    for row in 0..<count { finish(row, queries.lowerBound + row, image, head, operands, memory) }
  }

  private func score(
    _ queries: Range<Int>, _ keys: Range<Int>, _ image: Int, _ head: Int, _ operands: Operands,
    _ memory: Scratch
  ) {
    let stride = sizes.heads * sizes.width
    multiply(
      operands.inputs[0] + (image * sizes.queries + queries.lowerBound) * stride
        + head * sizes.width, rowStride: stride, widthOffsets, depth: sizes.width,
      memory.keys + keys.lowerBound * sizes.width, adding: nil, to: memory.scores,
      rows: queries.count, columns: keys.count, stride: keysAtOnce)
  }

  /// Computes a product of rows and packed columns.
  private func multiply(
    _ a: UnsafePointer<Float>, rowStride: Int, _ offsets: AlignedBuffer<Int>, depth: Int,
    _ b: UnsafePointer<Float>, adding addend: UnsafePointer<Float>?,
    to c: UnsafeMutablePointer<Float>, rows: Int, columns: Int, stride: Int
  ) {
    let job = netconv_gemm(
      a: a, row_pixels: rows, image_pixels: rows, pixel_stride: rowStride, row_stride: 0,
      image_stride: 0, offsets: offsets.base, depth: depth, b: b, bias: zeros.base,
      addend: addend, c: c, c_stride: stride, columns: columns, lowest: -.infinity,
      highest: .infinity)
    level.multiply(job, rows: 0..<rows, panels: 0..<padded(columns) / level.tileColumns)
  }

  /// Bounds a row of scores, adds its biases, and sets what is masked to -∞.
  private func mask(
    _ row: Int, _ query: Int, _ keys: Range<Int>, _ image: Int, _ head: Int,
    _ operands: Operands, _ memory: Scratch
  ) {
    let scores = memory.scores + row * keysAtOnce
    if let cap = operation.softCap {
      level.activate(
        netconv_activation(function: NETCONV_TANH, a: 0, b: 0, c: 0), scores, scores,
        count: keys.count)
      for key in 0..<keys.count { scores[key] *= Float(cap) }
    }
    for mask in masks where mask.kind != .results {
      let (stride, values) = (
        mask.strides.key,
        operands.inputs[mask.input] + image * mask.count + head * mask.strides.head
          + query * mask.strides.query + keys.lowerBound * mask.strides.key
      )
      if mask.kind == .bias {
        for key in 0..<keys.count { scores[key] += values[key * stride] }
      } else {
        for key in 0..<keys.count where values[key * stride] == 0 { scores[key] = -.infinity }
      }
    }
    let reach = operation.reach(of: query, keys: sizes.keys).clamped(to: keys)
    guard reach.count < keys.count else { return }
    let reached = (reach.lowerBound - keys.lowerBound)..<(reach.upperBound - keys.lowerBound)
    for key in 0..<keys.count where !reached.contains(key) { scores[key] = -.infinity }
  }

  /// Divides the means of a query by the sum of their weights, and stores them.
  private func finish(
    _ row: Int, _ query: Int, _ image: Int, _ head: Int, _ operands: Operands, _ memory: Scratch
  ) {
    let width = sizes.valueWidth
    let output =
      operands.output + ((image * sizes.queries + query) * sizes.heads + head) * width
    let isCleared = masks.contains { mask in
      mask.kind == .results && operands.inputs[mask.input][image * mask.count + query] == 0
    }
    let isEmpty = memory.largest[row] == -.infinity
    guard !isCleared, !(isEmpty && operation.zerosEmpty) else {
      return output.update(repeating: 0, count: width)
    }
    let means = memory.means + row * width
    guard isEmpty else {
      for index in 0..<width { output[index] = means[index] / memory.sums[row] }
      return
    }
    // Nothing is attended to, so all values count alike.
    let stride = sizes.keyHeads * width
    let values =
      operands.inputs[2] + image * sizes.keys * stride + sizes.keyHead(of: head) * width
    for index in 0..<width {
      var sum = 0.0
      for key in 0..<sizes.keys { sum += Double(values[key * stride + index]) }
      output[index] = Float(sum / Double(sizes.keys))
    }
  }
}
