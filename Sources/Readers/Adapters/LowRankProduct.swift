import ModelIR

/// The product of the two factors of an adapter, as a matrix of the shape of the base weight.
struct LowRankProduct: Sendable {
  /// The second factor, `[outputs, rank]`: `lora_B`.
  let outputFactor: any TensorSource
  /// The first factor, `[rank, inputs]`: `lora_A`.
  let inputFactor: any TensorSource
  let rank: Int
  /// The factor of the whole product.
  let scale: Float
  /// The number of rows of the base weight.
  let rows: Int
  /// The number of columns of the base weight; a convolution's channels and window are one axis.
  let columns: Int
  /// True if the rows of the base weight are inputs.
  let isTransposed: Bool

  /// The number of values of a factor that are in memory at once.
  private static let blockCount = 1 << 15

  /// Adds the product to `values`, which have the indices `range` in the base weight.
  ///
  /// Each sum is computed in float64 and rounded to float32, before it is scaled and added in float32.
  func add(
    to values: UnsafeMutableBufferPointer<Float>, _ range: Range<Int>
  ) throws(NetconvError) {
    guard let last = range.last else { return }
    let used = range.lowerBound / columns...last / columns
    let left = try rowFactors(used)
    let whole =
      used.count == 1
      ? range.lowerBound % columns..<last % columns + 1 : 0..<columns
    let width = max(1, Self.blockCount / rank)
    for start in stride(from: whole.lowerBound, to: whole.upperBound, by: width) {
      let block = start..<min(start + width, whole.upperBound)
      let right = try columnFactors(block)
      for row in used {
        let columnsOfRow =
          max(0, range.lowerBound - row * columns)..<min(columns, range.upperBound - row * columns)
        let part = block.clamped(to: columnsOfRow)
        guard !part.isEmpty else { continue }
        let place = row * columns + part.lowerBound - range.lowerBound
        let first = (row - used.lowerBound) * rank
        let offset = (part.lowerBound - block.lowerBound) * MemoryLayout<Double>.size
        left.withUnsafeBufferPointer { left in
          right.withUnsafeBytes { right in
            add(
              to: UnsafeMutableRawBufferPointer(
                UnsafeMutableBufferPointer(rebasing: values[place..<place + part.count])),
              UnsafeBufferPointer(rebasing: left[first..<first + rank]),
              UnsafeRawBufferPointer(rebasing: right[offset...]), stride: block.count)
          }
        }
      }
    }
  }

  /// Adds a part of a row.
  ///
  /// - Parameters:
  ///   - left: The factors of the row.
  ///   - right: The factors of the first column of the part, and of those after it.
  ///   - stride: The distance between factors of one column.
  private func add(
    to values: UnsafeMutableRawBufferPointer, _ left: UnsafeBufferPointer<Float>,
    _ right: UnsafeRawBufferPointer, stride: Int
  ) {
    let count = values.count / MemoryLayout<Float>.size
    var place = 0
    while place + Sums.scalarCount <= count {
      var sums = Sums(repeating: 0)
      for index in 0..<rank {
        let offset = (index * stride + place) * MemoryLayout<Double>.size
        sums += Double(left[index]) * right.loadUnaligned(fromByteOffset: offset, as: Sums.self)
      }
      let offset = place * MemoryLayout<Float>.size
      let old = values.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      values.storeBytes(
        of: old + SIMD8<Float>(sums) * scale, toByteOffset: offset, as: SIMD8<Float>.self)
      place += Sums.scalarCount
    }
    for place in place..<count {
      var sum = 0.0
      for index in 0..<rank {
        let offset = (index * stride + place) * MemoryLayout<Double>.size
        sum +=
          Double(left[index]) * right.loadUnaligned(fromByteOffset: offset, as: Double.self)
      }
      let offset = place * MemoryLayout<Float>.size
      let old = values.loadUnaligned(fromByteOffset: offset, as: Float.self)
      values.storeBytes(of: old + Float(sum) * scale, toByteOffset: offset, as: Float.self)
    }
  }

  private typealias Sums = SIMD8<Double>

  /// The factors of some rows, row by row.
  private func rowFactors(_ used: ClosedRange<Int>) throws(NetconvError) -> [Float] {
    guard isTransposed else {
      return try outputFactor.floats(used.lowerBound * rank..<(used.upperBound + 1) * rank)
    }
    try MemoryBound.check(file: used.count * rank * 4)
    var factors = [Float](repeating: 0, count: used.count * rank)
    for index in 0..<rank {
      let start = index * rows
      let found = try inputFactor.floats(start + used.lowerBound..<start + used.upperBound + 1)
      for (place, value) in found.enumerated() { factors[place * rank + index] = value }
    }
    return factors
  }

  /// The factors of some columns: those of the first index of the rank, then of the next.
  private func columnFactors(_ block: Range<Int>) throws(NetconvError) -> [Double] {
    var factors = [Double](repeating: 0, count: block.count * rank)
    if isTransposed {
      let found = try outputFactor.floats(block.lowerBound * rank..<block.upperBound * rank)
      for (place, value) in found.enumerated() {
        factors[place % rank * block.count + place / rank] = Double(value)
      }
      return factors
    }
    for index in 0..<rank {
      let start = index * columns
      let found = try inputFactor.floats(start + block.lowerBound..<start + block.upperBound)
      for (place, value) in found.enumerated() {
        factors[index * block.count + place] = Double(value)
      }
    }
    return factors
  }
}
