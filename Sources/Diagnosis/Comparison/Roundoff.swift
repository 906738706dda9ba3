import ModelIR

/// The unit roundoff of float32.
let singleRoundoff = 0x1p-24
/// The unit roundoff of half precision.
let halfRoundoff = 0x1p-11
/// Half the distance of subnormal numbers in half precision.
let halfSubnormal = 0x1p-25

extension ElementType {
  /// What rounding to this type may take off a float32, relative to it; 0 where it takes nothing, or no fixed part.
  var roundoff: Float {
    switch self {
    case .float16: Float(halfRoundoff)
    case .bfloat16: 0x1p-8
    case .float32, .float64, .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64: 0
    }
  }

  /// What rounding to this type may take off a float32 that is too small to lose only ``roundoff``.
  var leastRoundoff: Float { self == .float16 ? Float(halfSubnormal) : 0 }
}

extension NDArray<Float> {
  /// For each value the largest magnitude in its output channel, which the steps of int8 follow; in a vector a
  /// channel is one value.
  func largestOfChannel(in spec: ParameterSpec) -> [Float] {
    guard let channels = spec.channels else { return values.map { abs($0) } }
    var maxima = ChannelMaxima(channels)
    values.withUnsafeBufferPointer { maxima.add($0, from: 0) }
    let magnitudes = maxima.magnitudes
    var largest = [Float](repeating: 0, count: values.count)
    channels.forEachRun(in: 0..<values.count) { run in
      for (place, index) in run.values.enumerated() {
        largest[index] = magnitudes[run.channel + place * run.step]
      }
    }
    return largest
  }
}
