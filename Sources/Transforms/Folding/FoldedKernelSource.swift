import ModelIR

/// A kernel whose values are multiplied by the factor of their output channel while they are read.
///
/// Only the factors are kept in memory: panels are streamed as without them. Products are computed in Double and
/// rounded once.
struct FoldedKernelSource: TensorSource {
  private let kernel: any TensorSource
  private let channels: ChannelPlaces
  private let factors: [Double]

  /// Creates a source of the stored values of `tensor` times `factors`.
  ///
  /// - Parameter axes: the axes of the output channels, slowest first: `O`, or `I` and `M`.
  init(_ tensor: Tensor, outputAxes axes: [Axis], factors: [Double]) {
    kernel = tensor.stored.source
    channels = ChannelPlaces(tensor, outputAxes: axes)
    self.factors = factors
  }

  var elementType: ElementType { kernel.elementType }
  var count: Int { kernel.count }
  var isSequential: Bool { kernel.isSequential }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try kernel.read(range, into: values)
    channels.forEachRun(in: range) { run, channel in
      let factor = factors[channel]
      for index in run.lowerBound - range.lowerBound..<run.upperBound - range.lowerBound {
        values[index] = Float(Double(values[index]) * factor)
      }
    }
  }

  func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
    try kernel.overflows(in: range)
  }
}

/// A mapping from the values of a stored kernel to output channels.
struct ChannelPlaces: Sendable {
  private struct CountedAxis {
    /// The distance between neighbouring values along the axis.
    let stride: Int
    let size: Int
    /// The distance between their channels; negative along a reversed axis.
    let step: Int
  }

  /// The channel axes, slowest first.
  private let places: [CountedAxis]
  /// The channel of the first value.
  private let first: Int

  /// Creates the mapping for `tensor` as it is stored.
  init(_ tensor: Tensor, outputAxes: [Axis]) {
    var places: [CountedAxis] = []
    var first = 0
    var stride = 1
    for axis in tensor.storedLayout.axes.reversed() {
      let size = tensor.spec.sizes[axis] ?? 1
      if let index = outputAxes.firstIndex(of: axis), size > 1 {
        let step = outputAxes[(index + 1)...].reduce(1) { $0 * (tensor.spec.sizes[$1] ?? 1) }
        let isReversed = tensor.stored.reversed.contains(axis)
        if isReversed { first += (size - 1) * step }
        places.append(CountedAxis(stride: stride, size: size, step: isReversed ? -step : step))
      }
      stride *= size
    }
    self.places = places.reversed()
    self.first = first
  }

  /// Calls `body` with consecutive values of a channel and the channel's index, for all values in `range`.
  func forEachRun(in range: Range<Int>, _ body: (Range<Int>, Int) -> Void) {
    guard let inner = places.last else { return body(range, first) }
    var start = range.lowerBound
    while start < range.upperBound {
      // While only the fastest axis advances, the channel changes in constant steps.
      let index = start / inner.stride % inner.size
      var channel = self.channel(of: start)
      var runEnd = (start / inner.stride + 1) * inner.stride
      for _ in index..<inner.size where start < range.upperBound {
        body(start..<min(runEnd, range.upperBound), channel)
        start = runEnd
        runEnd += inner.stride
        channel += inner.step
      }
    }
  }

  private func channel(of index: Int) -> Int {
    places.reduce(first) { $0 + index / $1.stride % $1.size * $1.step }
  }
}
