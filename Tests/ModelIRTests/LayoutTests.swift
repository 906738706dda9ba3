import ModelIR
import TestSupport
import Testing

@Suite struct LayoutTests {
  /// Every order and grouping of some axes, as text.
  private static func spellings(of axes: [Character]) -> [String] {
    guard !axes.isEmpty else { return [""] }
    var spellings: [String] = []
    for order in permutations(of: axes) {
      // Bit i says whether a dimension ends behind axis i.
      for cuts in 0..<1 << (order.count - 1) {
        var text = ""
        var group: [Character] = []
        for (index, axis) in order.enumerated() {
          group.append(axis)
          if index == order.count - 1 || cuts >> index & 1 == 1 {
            text += group.count == 1 ? String(group) : "(\(String(group)))"
            group = []
          }
        }
        spellings.append(text)
      }
    }
    return spellings
  }

  @Test func `every order and grouping of four axes survives its text`() throws {
    let spellings = Self.spellings(of: ["H", "W", "I", "O"])
    #expect(Set(spellings).count == 24 * 8)
    for text in spellings + ["1HW(IM)", "11O", "O", "C", "1", "A1", "1(AZ)1", "DHWIO", "(DHWI)O"] {
      let layout = try #require(Layout(text), "\(text)")
      #expect(layout.description == text)
      #expect(layout.axes.map(\.name) == text.filter(\.isLetter))
    }
  }

  @Test func `dimensions are axes, groups and ones`() throws {
    let layout = try #require(Layout("1HW(IM)"))
    #expect(
      layout.dimensions.map { $0.axes.map(\.name) } == [[], ["H"], ["W"], ["I", "M"]])
    #expect(layout.rank == 4)
  }

  @Test func `a group of one axis is that axis`() throws {
    #expect(Layout("(H)W(I)O") == .hwio)
    #expect(Layout("(H)W(I)O")?.description == "HWIO")
  }

  @Test func `reads exactly what the grammar allows`() throws {
    let grammar = #/(?:[A-Z]|1|\([A-Z]+\))+/#
    let alphabet = Array("HOI1()")
    var texts = [""]
    var last = [""]
    for _ in 0..<5 {
      last = last.flatMap { text in alphabet.map { text + String($0) } }
      texts += last
    }
    var valid = 0
    for text in texts {
      let letters = text.filter(\.isLetter)
      // A number without axes is written as a group without them.
      let isValid =
        text == "()"
        || text.wholeMatch(of: grammar) != nil && Set(letters).count == letters.count
      #expect((Layout(text) != nil) == isValid, "\(text)")
      valid += isValid ? 1 : 0
    }
    #expect(texts.count == 9331)
    #expect(valid > 300)
  }

  @Test(arguments: [
    "hwio", "HWiO", "H W", "HW-IO", "H,W", "HÉ", "H\u{301}W", "ΗW", "2HW", "0", "HW(1I)", "HW(I1)O",
    "[HW]O", "HW\u{0}O", "HWIO\n", "（HW）O", "((HWI))O", "(HWI)(", ")(",
  ])
  func `refuses other characters`(text: String) {
    #expect(Layout(text) == nil)
  }

  @Test func `an empty layout is an error`() {
    #expect(
      thrown { try Layout([] as [Layout.Dimension]) }?.description
        == "layout '' is empty or names an axis twice; write each axis once, as in HWIO")
  }

  @Test func `an axis that occurs twice is an error`() {
    let error = thrown { try Layout([.init([.height, .width]), .init([.height])]) }
    #expect(error?.kind == .badData)
    #expect(
      error?.description
        == "layout '(HW)H' is empty or names an axis twice; write each axis once, as in HWIO")
  }

  @Test func `the shape of a group is the product of its sizes`() throws {
    let sizes: [Axis: Int] = [.height: 7, .width: 5, .inputChannels: 3, .outputChannels: 2]
    let expected = [
      "HWIO": [7, 5, 3, 2], "OHWI": [2, 7, 5, 3], "(HWI)O": [105, 2], "O(IHW)": [2, 105],
      "1HW(IM)": [1, 7, 5, 3], "H(WO)I": [7, 10, 3], "(HWIO)": [210], "C": [1], "1": [1],
    ]
    for (text, shape) in expected {
      #expect(try Layout(text)?.shape(sizes) == shape, "\(text)")
    }
  }

  @Test func `a shape that overflows is an error`() throws {
    let layout = try #require(Layout("(HW)O"))
    let error = thrown { try layout.shape([.height: 1 << 32, .width: 1 << 31]) }
    #expect(error?.kind == .badData)
    #expect(
      error?.description
        == "sizes [4294967296, 2147483648] are negative or multiply to more than this machine can "
        + "count; the file is damaged or invalid")
  }

  @Test func `an axis is replaced within its group`() throws {
    let spatial: [Axis] = [.height, .width, .inputChannels]
    #expect(Layout.io.replacing(.inputChannels, with: spatial).description == "(HWI)O")
    #expect(Layout.oi.replacing(.inputChannels, with: spatial).description == "O(HWI)")
    #expect(Layout.io.replacing(.channels, with: spatial) == .io)
    #expect(
      Layout("O(MI)")?.replacing(.inputChannels, with: spatial).description == "O(MHWI)")
  }

  @Test func `an axis is one upper-case ASCII letter`() {
    for scalar in 0..<0x250 {
      guard let character = Unicode.Scalar(scalar).map(Character.init) else { continue }
      #expect((Axis(character) != nil) == (0x41...0x5a).contains(scalar), "\(scalar)")
    }
    #expect(Axis("H") == .height)
    #expect(Axis.multiplier.description == "M")
    #expect(Axis.multiplier.lowercased == "m")
  }
}
