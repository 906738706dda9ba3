extension MPSGraph {
  /// The rectified linear unit, `max(x, 0)`.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/relu(with:name:)
  public func reLU(with tensor: MPSGraphTensor, name: String?) -> MPSGraphTensor {
    add(name, [tensor], .map { max($0, 0) })
  }

  /// The sigmoid, `1 / (1 + exp(-x))`.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/sigmoid(with:name:)
  public func sigmoid(with tensor: MPSGraphTensor, name: String?) -> MPSGraphTensor {
    add(name, [tensor], .map { 1 / (1 + exp(-$0)) })
  }

  /// The leaky rectified linear unit, `x >= 0 ? x : alpha * x`.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/leakyrelu(with:alpha:name:)
  public func leakyReLU(
    with tensor: MPSGraphTensor, alpha: Double, name: String?
  ) -> MPSGraphTensor {
    precondition(0 <= alpha && alpha <= 1, "an alpha of \(alpha) is not documented")
    return add(name, [tensor], .map { $0 >= 0 ? $0 : Float(alpha) * $0 })
  }

  /// `exp(x)` over the sum of all `exp(x)` along the axis; a negative axis counts from the end.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/softmax(with:axis:name:)
  public func softMax(with tensor: MPSGraphTensor, axis: Int, name: String?) -> MPSGraphTensor {
    let axis = tensor.dimension(axis)
    return add(
      name, [tensor],
      Rule(shape: { $0[0] }) { inputs, result in
        let source = inputs[0]
        source.forEachLine(along: [axis]) { _, places in
          let largest = places.reduce(-Float.infinity) { max($0, source.numbers[$1]) }
          let sum = places.reduce(0) { $0 + exp(source.numbers[$1] - largest) }
          for place in places {
            result.numbers[place] = exp(source.numbers[place] - largest) / sum
          }
        }
      })
  }
}

extension MPSGraphTensor {
  /// An axis from the front.
  func dimension(_ axis: Int) -> Int {
    precondition((-sizes.count..<sizes.count).contains(axis), "axis \(axis) of \(sizes)")
    return axis < 0 ? axis + sizes.count : axis
  }
}

extension Value {
  /// Calls with the indices of the numbers that differ in these dimensions only, and the number of the line.
  func forEachLine(along dimensions: [Int], _ body: (_ line: Int, _ places: [Int]) -> Void) {
    var strides = [Int](repeating: 1, count: shape.count)
    for d in shape.indices.dropLast().reversed() { strides[d] = strides[d + 1] * shape[d + 1] }
    func places(_ dimensions: [Int]) -> [Int] {
      dimensions.reduce([0]) { places, dimension in
        places.flatMap { place in
          (0..<shape[dimension]).map { place + $0 * strides[dimension] }
        }
      }
    }
    let within = places(dimensions.sorted())
    for (line, first) in places(shape.indices.filter { !dimensions.contains($0) }).enumerated() {
      body(line, within.map { first + $0 })
    }
  }
}
