/// `count` values between -0.5 and 0.5, the same ones every time.
func smallValues(_ count: Int) -> [Float] {
  var state: UInt32 = 1
  return (0..<count).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    return Float(state >> 8) / Float(1 << 24) - 0.5
  }
}
