import ModelIR
import Testing

@Suite struct ChannelQuantizationTests {
  /// Magnitudes of every exponent, and next to where something turns.
  private static let magnitudes: [Float] = {
    var state: UInt32 = 1
    var values: [Float] = (1...20_000).map { Float($0) * 0x1p-149 }
    for exponent in UInt32(1)..<255 {
      for _ in 0..<40 {
        state = state &* 1_664_525 &+ 1_013_904_223
        values.append(Float(bitPattern: exponent << 23 | state >> 9))
      }
      values += [0, 1, 0x7e_0000, 0x7e_0001, 0x7f_ffff].map {
        Float(bitPattern: exponent << 23 | $0)
      }
    }
    return values
  }()

  private func quantization(_ scale: Float) throws -> ChannelQuantization {
    let spec = ParameterSpec(.kernel, .fullyConnected, .oi, [.inputChannels: 1 << 20])
    let tensor = try Tensor(
      layer: "fc", spec: spec,
      stored: StoredTensor(
        source: ArraySource([]), layout: nil, shape: nil, path: "k"))
    return ChannelQuantization(scales: [scale], channels: try #require(tensor.channels))
  }

  private func integers(_ values: [Float], scale: Float) throws -> [Int8] {
    let quantization = try quantization(scale)
    var integers = [Int8](repeating: 0, count: values.count)
    integers.withUnsafeMutableBytes { bytes in
      values.withUnsafeBufferPointer { quantization.encode($0, from: 0, into: bytes) }
    }
    return integers
  }

  @Test func `every multiple of a scale is exact in float32`() {
    for largest in Self.magnitudes {
      let scale = ChannelQuantization.scale(forLargest: largest)
      for integer in [1, 3, 63, 64, 65, 101, 126, 127] {
        let exact = Double(integer) * Double(scale)
        #expect(Double(Float(integer) * scale) == exact, "\(largest)")
      }
    }
  }

  @Test func `the largest value becomes 127, and gives the same scale again`() throws {
    for largest in Self.magnitudes {
      let scale = ChannelQuantization.scale(forLargest: largest)
      let integer = try integers([largest, -largest], scale: scale)
      #expect(integer[1] == -integer[0])
      if scale > .leastNormalMagnitude {
        #expect(integer[0] == 127, "\(largest)")
        #expect(Double(scale) * 127 >= Double(largest) || largest > 0x1.fffep127, "\(largest)")
      } else {
        #expect(integer[0] >= 64 || scale == .leastNonzeroMagnitude, "\(largest)")
      }
      let again = ChannelQuantization.scale(forLargest: Float(integer[0]) * scale)
      #expect(again == scale, "\(largest)")
    }
  }

  /// Computed by hand: 1 / 127 = 0x1.0204081…p-7, which is 0x1.0205p-7 when rounded up to 17 bits.
  @Test(
    arguments: [
      (0, 1), (127, 1), (254, 2), (1, 0x1.0205p-7), (63.5, 0.5), (0x1p-149, 0x1p-149),
      (127 * 0x1p-149, 0x1p-149), (128 * 0x1p-149, 0x1p-148),
    ] as [(Float, Float)])
  func `scales by hand`(largest: Float, scale: Float) {
    #expect(ChannelQuantization.scale(forLargest: largest) == scale)
  }

  @Test func `rounds to nearest, ties to even`() throws {
    let values: [Float] = [
      0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999997, 0.50000006, 126.5, 126.49999, 127, -127, -0.0,
    ]
    let expected: [Int8] = [0, 0, 2, 2, 0, -2, -2, 0, 1, 126, 126, 127, -127, 0]
    #expect(try integers(values, scale: 1) == expected)
    #expect(try integers(values.map { $0 * 0x1p-140 }, scale: 0x1p-140).count == expected.count)
    // What cannot be, as the scale is that of the largest value, does not wrap around.
    #expect(try integers([300, -1e30], scale: 1) == [127, -127])
  }

  @Test func `rounding in place gives what the integers stand for`() throws {
    let scale: Float = 0x1.0205p-7
    var values = (0..<100).map { (index: Int) -> Float in Float(index * 37 % 101 - 50) / 51 }
    let expected = try integers(values, scale: scale).map { Float($0) * scale }
    let quantization = try quantization(scale)
    values.withUnsafeMutableBufferPointer { quantization.round($0, from: 5) }
    #expect(values == expected)
    var integers = try integers(values, scale: scale).map { Float($0) }
    integers.withUnsafeMutableBufferPointer { quantization.scale($0, from: 7) }
    #expect(integers == expected)
  }
}
