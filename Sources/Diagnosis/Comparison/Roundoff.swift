import ModelIR

/// The unit roundoff of float32.
let singleRoundoff = 0x1p-24
/// The unit roundoff of float16.
let halfRoundoff = 0x1p-11
/// Half the spacing of subnormal numbers in float16.
let halfSubnormal = 0x1p-25

extension ElementType {
  /// The largest relative rounding error of a float32 in this type; 0 if there is none or it is not
  /// relative.
  var roundoff: Float {
    switch self {
    case .float16: Float(halfRoundoff)
    case .bfloat16: 0x1p-8
    case .float32, .float64, .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64: 0
    }
  }

  /// The largest absolute rounding error of a small float32, below which ``roundoff`` does not
  /// hold.
  var leastRoundoff: Float { self == .float16 ? Float(halfSubnormal) : 0 }
}

extension NDArray<Float> {
  /// The largest magnitude in each value's output channel, from which the scale of int8 follows.
  ///
  /// In a vector, each value is a channel.
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
