/// A mapping from the values of a tensor, in the order of one layout, to channels.
///
/// Channels are numbered in row-major order of the layout's channel axes.
public struct ChannelMap: Sendable, Equatable {
  /// An axis, or several merged axes: the number of indices, and the channel step per index.
  private struct Loop: Sendable, Equatable {
    var size: Int
    var step: Int
    /// For each index, the number of channel steps; `nil` if they are consecutive.
    var places: [Int]?

    /// The difference between the channel at `index` and the first.
    func distance(_ index: Int) -> Int { (places?[index] ?? index) * step }
  }

  /// A run of values: the first belongs to channel ``channel``, each following one to the channel ``step`` further.
  public struct Run: Sendable, Equatable {
    /// The range of values, relative to the start of the requested range.
    public let values: Range<Int>
    /// The channel of the first value.
    public let channel: Int
    /// The channel difference between neighbouring values; 0 if all belong to one channel.
    public let step: Int
  }

  /// The number of channels.
  public let count: Int
  private let loops: [Loop]
  /// The channel of the first value.
  private let first: Int

  /// Creates the channels of values in the order `layout`.
  ///
  /// - Parameters:
  ///   - sizes: the size of each axis; an axis that is not listed has size 1.
  ///   - numbering: the channel axes, slowest first.
  ///   - reversed: the channel axes along which the numbering is reversed.
  ///   - gatePlaces: for each gate of `layout`, its index in the numbering; `nil` if these are the same.
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
    // A run has a constant step: where the order is arbitrary, each value is a run.
    if loops.last?.places != nil { loops.append(Loop(size: 1, step: 0)) }
    self.count = count
    self.first = first
    self.loops = loops
  }

  /// Calls `body` for each run of the values in `range`, in order.
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

  /// Returns the channel of the first value in the given iteration of the innermost loop.
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
  /// The axes that distinguish output channels, slowest first; `nil` for vectors, which have one value per channel, and
  /// for axes of unknown meaning.
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
  /// The channels of the values in the order of the operator's definition; `nil` if there are none.
  package var channels: ChannelMap? {
    channelAxes.map { ChannelMap(layout, sizes: sizes, numbering: $0) }
  }

  /// The number of products summed per output; `nil` for vectors.
  package var productsPerOutput: Int? {
    guard kind != .vector, let count = try? count() else { return nil }
    return count / max(1, channels?.count ?? 1)
  }
}

extension Tensor {
  /// The layout of per-channel values: the requested layout reduced to channel axes; `nil` if there are none, or if
  /// they are merged with others.
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

  /// The channels of the values in the requested layout, numbered in the order of ``channelLayout``.
  public var channels: ChannelMap? {
    channelLayout.map { ChannelMap(layout, sizes: spec.sizes, numbering: $0.axes) }
  }

  /// The channels of the values in stored order.
  public var storedChannels: ChannelMap? {
    channelLayout.map {
      ChannelMap(
        storedLayout, sizes: spec.sizes, numbering: $0.axes, reversed: rearrangement.reversed,
        gatePlaces: rearrangement.gatePlacesInTarget)
    }
  }
}
