import ModelIR
import Testing

@Suite struct ChannelMapTests {
  private static let sizes: [Axis: Int] = [
    .outputChannels: 5, .inputChannels: 3, .height: 2, .width: 4, .multiplier: 2,
  ]

  /// The positions of values in a layout: for each value, its index along each axis.
  private static func places(_ layout: Layout) -> [[Axis: Int]] {
    layout.axes.reduce([[:]]) { places, axis in
      places.flatMap { place in
        (0..<(sizes[axis] ?? 1)).map { place.merging([axis: $0]) { $1 } }
      }
    }
  }

  private static func number(_ place: [Axis: Int], _ axes: [Axis]) -> Int {
    axes.reduce(0) { $0 * (sizes[$1] ?? 1) + (place[$1] ?? 0) }
  }

  /// The channel of each value of `range`, from the runs.
  private static func channels(_ map: ChannelMap, _ range: Range<Int>) -> [Int] {
    var channels: [Int] = []
    map.forEachRun(in: range) { run in
      #expect(run.values.lowerBound == channels.count)
      for place in 0..<run.values.count { channels.append(run.channel + place * run.step) }
    }
    return channels
  }

  private static func tensor(
    _ kind: ParameterKind, _ stored: String, _ wanted: String, reversed: Set<Axis> = []
  ) throws -> Tensor {
    let from = try #require(Layout(stored))
    let spec = ParameterSpec(.kernel, kind, from, sizes.filter { from.axes.contains($0.key) })
    return try Tensor(
      layer: "l", spec: spec,
      stored: StoredTensor(
        source: ArraySource([]), layout: from, shape: nil, path: "k")
    ).rearranged(to: try #require(Layout(wanted)), reversed: reversed)
  }

  @Test(
    arguments: [
      (ParameterKind.convolution, "HWIO", "OHWI", "O"), (.convolution, "OIHW", "HWIO", "O"),
      (.convolution, "OHWI", "IHOW", "O"), (.transposedConvolution, "HWOI", "OHWI", "O"),
      (.fullyConnected, "(HWI)O", "OHWI", "O"), (.fullyConnected, "O(IHW)", "(HWI)O", "O"),
      (.fullyConnected, "IO", "OI", "O"), (.depthwise, "HWIM", "IMHW", "IM"),
      (.depthwise, "HWIM", "1HW(IM)", "(IM)"), (.depthwise, "IMHW", "MHWI", "MI"),
      (.depthwise, "MHWI", "HWIM", "IM"),
    ])
  func `each value has the channel that its axes say`(
    kind: ParameterKind, stored: String, wanted: String, channels: String
  ) throws {
    let (from, to) = (try #require(Layout(stored)), try #require(Layout(wanted)))
    for reversed: Set<Axis> in [[], [.width], [.outputChannels], [.inputChannels, .height]] {
      let tensor = try Self.tensor(kind, stored, wanted, reversed: reversed)
      let layout = try #require(tensor.channelLayout)
      #expect(layout.description == channels)
      let expected = Self.places(to).map { Self.number($0, layout.axes) }
      let storedExpected = Self.places(from).map { place in
        var place = place
        for axis in reversed.intersection(from.axes) {
          place[axis] = (Self.sizes[axis] ?? 1) - 1 - (place[axis] ?? 0)
        }
        return Self.number(place, layout.axes)
      }
      let (map, storedMap) = (try #require(tensor.channels), try #require(tensor.storedChannels))
      #expect(map.count == (expected.max() ?? 0) + 1)
      for start in 0..<expected.count {
        let range = start..<min(start + 17, expected.count)
        #expect(Self.channels(map, range) == Array(expected[range]))
        #expect(Self.channels(storedMap, range) == Array(storedExpected[range]))
      }
    }
  }

  @Test func `vectors, unknown axes and merged channels have none`() throws {
    #expect(try Self.tensor(.vector, "O", "O").channelLayout == nil)
    #expect(try Self.tensor(.unknown, "HW", "HW").channelLayout == nil)
    #expect(try Self.tensor(.convolution, "HW(IO)", "HW(IO)").channelLayout == nil)
  }

  @Test func `a kernel without the axis of its channels has one`() throws {
    let tensor = try Self.tensor(.fullyConnected, "I", "I")
    #expect(tensor.channelLayout?.description == "1")
    #expect(try #require(tensor.channels).count == 1)
  }
}
