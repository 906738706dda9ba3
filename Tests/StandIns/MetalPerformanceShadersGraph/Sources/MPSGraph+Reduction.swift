extension MPSGraph {
  /// The sum along an axis, which then has the size 1.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/reductionsum(with:axis:name:)
  public func reductionSum(
    with tensor: MPSGraphTensor, axis: Int, name: String?
  ) -> MPSGraphTensor { reduce(name, tensor, [axis]) { $0.reduce(0, +) } }

  /// The sum along axes, which then have the size 1.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/reductionsum(with:axes:name:)
  public func reductionSum(
    with tensor: MPSGraphTensor, axes: [NSNumber], name: String?
  ) -> MPSGraphTensor { reduce(name, tensor, axes.map(\.intValue)) { $0.reduce(0, +) } }

  /// The largest along an axis, which then has the size 1.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/reductionmaximum(with:axis:name:)
  public func reductionMaximum(
    with tensor: MPSGraphTensor, axis: Int, name: String?
  ) -> MPSGraphTensor { reduce(name, tensor, [axis]) { $0.reduce(-.infinity) { max($0, $1) } } }

  /// The largest along axes, which then have the size 1.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/reductionmaximum(with:axes:name:)
  public func reductionMaximum(
    with tensor: MPSGraphTensor, axes: [NSNumber], name: String?
  ) -> MPSGraphTensor {
    reduce(name, tensor, axes.map(\.intValue)) { $0.reduce(-.infinity) { max($0, $1) } }
  }

  /// The mean along axes, which then have the size 1.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/mean(of:axes:name:)
  public func mean(of tensor: MPSGraphTensor, axes: [NSNumber], name: String?) -> MPSGraphTensor {
    reduce(name, tensor, axes.map(\.intValue)) { $0.reduce(0, +) / Float($0.count) }
  }

  /// The variance along axes, which then have the size 1: the mean of the squared differences from the mean.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/variance(of:axes:name:)
  public func variance(
    of tensor: MPSGraphTensor, axes: [NSNumber], name: String?
  ) -> MPSGraphTensor {
    reduce(name, tensor, axes.map(\.intValue)) { numbers in
      let mean = numbers.reduce(0, +) / Float(numbers.count)
      return numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(numbers.count)
    }
  }

  /// `gamma * (x - mean) / sqrt(variance + epsilon) + beta`; dimensions of size 1 repeat.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/normalize(_:mean:variance:gamma:beta:epsilon:name:)
  public func normalize(
    _ tensor: MPSGraphTensor, mean: MPSGraphTensor, variance: MPSGraphTensor,
    gamma: MPSGraphTensor?, beta: MPSGraphTensor?, epsilon: Float, name: String?
  ) -> MPSGraphTensor {
    add(
      name, [tensor, mean, variance] + [gamma, beta].compactMap { $0 },
      Rule(shape: { $0[0] }) { inputs, result in
        func combine(_ other: Value, _ function: (Float, Float) -> Float) {
          Broadcast(other.shape, to: result.shape).visit {
            result.numbers[$0] = function(result.numbers[$0], other.numbers[$1])
          }
        }
        result.numbers.baseAddress?.update(from: inputs[0].first, count: result.count)
        combine(inputs[1]) { $0 - $1 }
        combine(inputs[2]) { $0 / ($1 + epsilon).squareRoot() }
        if gamma != nil { combine(inputs[3]) { $0 * $1 } }
        if beta != nil { combine(inputs[gamma == nil ? 3 : 4]) { $0 + $1 } }
      })
  }

  private func reduce(
    _ name: String?, _ tensor: MPSGraphTensor, _ axes: [Int],
    _ function: @escaping ([Float]) -> Float
  ) -> MPSGraphTensor {
    let axes = axes.map(tensor.dimension)
    return add(
      name, [tensor],
      Rule(shape: { shapes in
        shapes[0].indices.map { axes.contains($0) ? 1 : shapes[0][$0] }
      }) { inputs, result in
        inputs[0].forEachLine(along: axes) { line, places in
          result.numbers[line] = function(places.map { inputs[0].numbers[$0] })
        }
      })
  }
}
