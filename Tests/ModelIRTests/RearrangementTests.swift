import ModelIR
import TestSupport
import Testing

@Suite struct RearrangementTests {
  /// Layouts of the same axes; each is rearranged to each.
  static let families: [[String]] = [
    ["HWIO", "OHWI", "OIHW", "IOHW", "(HWI)O", "(IHW)O", "O(HWI)", "O(IHW)"],
    ["HWIM", "1HW(IM)", "IMHW", "(MI)1HW", "M1HWI"],
    ["WIO", "OIW", "OWI", "(WI)O", "O(IW)"],
    ["IO", "OI", "HWIO", "OHWI", "OIHW", "IOHW"],
    ["C", "1C", "C11"],
  ]

  /// Letters of a family's layouts that all of them have.
  private static func axes(of family: [String]) -> [Character] {
    family[0].filter { letter in letter.isLetter && family.allSatisfy { $0.contains(letter) } }
  }

  private static func rearrangement(
    _ source: String, _ target: String, _ sizes: [Character: Int], reversed: Set<Character> = []
  ) throws -> Rearrangement {
    try Rearrangement(
      from: #require(Layout(source)), to: #require(Layout(target)), sizes: axisSizes(sizes),
      reversing: Set(reversed.compactMap { Axis($0) }))
  }

  private static func expectMove(
    _ source: String, _ target: String, _ sizes: [Character: Int], reversed: Set<Character> = []
  ) throws {
    let rearrangement = try rearrangement(source, target, sizes, reversed: reversed)
    let expected = origins(source, target, sizes, reversed: reversed).map { Float($0) }
    let comment = Comment(rawValue: "\(source) -> \(target), \(sizes), flip \(reversed)")
    #expect(rearrangement.count == expected.count, comment)
    let values = ramp(expected.count)
    let copy = rearrangement.copy
    let moved = copy.applied(to: values)
    #expect(moved == expected, comment)
    #expect(copy.move.reversed.applied(to: moved) == values, comment)
    #expect(!copy.isIdentity || expected == values, comment)
  }

  @Test(arguments: families)
  func `moves every value to where its named indices say`(family: [String]) throws {
    let axes = Self.axes(of: family)
    for first in [1, 2] {
      for order in permutations(of: Array(first..<first + axes.count)) {
        let sizes = Dictionary(uniqueKeysWithValues: zip(axes, order))
        for source in family {
          for target in family { try Self.expectMove(source, target, sizes) }
        }
      }
    }
  }

  @Test(arguments: families)
  func `reverses any set of axes`(family: [String]) throws {
    let axes = Self.axes(of: family)
    let sizes = Dictionary(uniqueKeysWithValues: zip(axes, 2...))
    for subset in 0..<1 << axes.count {
      let reversed = Set(axes.indices.filter { subset >> $0 & 1 == 1 }.map { axes[$0] })
      for source in family {
        for target in family { try Self.expectMove(source, target, sizes, reversed: reversed) }
      }
    }
  }

  @Test(arguments: [
    ["H": 2, "W": 3, "I": 33, "O": 35], ["H": 1, "W": 5, "I": 7, "O": 261],
    ["H": 1, "W": 2, "I": 258, "O": 9], ["H": 3, "W": 1, "I": 257, "O": 3],
  ])
  func `moves more than one block of a transpose`(sizes: [Character: Int]) throws {
    for source in Self.families[0] {
      for target in Self.families[0] { try Self.expectMove(source, target, sizes) }
    }
    for reversed in [["I"], ["O"], ["I", "O"]] as [Set<Character>] {
      try Self.expectMove("HWIO", "OHWI", sizes, reversed: reversed)
      try Self.expectMove("OIHW", "HWIO", sizes, reversed: reversed)
    }
  }

  @Test func `axes that stay together become one loop`() throws {
    let sizes: [Character: Int] = ["H": 2, "W": 3, "I": 4, "O": 5]
    func loops(_ source: String, _ target: String, _ reversed: Set<Character> = []) throws
      -> [[Int]]
    {
      try Self.rearrangement(source, target, sizes, reversed: reversed).copy.dimensions.map {
        [$0.size, $0.stride]
      }
    }
    #expect(try loops("HWIO", "OHWI") == [[5, 1], [24, 5]])
    #expect(try loops("(HWI)O", "OHWI") == [[5, 1], [24, 5]])
    #expect(try loops("OIHW", "OHWI") == [[5, 24], [6, 1], [4, 6]])
    #expect(try loops("HWIO", "HWIO") == [[120, 1]])
    #expect(try loops("HWIO", "HWIO", ["H", "W", "I", "O"]) == [[120, -1]])
    #expect(try loops("HWIO", "HWIO", ["H", "W"]) == [[6, -20], [20, 1]])
    #expect(try loops("HWIO", "HWIO", ["W"]) == [[2, 60], [3, -20], [20, 1]])
  }

  @Test func `loops of one step vanish`() {
    let copy = StridedCopy([
      .init(size: 1, stride: 7), .init(size: 3, stride: 2), .init(size: 1, stride: -1),
      .init(size: 2, stride: 1),
    ])
    #expect(copy.dimensions == [.init(size: 6, stride: 1)])
    #expect(copy.isIdentity)
    #expect(copy.origin == 0)
    #expect(StridedCopy([]).count == 1)
    #expect(StridedCopy([]).applied(to: [42]) == [42])
  }

  @Test func `a copy of nothing touches nothing`() {
    let copy = StridedCopy([.init(size: 0, stride: 7), .init(size: 3, stride: 1)])
    #expect(copy.count == 0)
    var places: [Float] = [1, 2, 3]
    copy.run([0, 0, 0], &places)
    #expect(places == [1, 2, 3])
  }

  @Test func `reversing an axis of size 1 changes nothing`() throws {
    let sizes: [Character: Int] = ["H": 1, "O": 3]
    let plain = try Self.rearrangement("HO", "OH", sizes)
    #expect(try Self.rearrangement("HO", "OH", sizes, reversed: ["H", "W"]) == plain)
  }

  @Test func `an axis over 1 that one side lacks is an error`() {
    let sizes: [Axis: Int] = [.height: 2, .width: 3, .inputChannels: 4, .outputChannels: 5]
    // Both axes are missing; the first is named, whatever the order of a set.
    for _ in 0..<20 {
      let error = thrown { try Rearrangement(from: .hwio, to: .io, sizes: sizes) }
      #expect(error?.kind == .badData)
      #expect(
        error?.description
          == "axis H of size 2 is in only one of the layouts HWIO and IO; only axes of size 1 can "
          + "be left out")
    }
    #expect(
      thrown { try Rearrangement(from: .oi, to: .ohwi, sizes: sizes) }?.description
        == "axis H of size 2 is in only one of the layouts OI and OHWI; only axes of size 1 can be "
        + "left out")
  }

  @Test func `sizes that overflow are an error`() {
    for _ in 0..<20 {
      #expect(
        thrown {
          try Rearrangement(
            from: .hwio, to: .ohwi,
            sizes: [
              .height: 1 << 16, .width: 1 << 17, .inputChannels: 1 << 18, .outputChannels: 1 << 19,
            ])
        }?.description
          == "sizes [65536, 131072, 262144, 524288] are negative or multiply to more than this "
          + "machine can count; the file is damaged or invalid")
    }
    #expect(
      thrown { try Rearrangement(from: .io, to: .oi, sizes: [.inputChannels: -2]) }?.description
        == "sizes [-2, 1] are negative or multiply to more than this machine can count; the file "
        + "is damaged or invalid")
  }
}
