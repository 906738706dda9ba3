import ModelIR
import Testing

@Suite struct PanelTests {
  private static func expectPanels(_ rearrangement: Rearrangement) {
    let count = rearrangement.count
    let values = ramp(count)
    let whole = rearrangement.copy.applied(to: values)
    for maximumCount in 1...count + 1 {
      let comment = Comment(
        rawValue: "\(rearrangement.pattern), flip \(rearrangement.reversed), \(maximumCount)")
      var seen = [Int](repeating: 0, count: count)
      var scattered = [Float](repeating: .nan, count: count)
      for panel in rearrangement.panels(maximumCount: maximumCount) {
        #expect(1...maximumCount ~= panel.source.count, comment)
        for index in panel.source { seen[index] += 1 }
        let read = Array(values[panel.source])
        let arranged = panel.copy.applied(to: read)
        #expect(panel.copy.inverse.applied(to: arranged) == read, comment)
        #expect(panel.runs.reduce(0) { $0 + $1.count } == panel.source.count, comment)
        var position = 0
        for run in panel.runs {
          scattered.replaceSubrange(
            run.offset..<run.offset + run.count, with: arranged[position..<position + run.count])
          position += run.count
        }
      }
      #expect(seen == [Int](repeating: 1, count: count), comment)
      #expect(scattered == whole, comment)
    }
  }

  @Test(arguments: RearrangementTests.families[0])
  func `panels of any size tile the source, and their runs the target`(source: String) throws {
    for target in RearrangementTests.families[0] {
      Self.expectPanels(
        try Rearrangement(
          from: #require(Layout(source)), to: #require(Layout(target)),
          sizes: axisSizes(["H": 2, "W": 3, "I": 4, "O": 5])))
    }
  }

  @Test(arguments: [["O"], ["H"], ["I", "W"], ["H", "W", "I", "O"]] as [Set<Character>])
  func `reversed axes are cut too`(reversed: Set<Character>) throws {
    for (source, target) in [
      ("HWIO", "OHWI"), ("OIHW", "OHWI"), ("HWIO", "HWIO"), ("O(IHW)", "IOHW"),
    ] {
      Self.expectPanels(
        try Rearrangement(
          from: #require(Layout(source)), to: #require(Layout(target)),
          sizes: axisSizes(["H": 4, "W": 3, "I": 2, "O": 3]),
          reversing: Set(reversed.compactMap { Axis($0) })))
    }
  }

  @Test func `a tensor that fits is one panel and one run`() throws {
    let panels = try Rearrangement(
      from: .hwio, to: .ohwi, sizes: axisSizes(["H": 2, "W": 3, "I": 4, "O": 5])
    ).panels(maximumCount: 120)
    #expect(panels.count == 1)
    #expect(panels.first?.source == 0..<120)
    #expect(panels.first?.runs.map { [$0.offset, $0.count] } == [[0, 120]])
  }

  @Test func `panels follow each other in the source`() throws {
    let panels = try Rearrangement(
      from: .hwio, to: .ohwi, sizes: axisSizes(["H": 2, "W": 3, "I": 4, "O": 5])
    ).panels(maximumCount: 30)
    #expect(panels.map(\.source) == [0..<30, 30..<60, 60..<90, 90..<120])
    // Six of the 24 values of each output channel.
    #expect(
      panels[1].runs.map { [$0.offset, $0.count] }
        == [[6, 6], [30, 6], [54, 6], [78, 6], [102, 6]])
  }
}
