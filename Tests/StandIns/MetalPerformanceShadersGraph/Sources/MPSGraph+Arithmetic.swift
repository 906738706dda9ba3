extension MPSGraph {
  /// Adds; dimensions of size 1 repeat.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/addition(_:_:name:)
  public func addition(
    _ primaryTensor: MPSGraphTensor, _ secondaryTensor: MPSGraphTensor, name: String?
  ) -> MPSGraphTensor { combine(name, primaryTensor, secondaryTensor) { $0 + $1 } }

  /// Subtracts; dimensions of size 1 repeat.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/subtraction(_:_:name:)
  public func subtraction(
    _ primaryTensor: MPSGraphTensor, _ secondaryTensor: MPSGraphTensor, name: String?
  ) -> MPSGraphTensor { combine(name, primaryTensor, secondaryTensor) { $0 - $1 } }

  /// Multiplies; dimensions of size 1 repeat.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/multiplication(_:_:name:)
  public func multiplication(
    _ primaryTensor: MPSGraphTensor, _ secondaryTensor: MPSGraphTensor, name: String?
  ) -> MPSGraphTensor { combine(name, primaryTensor, secondaryTensor) { $0 * $1 } }

  /// Divides; dimensions of size 1 repeat.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/division(_:_:name:)
  public func division(
    _ primaryTensor: MPSGraphTensor, _ secondaryTensor: MPSGraphTensor, name: String?
  ) -> MPSGraphTensor { combine(name, primaryTensor, secondaryTensor) { $0 / $1 } }

  /// The larger; dimensions of size 1 repeat.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/maximum(_:_:name:)
  public func maximum(
    _ primaryTensor: MPSGraphTensor, _ secondaryTensor: MPSGraphTensor, name: String?
  ) -> MPSGraphTensor { combine(name, primaryTensor, secondaryTensor) { max($0, $1) } }

  /// The smaller; dimensions of size 1 repeat.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/minimum(_:_:name:)
  public func minimum(
    _ primaryTensor: MPSGraphTensor, _ secondaryTensor: MPSGraphTensor, name: String?
  ) -> MPSGraphTensor { combine(name, primaryTensor, secondaryTensor) { min($0, $1) } }

  /// The first to the power of the second; dimensions of size 1 repeat.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/power(_:_:name:)
  public func power(
    _ primaryTensor: MPSGraphTensor, _ secondaryTensor: MPSGraphTensor, name: String?
  ) -> MPSGraphTensor { combine(name, primaryTensor, secondaryTensor) { pow($0, $1) } }

  /// Limits the numbers.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/clamp(_:min:max:name:)
  public func clamp(
    _ tensor: MPSGraphTensor, min minValueTensor: MPSGraphTensor,
    max maxValueTensor: MPSGraphTensor, name: String?
  ) -> MPSGraphTensor {
    let limited = combine(nil, tensor, minValueTensor) { max($0, $1) }
    return combine(name, limited, maxValueTensor) { min($0, $1) }
  }

  /// The exponential, `exp(x)`.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/exponent(with:name:)
  public func exponent(with tensor: MPSGraphTensor, name: String?) -> MPSGraphTensor {
    add(name, [tensor], .map { exp($0) })
  }

  /// The natural logarithm.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/logarithm(with:name:)
  public func logarithm(with tensor: MPSGraphTensor, name: String?) -> MPSGraphTensor {
    add(name, [tensor], .map { log($0) })
  }

  /// The square, `x * x`.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/square(with:name:)
  public func square(with tensor: MPSGraphTensor, name: String?) -> MPSGraphTensor {
    add(name, [tensor], .map { $0 * $0 })
  }

  /// The square root.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/squareroot(with:name:)
  public func squareRoot(with tensor: MPSGraphTensor, name: String?) -> MPSGraphTensor {
    add(name, [tensor], .map { $0.squareRoot() })
  }

  /// The reciprocal, `1 / x`.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/reciprocal(with:name:)
  public func reciprocal(with tensor: MPSGraphTensor, name: String?) -> MPSGraphTensor {
    add(name, [tensor], .map { 1 / $0 })
  }

  /// The absolute value, `abs(x)`.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/absolute(with:name:)
  public func absolute(with tensor: MPSGraphTensor, name: String?) -> MPSGraphTensor {
    add(name, [tensor], .map { abs($0) })
  }

  /// The negative, `-x`.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/negative(with:name:)
  public func negative(with tensor: MPSGraphTensor, name: String?) -> MPSGraphTensor {
    add(name, [tensor], .map { -$0 })
  }

  /// The hyperbolic tangent.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/tanh(with:name:)
  public func tanh(with tensor: MPSGraphTensor, name: String?) -> MPSGraphTensor {
    add(name, [tensor], .map { Foundation.tanh($0) })
  }

  /// The Gaussian error function.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/erf(with:name:)
  public func erf(with tensor: MPSGraphTensor, name: String?) -> MPSGraphTensor {
    add(name, [tensor], .map { Foundation.erf($0) })
  }

  func combine(
    _ name: String?, _ first: MPSGraphTensor, _ second: MPSGraphTensor,
    _ function: @escaping (Float, Float) -> Float
  ) -> MPSGraphTensor {
    add(
      name, [first, second],
      Rule(shape: Broadcast.shape) { inputs, result in
        let (left, right) = (inputs[0].numbers, inputs[1].numbers)
        if inputs[0].shape == inputs[1].shape {
          for index in left.indices { result.numbers[index] = function(left[index], right[index]) }
          return
        }
        Broadcast(inputs[0].shape, to: result.shape).visit { result.numbers[$0] = left[$1] }
        Broadcast(inputs[1].shape, to: result.shape).visit {
          result.numbers[$0] = function(result.numbers[$0], right[$1])
        }
      })
  }
}
