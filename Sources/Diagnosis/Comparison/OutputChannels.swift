import ModelIR

/// Which output channel each value of a parameter belongs to.
struct OutputChannels: Sendable {
  private let factors: [(stride: Int, size: Int, weight: Int)]
  /// How many there are.
  let count: Int

  fileprivate init(_ spec: ParameterSpec) {
    let axes: [Axis] =
      spec.layout.axes.contains(.outputChannels)
      ? [.outputChannels]
      : spec.kind == .depthwise ? [.inputChannels, .multiplier] : [.channels]
    var strides: [Axis: Int] = [:]
    var stride = 1
    for axis in spec.layout.axes.reversed() {
      strides[axis] = stride
      stride *= spec.sizes[axis] ?? 1
    }
    var weight = 1
    var factors: [(Int, Int, Int)] = []
    for axis in axes.reversed() {
      guard let stride = strides[axis] else { continue }
      let size = spec.sizes[axis] ?? 1
      factors.append((stride, size, weight))
      weight *= size
    }
    self.factors = factors
    count = weight
  }

  /// The channel of the value at `index` of the spec's layout.
  func channel(of index: Int) -> Int {
    factors.reduce(0) { $0 + index / $1.stride % $1.size * $1.weight }
  }
}

extension ParameterSpec {
  /// Which output channel each value belongs to; of a depthwise kernel, I · M of them.
  var outputChannels: OutputChannels { OutputChannels(self) }

  /// The number of output channels.
  var outputChannelCount: Int { outputChannels.count }
}
