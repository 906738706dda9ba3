import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension ActivationFunction {
  /// Applies the function to an array.
  ///
  /// - Throws: `badData` if the axis of softmax or log-softmax does not exist in `array`.
  package func applied(to array: NDArray<Double>) throws(NetconvError) -> NDArray<Double> {
    guard !isLinear else { return array }
    guard let axis else { return array.map { self($0) } }
    return along(AxisSlices(of: array.shape, along: try axis.indices(rank: array.rank)), of: array)
  }

  private func along(_ slices: AxisSlices, of array: NDArray<Double>) -> NDArray<Double> {
    var result = array
    for start in slices.starts {
      let places = slices.offsets.map { start + $0 }
      let values = along(places.map { array.values[$0] })
      for (place, value) in zip(places, values) { result.values[place] = value }
    }
    return result
  }

  /// Applies the function to the values of one slice.
  private func along(_ x: [Double]) -> [Double] {
    let largest = x.max() ?? 0
    let powers = x.map { exp($0 - largest) }
    let sum = powers.reduce(0, +)
    if case .logSoftmax = self { return x.map { $0 - largest - log(sum) } }
    return powers.map { $0 / sum }
  }
}
