/// The function of a neuron, for a pixel's channels.
struct Activation: Sendable {
  let type: MPSCNNNeuronType
  let a: Float
  let b: Float
  let c: Float
  /// A parameter for each channel, of `pReLU` alone.
  let channelA: [Float]

  init(_ descriptor: MPSNNNeuronDescriptor) {
    type = descriptor.neuronType
    (a, b, c) = (descriptor.a, descriptor.b, descriptor.c)
    channelA =
      descriptor.data.map { data in
        data.withUnsafeBytes { bytes in
          (0..<data.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
      } ?? []
    precondition(type != .pReLU || !channelA.isEmpty, "a pReLU neuron without data")
  }

  func apply(_ values: UnsafeMutablePointer<Float>, _ count: Int) {
    switch type {
    case .none: break
    case .reLU: forEach(values, count) { $0 >= 0 ? $0 : a * $0 }
    case .linear: forEach(values, count) { a * $0 + b }
    case .sigmoid: forEach(values, count) { 1 / (1 + exp(-$0)) }
    case .hardSigmoid: forEach(values, count) { min(max($0 * a + b, 0), 1) }
    case .tanH: forEach(values, count) { a * tanh(b * $0) }
    case .absolute: forEach(values, count) { abs($0) }
    case .softPlus: forEach(values, count) { a * softPlus(b * $0) }
    case .softSign: forEach(values, count) { $0 / (1 + abs($0)) }
    case .ELU: forEach(values, count) { $0 >= 0 ? $0 : a * (exp($0) - 1) }
    case .pReLU:
      precondition(
        count <= channelA.count, "a pReLU neuron has data for \(channelA.count) channels")
      for index in 0..<count where values[index] < 0 { values[index] *= channelA[index] }
    case .reLUN: forEach(values, count) { min($0 >= 0 ? $0 : a * $0, b) }
    case .power: forEach(values, count) { pow(a * $0 + b, c) }
    case .exponential: forEach(values, count) { c == -1 ? exp(a * $0 + b) : pow(c, a * $0 + b) }
    case .logarithm: forEach(values, count) { c == -1 ? log(a * $0 + b) : log(a * $0 + b) / log(c) }
    case .geLU: forEach(values, count) { (1 + erf($0 * Float(0.5).squareRoot())) * 0.5 * $0 }
    }
  }

  private func softPlus(_ x: Float) -> Float { max(x, 0) + log1p(exp(-abs(x))) }

  @inline(__always)
  private func forEach(
    _ values: UnsafeMutablePointer<Float>, _ count: Int, _ function: (Float) -> Float
  ) {
    for index in 0..<count { values[index] = function(values[index]) }
  }
}
