/// Functions of numbers from -1 to 1 in units of 2⁻³¹.
///
/// Source: gemmlowp/fixedpoint/fixedpoint.h, `exp_on_negative_values` and `one_over_one_plus_x_for_x_in_0_1`.
enum FixedPoint {
  /// Powers of e: to -1/4, -1/2, -1, -2, -4, -8 and -16.
  private static let powers: [Int32] = [
    1_672_461_947, 1_302_514_674, 790_015_084, 290_630_308, 39_332_535, 720_401, 242,
  ]

  /// Returns e^x for x from -32 to 0 in units of 2⁻²⁶.
  static func exponential(_ x: Int32) -> Int32 {
    if x == 0 { return .max }
    let quarter: Int32 = 1 << 24
    let part = x & (quarter - 1) - quarter
    let remainder = part - x
    var result = exponentialOfQuarter(part << 5)
    for (index, power) in powers.enumerated() where remainder & quarter << Int32(index) != 0 {
      result = result.roundedHighProduct(power)
    }
    return result
  }

  /// Returns e^x for x from -1/4 to 0, by a Taylor series around -1/8.
  private static func exponentialOfQuarter(_ x: Int32) -> Int32 {
    let center: Int32 = 1_895_147_668
    let third: Int32 = 715_827_883
    let x1 = x + 1 << 28
    let x2 = x1.roundedHighProduct(x1)
    let x3 = x2.roundedHighProduct(x1)
    let x4 = x2.roundedHighProduct(x2)
    let higher = (x4.roundedShift(2) + x3).roundedHighProduct(third) + x2
    return center + center.roundedHighProduct(x1 + higher.roundedShift(1))
  }

  /// Returns 1 / (1 + x) for x from 0 to 1, by three steps of Newton and Raphson.
  static func reciprocal(_ x: Int32) -> Int32 {
    let half = Int32((Int64(x) + Int64(Int32.max) + 1) / 2)
    // With two integer bits: 48/17 - 32/17 · half.
    var y = 1_515_870_810 + half.roundedHighProduct(-1_010_580_540)
    for _ in 0..<3 {
      let rest = 1 << 29 - half.roundedHighProduct(y)
      y += y.roundedHighProduct(rest).saturatingShift(2)
    }
    return y.saturatingShift(1)
  }
}

extension Int32 {
  fileprivate func saturatingShift(_ amount: Int) -> Int32 {
    Int32(clamping: Int64(self) << Int64(amount))
  }
}
