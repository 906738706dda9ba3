import Documents
import TestSupport
import Testing

@Suite struct TensorStatisticsTests {
  /// The statistics of values that arrive in pieces of `sizes`, then the rest.
  private func statistics(_ values: [Float], pieces sizes: [Int] = []) -> TensorStatistics {
    var accumulator = TensorStatistics.Accumulator()
    var start = 0
    for size in sizes + [values.count] {
      let end = min(values.count, start + size)
      values[start..<end].withUnsafeBufferPointer { accumulator.update($0) }
      start = end
    }
    return accumulator.result
  }

  @Test func `four numbers by hand`() {
    let result = statistics([1, -2, 4, 5])
    #expect(result.min == -2)
    #expect(result.max == 5)
    #expect(result.mean == 2)
    // (1 + 16 + 4 + 9) / 4
    #expect(result.std == 7.5.squareRoot())
    #expect(result.nonFinite == 0)
    #expect(result.firstNonFinite == nil)
  }

  @Test func `one number does not deviate`() {
    let result = statistics([0.1])
    #expect(
      [result.min, result.max, result.mean] == Array(repeating: Double(Float(0.1)), count: 3))
    #expect(result.std == 0)
  }

  @Test func `infinite values are counted and left out`() {
    let result = statistics([1, .infinity, 3, .nan, -.infinity])
    #expect(result.min == 1 && result.max == 3 && result.mean == 2)
    #expect(result.std == 1)
    #expect(result.nonFinite == 3)
    #expect(result.firstNonFinite == 1)
  }

  @Test func `without a finite value there is nothing to say`() {
    for values in [[], [.nan, .infinity]] as [[Float]] {
      let result = statistics(values)
      #expect([result.min, result.max, result.mean, result.std] == [nil, nil, nil, nil])
      #expect(result.nonFinite == values.count)
      #expect(result.firstNonFinite == (values.isEmpty ? nil : 0))
    }
  }

  @Test func `the largest numbers do not overflow`() {
    let largest = Float.greatestFiniteMagnitude
    let result = statistics([largest, -largest])
    #expect(result.mean == 0)
    #expect(result.std == Double(largest))
  }

  @Test func `values past the first block have their own index`() {
    var values = [Float](repeating: 1, count: 140_000)
    values[131_073] = .nan
    values[139_999] = .infinity
    #expect(statistics(values).firstNonFinite == 131_073)
    #expect(statistics(values, pieces: [70_000]).firstNonFinite == 131_073)
    #expect(statistics(values).mean == 1)
  }

  @Test func `sums run over blocks of 65536, each in eight lanes`() {
    // In a lane of its own, 2^53 + 1 + 1 + … loses every 1; the other lanes, and the block behind it, do not.
    var values = [Float](repeating: 1, count: 2 * 65_536)
    values[0] = 0x1p53
    let result = statistics(values)
    let sum: Double = 0x1p53 + 7 * 8_192 + 65_536
    #expect(result.mean == sum / 131_072)
  }

  @Test func `the result does not depend on how the values arrive`() {
    var state: UInt64 = 42
    var values: [Float] = []
    for index in 0..<200_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = Float(Int64(bitPattern: state) >> 24) * 0x1p-20
      values.append(index % 50_001 == 50_000 ? .infinity : value)
    }
    let whole = statistics(values)
    for sizes in [
      [1], [65_535], [65_536], [65_537], [100_000], [0, 3, 0], [131_072, 1],
      Array(repeating: 1000, count: 200), Array(repeating: 33_333, count: 6),
    ] {
      #expect(statistics(values, pieces: sizes) == whole, "\(sizes.prefix(3))")
    }
  }

  @Test func `a zero has no sign`() throws {
    for values in [[0.0, -0.0], [-0.0, 0.0], Array(repeating: -0.0, count: 24)] as [[Float]] {
      for sizes in [[], [1]] {
        let result = statistics(values, pieces: sizes)
        #expect(result.min?.sign == .plus)
        #expect(result.max?.sign == .plus)
      }
    }
  }

  @Test func `a value that is not finite is found in every lane`() {
    for index in 0..<40 {
      var values = (0..<40).map { Float($0) }
      values[index] = index % 2 == 0 ? .nan : -.infinity
      let result = statistics(values)
      #expect(result.nonFinite == 1 && result.firstNonFinite == index)
      #expect(result.min == (index == 0 ? 1 : 0) && result.max == (index == 39 ? 38 : 39))
      #expect(abs((result.mean ?? 0) - Double(780 - index) / 39) < 1e-12)
    }
  }

  @Test func `the first that is not finite is told as an index of the source`() {
    var accumulator = TensorStatistics.Accumulator(sourceIndex: { 9 - $0 })
    var values = [Float](repeating: 1, count: 10)
    values[2] = .nan
    values[5] = .infinity
    values.withUnsafeBufferPointer { accumulator.update($0) }
    #expect(accumulator.result.firstNonFinite == 4)
  }
}
