import ModelIR
import TestSupport
import Testing

@Suite struct GateOrderTests {
  /// Each layout as text, with its gates in various orders.
  private static let layouts = [
    "I(G[ifco]N)", "(G[ifco]N)I", "1(G[iofc]N)I", "G[ifoc]NI", "NIG[cofi]", "IG[fioc]N",
    "(NG[ocif])I",
  ]

  /// The index in `source` of each value of `target`, by the letter of its gate and its other indices.
  private static func origins(_ source: String, _ target: String, _ sizes: [Character: Int])
    -> [Int]
  {
    func names(_ text: String) -> (axes: String, gates: [Character]) {
      let parts = text.split(whereSeparator: { "[]".contains($0) })
      let axes = [parts[0]] + parts.dropFirst(2)
      return (axes.joined().filter(\.isLetter), Array(parts[1]))
    }
    func places(_ text: String) -> [[Character: Character]] {
      let (axes, gates) = names(text)
      return axes.reduce([[:]]) { places, axis in
        places.flatMap { place in
          (axis == "G" ? gates : Array("0123456789".prefix(sizes[axis] ?? 1)))
            .map { place.merging([axis: $0]) { $1 } }
        }
      }
    }
    let inSource = Dictionary(
      uniqueKeysWithValues: places(source).enumerated().map { ($1, $0) })
    return places(target).compactMap { inSource[$0] }
  }

  private static let sizes: [Character: Int] = ["I": 3, "G": 4, "N": 5]

  private static func rearrangement(_ source: String, _ target: String) throws -> Rearrangement {
    try Rearrangement(
      from: #require(Layout(source)), to: #require(Layout(target)), sizes: axisSizes(sizes))
  }

  @Test(arguments: layouts) func `a layout with gates survives its text`(text: String) throws {
    let layout = try #require(Layout(text))
    #expect(layout.description == text)
    #expect(layout.gates?.count == 4)
    #expect(layout.with(gates: nil).gates == nil)
    #expect(layout.fastestFirst.fastestFirst == layout)
  }

  @Test(arguments: [
    "I(GN)[ifco]", "I(GN[ifco])", "G[ifco", "Gifco]", "G[]", "G[i]", "G[ii]", "G[IF]", "G[if][if]",
    "N[if]G", "[if]G", "G([if]N)", "G[if]G[if]", "(G)[if", "1[if]G", "G[i f]", "G[if1]",
  ])
  func `gates stand behind G alone`(text: String) {
    #expect(Layout(text) == nil)
  }

  @Test(arguments: layouts) func `every value goes where its gate is wanted`(source: String) throws
  {
    for target in Self.layouts {
      let rearrangement = try Self.rearrangement(source, target)
      let expected = Self.origins(source, target, Self.sizes).map { Float($0) }
      #expect(expected.count == 60)
      let copy = rearrangement.copy
      let moved = copy.applied(to: ramp(60))
      #expect(moved == expected, "\(source) -> \(target)")
      #expect(moved.indices.map { Float(copy.sourceIndex(of: $0)) } == expected)
      #expect(copy.move.reversed.applied(to: moved) == ramp(60))
      #expect(copy.isIdentity == (expected == ramp(60)))
      let back = try Self.rearrangement(target, source).copy
      #expect(back.applied(to: moved) == ramp(60))
    }
  }

  @Test(arguments: layouts, [false, true])
  func `panels of any size tile the source, and their runs the target`(
    source: String, isSequential: Bool
  ) throws {
    for target in Self.layouts {
      PanelTests.expectPanels(
        try Self.rearrangement(source, target), isSequential: isSequential)
    }
  }

  @Test(arguments: layouts) func `consecutive panels are the target`(source: String) throws {
    for target in Self.layouts {
      try PanelTests.expectConsecutivePanels(Self.rearrangement(source, target))
    }
  }

  @Test func `an axis is reversed beside gates that change places`() throws {
    let rearrangement = try Rearrangement(
      from: #require(Layout("I(G[zrh]N)")), to: #require(Layout("(G[rzh]N)I")),
      sizes: axisSizes(["I": 2, "G": 3, "N": 2]), reversing: [.inputChannels])
    #expect(
      rearrangement.copy.applied(to: ramp(12)) == [8, 2, 9, 3, 6, 0, 7, 1, 10, 4, 11, 5])
    PanelTests.expectPanels(rearrangement, isSequential: false)
  }

  @Test func `a tensor's gates lie as in its operator where nobody says otherwise`() throws {
    let spec = ParameterSpec(
      .kernel, .recurrent, try #require(Layout("I(G[zrh]N)")),
      [.inputChannels: 1, .gates: 3, .units: 2], cell: .gru)
    func tensor(_ layout: String?) throws -> Tensor {
      try Tensor(
        layer: "gru", spec: spec,
        stored: StoredTensor(
          source: ArraySource(ramp(6)), layout: layout.flatMap { Layout($0) }, shape: nil,
          path: "k"))
    }
    #expect(try tensor(nil).storedLayout.description == "I(G[zrh]N)")
    #expect(try tensor("(GN)I").storedLayout.description == "(G[zrh]N)I")
    let other = try tensor("(G[rzh]N)I")
    #expect(try other.rearranged(to: spec.layout).values() == [2, 3, 0, 1, 4, 5])
    #expect(try other.rearranged(to: #require(Layout("I(GN)"))).values() == [2, 3, 0, 1, 4, 5])
    #expect(try other.canonical().layout.description == "IG[zrh]N")
    #expect(try other.canonical().values() == [2, 3, 0, 1, 4, 5])
  }

  @Test func `channels are numbered in the order of the wanted gates`() throws {
    let spec = ParameterSpec(
      .kernel, .recurrent, try #require(Layout("I(G[zrh]N)")),
      [.inputChannels: 2, .gates: 3, .units: 2], cell: .gru)
    for (layout, channels) in [("(G[rzh]N)I", "(G[rzh]N)"), ("NIG[hrz]", "NG[hrz]")] {
      let tensor = try Tensor(
        layer: "gru", spec: spec,
        stored: StoredTensor(source: ArraySource(ramp(12)), layout: nil, shape: nil, path: "k")
      ).rearranged(to: #require(Layout(layout)))
      #expect(tensor.channelLayout?.description == channels)
      func all(_ map: ChannelMap?) throws -> [Int] {
        var found = [Int](repeating: -1, count: 12)
        try #require(map).forEachRun(in: 0..<12) { run in
          for place in run.values {
            found[place] = run.channel + (place - run.values.lowerBound) * run.step
          }
        }
        return found
      }
      // The channel of each stored value, moved as the values are, is that of each written one.
      let stored = try all(tensor.storedChannels).map { Float($0) }
      #expect(
        try tensor.rearrangement.copy.applied(to: stored) == all(tensor.channels).map { Float($0) })
    }
  }

  @Test func `other gates, too few and too many are errors`() throws {
    func error(_ source: String, _ target: String) throws -> String? {
      let (from, to) = (try #require(Layout(source)), try #require(Layout(target)))
      return thrown {
        try Rearrangement(from: from, to: to, sizes: [.inputChannels: 3, .gates: 4, .units: 5])
      }?.description
    }
    #expect(
      try error("I(G[ifco]N)", "(G[ifgo]N)I")
        == "gates 'ifgo' are not those of this layer, 'ifco'; write the same letters in the order "
        + "of the file")
    #expect(
      try error("I(GN)", "(G[zrh]N)I")
        == "gates 'zrh' are 3, expected 4; write a letter for each gate, as in G[ifco]")
  }
}
