/// The largest magnitude of each channel, as bit patterns: infinities and NaNs are larger than all others.
package struct ChannelMaxima: Sendable {
  private let channels: ChannelMap
  private var patterns: [Int32]

  /// Creates empty maxima.
  package init(_ channels: ChannelMap) {
    self.channels = channels
    patterns = Array(repeating: 0, count: channels.count)
  }

  /// Merges the maxima of another part of the tensor.
  package mutating func add(_ other: ChannelMaxima) {
    for index in patterns.indices { patterns[index] = max(patterns[index], other.patterns[index]) }
  }

  /// Adds values, the first of which has the index `start`.
  package mutating func add(_ values: UnsafeBufferPointer<Float>, from start: Int) {
    let source = UnsafeRawBufferPointer(values)
    patterns.withUnsafeMutableBytes { maxima in
      channels.forEachRun(in: start..<start + values.count) { run in
        switch run.step {
        case 0: Self.gather(source, run, maxima)
        case 1: Self.spread(source, run, maxima)
        default:
          for (place, index) in run.values.enumerated() {
            Self.note(source, index, maxima, run.channel + place * run.step)
          }
        }
      }
    }
  }

  /// Adds values of a single channel.
  @inline(__always)
  private static func gather(
    _ values: UnsafeRawBufferPointer, _ run: ChannelMap.Run,
    _ maxima: UnsafeMutableRawBufferPointer
  ) {
    var largest = SIMD8<Int32>.zero
    var index = run.values.lowerBound
    while index + 8 <= run.values.upperBound {
      let group = values.loadUnaligned(fromByteOffset: 4 * index, as: SIMD8<Int32>.self)
      largest = pointwiseMax(largest, group & 0x7fff_ffff)
      index += 8
    }
    let known = maxima.load(fromByteOffset: 4 * run.channel, as: Int32.self)
    maxima.storeBytes(
      of: max(known, largest.max()), toByteOffset: 4 * run.channel, as: Int32.self)
    for index in index..<run.values.upperBound { note(values, index, maxima, run.channel) }
  }

  /// Adds values of consecutive channels.
  @inline(__always)
  private static func spread(
    _ values: UnsafeRawBufferPointer, _ run: ChannelMap.Run,
    _ maxima: UnsafeMutableRawBufferPointer
  ) {
    var index = run.values.lowerBound
    var channel = run.channel
    while index + 8 <= run.values.upperBound {
      let group = values.loadUnaligned(fromByteOffset: 4 * index, as: SIMD8<Int32>.self)
      let known = maxima.loadUnaligned(fromByteOffset: 4 * channel, as: SIMD8<Int32>.self)
      maxima.storeBytes(
        of: pointwiseMax(known, group & 0x7fff_ffff), toByteOffset: 4 * channel,
        as: SIMD8<Int32>.self)
      index += 8
      channel += 8
    }
    for index in index..<run.values.upperBound {
      note(values, index, maxima, channel)
      channel += 1
    }
  }

  @inline(__always)
  private static func note(
    _ values: UnsafeRawBufferPointer, _ index: Int, _ maxima: UnsafeMutableRawBufferPointer,
    _ channel: Int
  ) {
    let pattern =
      values.loadUnaligned(fromByteOffset: 4 * index, as: Int32.self) & 0x7fff_ffff
    let known = maxima.load(fromByteOffset: 4 * channel, as: Int32.self)
    maxima.storeBytes(of: max(known, pattern), toByteOffset: 4 * channel, as: Int32.self)
  }

  /// The largest magnitude of each channel.
  package var magnitudes: [Float] {
    patterns.map { Float(bitPattern: UInt32(bitPattern: $0)) }
  }

  /// The scale of each channel; `nil` if a value is infinite or NaN.
  package var scales: [Float]? {
    guard patterns.allSatisfy({ $0 < 0x7f80_0000 }) else { return nil }
    return magnitudes.map { ChannelQuantization.scale(forLargest: $0) }
  }
}
