import ModelIR
import TestSupport
import Testing

@Suite struct PanelTests {
  /// Every fifth number from 2 on; all of them from 1 on in `make test-slow`.
  private static func sizes(upTo last: Int) -> [Int] {
    Sampling.part(of: Array(1...last), every: 5, from: 1, allIn: .slow)
  }

  static func expectPanels(_ rearrangement: Rearrangement, isSequential: Bool) {
    let count = rearrangement.count
    let values = ramp(count)
    let whole = rearrangement.copy.applied(to: values)
    for maximumCount in Self.sizes(upTo: count + 1) {
      let comment = Comment(
        rawValue: "\(rearrangement.pattern), flip \(rearrangement.reversed), \(maximumCount)")
      var seen = [Int](repeating: 0, count: count)
      var scattered = [Float](repeating: .nan, count: count)
      for panel in rearrangement.panels(maximumCount: maximumCount, isSequential: isSequential) {
        #expect(1...maximumCount ~= panel.count, comment)
        #expect(!isSequential || panel.sourceRuns.count == 1, comment)
        for index in panel.sourceRuns.joined() { seen[index] += 1 }
        let read = panel.sourceRuns.flatMap { values[$0] }
        let pieceCount = 1 + maximumCount % 11
        let arranged = arranged(read, panel, pieceCount: pieceCount, comment)
        var position = 0
        for run in panel.runs {
          scattered.replaceSubrange(run, with: arranged[position..<position + run.count])
          position += run.count
        }
        #expect(position == panel.count, comment)
      }
      #expect(seen == [Int](repeating: 1, count: count), comment)
      #expect(scattered == whole, comment)
    }
  }

  /// The values `read` of a panel in the order of the destination, moved piece by piece, there and back.
  private static func arranged(
    _ read: [Float], _ panel: Panel, pieceCount: Int, _ comment: Comment
  ) -> [Float] {
    var arranged = [Float](repeating: .nan, count: panel.count)
    let places = Array(panel.sourceRuns.joined())
    var position = 0
    // Expectations in here would take most of the time.
    var (follows, isThere, isReversible) = (true, true, true)
    for piece in panel.pieces(maximumCount: pieceCount) {
      follows = follows && piece.values.lowerBound == position && piece.values.count <= pieceCount
      isThere =
        isThere
        && Array(panel.sourceRuns.places(of: piece.values).joined()) == Array(places[piece.values])
      let part = Array(read[piece.values])
      piece.move.apply(to: part, into: &arranged)
      isReversible = isReversible && piece.move.reversed.applied(to: arranged) == part
      position = piece.values.upperBound
    }
    #expect(follows && isThere && isReversible && position == panel.count, comment)
    return arranged
  }

  static func expectConsecutivePanels(_ rearrangement: Rearrangement) {
    let values = ramp(rearrangement.count)
    let whole = rearrangement.copy.applied(to: values)
    for maximumCount in sizes(upTo: rearrangement.count + 1) {
      var streamed: [Float] = []
      for panel in rearrangement.consecutivePanels(maximumCount: maximumCount) {
        #expect(panel.count <= maximumCount)
        #expect(panel.runs.joined().first == streamed.count)
        let read = panel.sourceRuns.flatMap { values[$0] }
        streamed += Self.arranged(read, panel, pieceCount: 7, "\(rearrangement.pattern)")
      }
      #expect(streamed == whole, "\(rearrangement.pattern), \(maximumCount)")
    }
  }

  @Test(arguments: RearrangementTests.families[0])
  func `consecutive panels are the target from front to back`(source: String) throws {
    for target in RearrangementTests.families[0] {
      for reversed: Set<Axis> in [[], [.height, .width]] {
        Self.expectConsecutivePanels(
          try Rearrangement(
            from: #require(Layout(source)), to: #require(Layout(target)),
            sizes: [.height: 2, .width: 3, .inputChannels: 4, .outputChannels: 5],
            reversing: reversed))
      }
    }
  }

  @Test(arguments: RearrangementTests.families[0], [false, true])
  func `panels of any size tile the source, and their runs the target`(
    source: String, isSequential: Bool
  ) throws {
    for target in RearrangementTests.families[0] {
      Self.expectPanels(
        try Rearrangement(
          from: #require(Layout(source)), to: #require(Layout(target)),
          sizes: axisSizes(["H": 2, "W": 3, "I": 4, "O": 5])), isSequential: isSequential)
    }
  }

  @Test(arguments: [["O"], ["H"], ["I", "W"], ["H", "W", "I", "O"]] as [Set<Character>])
  func `reversed axes are cut too`(reversed: Set<Character>) throws {
    for (source, target) in [
      ("HWIO", "OHWI"), ("OIHW", "OHWI"), ("HWIO", "HWIO"), ("O(IHW)", "IOHW"),
    ] {
      for isSequential in [false, true] {
        Self.expectPanels(
          try Rearrangement(
            from: #require(Layout(source)), to: #require(Layout(target)),
            sizes: axisSizes(["H": 4, "W": 3, "I": 2, "O": 3]),
            reversing: Set(reversed.compactMap { Axis($0) })), isSequential: isSequential)
      }
    }
  }

  @Test func `a tensor that fits is one panel and one run`() throws {
    let panels = try Rearrangement(
      from: .hwio, to: .ohwi, sizes: axisSizes(["H": 2, "W": 3, "I": 4, "O": 5])
    ).panels(maximumCount: 120)
    #expect(panels.count == 1)
    #expect(panels.first.map { Array($0.sourceRuns) } == [0..<120])
    #expect(panels.first.map { Array($0.runs) } == [0..<120])
  }

  @Test func `panels of a sequential source follow each other in it`() throws {
    let panels = try Rearrangement(
      from: .hwio, to: .ohwi, sizes: axisSizes(["H": 2, "W": 3, "I": 4, "O": 5])
    ).panels(maximumCount: 30, isSequential: true)
    #expect(panels.map { Array($0.sourceRuns) } == [[0..<30], [30..<60], [60..<90], [90..<120]])
    // Six of the 24 values of each output channel.
    #expect(Array(panels[1].runs) == [6..<12, 30..<36, 54..<60, 78..<84, 102..<108])
  }

  @Test func `of a large matrix, panels have long runs in the source and in the destination`()
    throws
  {
    let panels = try Rearrangement(
      from: .io, to: .oi, sizes: axisSizes(["I": 25_088, "O": 4096])
    ).panels(maximumCount: 4_000_000)
    // 65 cache lines of the source's 256, and 225 of the destination's 1568.
    #expect(Set(panels.map(\.sourceRuns.length)) == [1040, 976])
    #expect(Set(panels.map(\.runs.length)) == [3600, 3488])
    #expect(panels.count == 4 * 7)
  }

  @Test func `panels are made one at a time, however many there are`() throws {
    let panels = try Rearrangement(
      from: .io, to: .oi, sizes: axisSizes(["I": 1 << 20, "O": 1 << 20])
    ).panels(maximumCount: 1)
    #expect(panels.count == 1 << 40)
    #expect(panels.first.map { Array($0.sourceRuns) } == [0..<1])
    #expect(panels.first.map { Array($0.runs) } == [0..<1])
    #expect(panels.last.map { Array($0.runs) } == [(1 << 40) - 1..<1 << 40])
  }

  @Test func `a tensor without values has no panels`() throws {
    let panels = try Rearrangement(
      from: .io, to: .oi, sizes: axisSizes(["I": 0, "O": 5])
    ).panels(maximumCount: 10)
    #expect(panels.isEmpty)
  }
}
