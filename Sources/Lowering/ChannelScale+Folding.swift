import ModelIR
import Operators

extension ChannelScale {
  /// Replaces a kernel and its bias by those that compute the scaled result.
  ///
  /// Each weight is rounded once more, by half a unit in its last place.
  func fold(into parameters: inout [ParameterRole: NDArray<Float>]) {
    let channels = scale.count
    if var kernel = parameters[.kernel] {
      parameters[.kernel] = nil
      for index in kernel.values.indices {
        kernel.values[index] = Float(Double(kernel.values[index]) * scale[index % channels])
      }
      parameters[.kernel] = kernel
    }
    let bias = parameters[.bias]?.values ?? Array(repeating: 0, count: channels)
    let scaled = (0..<channels).map { (channel: Int) -> Float in
      let centred = Double(bias[channel]) - mean[channel]
      return Float(scale[channel] * centred + shift[channel])
    }
    parameters[.bias] = NDArray(shape: [channels], values: scaled)
  }
}
