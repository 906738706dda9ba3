import ModelIR
import Testing

/// Orders of axes that a shape leaves open, determined by hand.
@Suite struct AmbiguityTests {
  private static func sets(_ layout: String, _ sizes: [Character: Int]) throws -> String {
    let sizes = Dictionary(
      uniqueKeysWithValues: try sizes.map { (try #require(Axis($0)), $1) })
    return try #require(Layout(layout)).interchangeableAxes(sizes)
      .map { $0.map(\.description).joined() }.joined(separator: " ")
  }

  @Test(
    arguments: [
      // Every size once: nothing can be exchanged.
      ("HWIO", ["H": 5, "W": 3, "I": 2, "O": 7], ""),
      // A square kernel, with one channel or many, and with as many inputs as outputs.
      ("HWIO", ["H": 3, "W": 3, "I": 1, "O": 7], "HW"),
      ("HWIO", ["H": 3, "W": 3, "I": 8, "O": 8], "HW IO"),
      ("OIHW", ["H": 3, "W": 3, "I": 3, "O": 3], "OIHW"),
      // H = I is as bad as H = W.
      ("HWIO", ["H": 3, "W": 5, "I": 3, "O": 7], "HI"),
      // 1x1: axes of size 1 move nothing, the channels do where there are as many on both sides.
      ("HWIO", ["H": 1, "W": 1, "I": 4, "O": 7], ""),
      ("HWIO", ["H": 1, "W": 1, "I": 7, "O": 7], "IO"),
      // Depthwise: the multiplier is 1.
      ("HWIM", ["H": 3, "W": 3, "I": 8, "M": 1], "HW"),
      ("IO", ["I": 9, "O": 9], "IO"), ("IO", ["I": 9, "O": 8], ""), ("O", ["O": 9], ""),
      // Any order of what a flatten has merged has the same length.
      ("(HWI)O", ["H": 7, "W": 5, "I": 3, "O": 10], "HWI"),
      ("O(IHW)", ["H": 7, "W": 1, "I": 3, "O": 10], "IH"),
      ("(HWI)O", ["H": 1, "W": 1, "I": 3, "O": 10], ""),
      ("(HWC)", ["H": 2, "W": 3, "C": 4], "HWC"),
      // The whole group could be O, and O could be one of it.
      ("(HWI)O", ["H": 2, "W": 3, "I": 4, "O": 24], "HWIO"),
      ("(HWI)O", ["H": 2, "W": 3, "I": 4, "O": 3], "HWIO"),
      // H times W is O: together they can be exchanged with it, and M stays.
      ("(HW)OM", ["H": 2, "W": 3, "O": 6, "M": 5], "HWO"),
      ("1HW(IM)", ["H": 3, "W": 5, "I": 4, "M": 2], "IM"),
    ] as [(String, [Character: Int], String)])
  func setsByHand(layout: String, sizes: [Character: Int], expected: String) throws {
    #expect(try Self.sets(layout, sizes) == expected)
  }
}
