/// Which channel each value of a tensor belongs to, for values that come in the order of one layout.
///
/// Channels are numbered as the channel axes of the layout count, the last one fastest.
public struct ChannelMap: Sendable, Equatable {
  /// An axis, or several that count as one: how many values it has, and how far the channel goes with each.
  private struct Loop: Sendable, Equatable {
    var size: Int
    var step: Int
    /// Of each value, how many steps the channel goes; `nil` where these follow one another.
    var places: [Int]?

    /// How far the channel of value number `index` is from the first.
    func distance(_ index: Int) -> Int { (places?[index] ?? index) * step }
  }

  /// Consecutive values of which the first is of channel ``channel``, and each next one ``step`` channels on.
  public struct Run: Sendable, Equatable {
    /// The values, counted from the first that was asked for.
    public let values: Range<Int>
    /// The channel of the first value.
    public let channel: Int
    /// 0 if all values are of one channel.
    public let step: Int
  }

  /// The number of channels.
  public let count: Int
  private let loops: [Loop]
  /// The channel of the first value.
  private let first: Int

  /// The channels of values in the order `layout`.
  ///
  /// - Parameters:
  ///   - sizes: the size of each axis; an axis that is not listed has size 1.
  ///   - numbering: the axes that tell channels apart, slowest first.
  ///   - reversed: of these, the ones along which the numbering runs against the values.
  ///   - gatePlaces: of each gate of `layout`, its place in the numbering; `nil` where these are the same.
  init(
    _ layout: Layout, sizes: [Axis: Int], numbering: [Axis], reversed: Set<Axis> = [],
    gatePlaces: [Int]? = nil
  ) {
    var steps: [Axis: Int] = [:]
    var count = 1
    for axis in numbering.reversed() {
      steps[axis] = count
      count *= sizes[axis] ?? 1
    }
    var first = 0
    var loops: [Loop] = []
    for axis in layout.axes where sizes[axis] ?? 1 != 1 {
      let size = sizes[axis] ?? 1
      var step = steps[axis] ?? 0
      if reversed.contains(axis) {
        first += step * (size - 1)
        step.negate()
      }
      let places = axis == .gates ? gatePlaces : nil
      if let outer = loops.last, outer.step == size * step, outer.places == nil, places == nil {
        loops[loops.count - 1] = Loop(size: outer.size * size, step: step)
      } else {
        loops.append(Loop(size: size, step: step, places: places))
      }
    }
    // Runs have one step: of channels without an order, each value is a run.
    if loops.last?.places != nil { loops.append(Loop(size: 1, step: 0)) }
    self.count = count
    self.first = first
    self.loops = loops
  }

  /// Calls `body` for the runs of the values at `range`, in order.
  @inline(__always)
  public func forEachRun(in range: Range<Int>, _ body: (Run) -> Void) {
    guard let inner = loops.last, inner.size > 0 else {
      return body(Run(values: 0..<range.count, channel: first, step: 0))
    }
    var index = range.lowerBound
    while index < range.upperBound {
      let place = index % inner.size
      let end = min(range.upperBound, index - place + inner.size)
      let values = index - range.lowerBound..<end - range.lowerBound
      body(
        Run(
          values: values, channel: start(ofRun: index / inner.size) + place * inner.step,
          step: inner.step))
      index = end
    }
  }

  /// The channel of the first value of run number `run` of the innermost loop.
  private func start(ofRun run: Int) -> Int {
    var rest = run
    var channel = first
    for loop in loops.dropLast().reversed() {
      channel += loop.distance(rest % loop.size)
      rest /= loop.size
    }
    return channel
  }
}

extension ParameterSpec {
  /// The axes that tell output channels apart, slowest first; `nil` for vectors, which have one value for each, and
  /// where nobody knows what the axes are.
  var channelAxes: [Axis]? {
    switch kind {
    case .convolution, .transposedConvolution, .fullyConnected: [.outputChannels]
    case .depthwise: [.inputChannels, .multiplier]
    case .recurrent: layout.axes.contains(.gates) ? [.gates, .units] : [.units]
    case .recurrentConvolution: [.gates, .units]
    case .locallyConnected, .embedding: [.outputChannels]
    case .vector, .unknown: nil
    }
  }
}

extension ParameterSpec {
  /// The channels of the values in the order of the operator's definition; `nil` where there are none to tell.
  package var channels: ChannelMap? {
    channelAxes.map { ChannelMap(layout, sizes: sizes, numbering: $0) }
  }

  /// The number of products that one output is summed from; `nil` for vectors.
  package var productsPerOutput: Int? {
    guard kind != .vector, let count = try? count() else { return nil }
    return count / max(1, channels?.count ?? 1)
  }
}

extension Tensor {
  /// The order of one value for each output channel: the wanted layout without the other axes; `nil` if the
  /// parameter has none, or an axis is merged with others.
  ///
  /// `O` for `OHWI`, `IM` for `IMHW`, `(IM)` for `1HW(IM)`.
  public var channelLayout: Layout? {
    guard let channelAxes = spec.channelAxes else { return nil }
    var dimensions: [Layout.Dimension] = []
    for dimension in layout.dimensions {
      let axes = dimension.axes.filter(channelAxes.contains)
      guard axes.isEmpty || axes.count == dimension.axes.count else { return nil }
      if !axes.isEmpty { dimensions.append(dimension) }
    }
    return try? Layout(dimensions.isEmpty ? [.init([])] : dimensions, gates: layout.gates)
  }

  /// The channels of the values in the wanted layout, numbered in the order of ``channelLayout``.
  public var channels: ChannelMap? {
    channelLayout.map { ChannelMap(layout, sizes: spec.sizes, numbering: $0.axes) }
  }

  /// The same channels for the values in the order in which they are stored.
  public var storedChannels: ChannelMap? {
    channelLayout.map {
      ChannelMap(
        storedLayout, sizes: spec.sizes, numbering: $0.axes, reversed: rearrangement.reversed,
        gatePlaces: rearrangement.gatePlacesInTarget)
    }
  }
}
