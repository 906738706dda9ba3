/// Combines two images number by number: the scaled numbers, plus ``bias``, clamped.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnarithmetic
open class MPSCNNArithmetic: MPSCNNBinaryKernel {
  /// A factor for the first image.
  open var primaryScale: Float = 1
  /// A factor for the second image.
  open var secondaryScale: Float = 1
  /// Added at the end.
  open var bias: Float = 0
  /// 1, or 0 to use the first channel everywhere.
  open var primaryStrideInFeatureChannels = 1
  /// 1, or 0 to use the first channel everywhere.
  open var secondaryStrideInFeatureChannels = 1
  /// The smallest result.
  open var minimumValue = -Float.greatestFiniteMagnitude
  /// The largest result.
  open var maximumValue = Float.greatestFiniteMagnitude

  func combine(_ first: Float, _ second: Float) -> Float {
    preconditionFailure("use a subclass of MPSCNNArithmetic")
  }

  override func outputChannels(_ primary: Int, _ secondary: Int) -> Int {
    let channels = primaryStrideInFeatureChannels == 0 ? secondary : primary
    precondition(
      secondaryStrideInFeatureChannels == 0 || secondary >= channels,
      "the images have \(primary) and \(secondary) channels")
    return channels
  }

  override func body() -> Pass.Body {
    let strides = (
      (primaryStrideInPixelsX, primaryStrideInPixelsY, primaryStrideInFeatureChannels),
      (secondaryStrideInPixelsX, secondaryStrideInPixelsY, secondaryStrideInFeatureChannels)
    )
    let (scales, bias) = ((primaryScale, secondaryScale), bias)
    let (least, most) = (minimumValue, maximumValue)
    return { [self] inputs, output in
      for y in 0..<output.height {
        for x in 0..<output.width {
          let first = inputs[0].pixel(x * strides.0.0, y * strides.0.1)
          let second = inputs[1].pixel(x * strides.1.0, y * strides.1.1)
          let result = output.pixel(x, y)
          for c in 0..<output.plane.channels {
            let value =
              combine(
                scales.0 * (first?[c * strides.0.2] ?? 0),
                scales.1 * (second?[c * strides.1.2] ?? 0)) + bias
            result[c] = min(max(value, least), most)
          }
        }
      }
    }
  }
}

extension Pass.Input {
  /// A pixel from the offset on; none is zeros.
  fileprivate func pixel(_ x: Int, _ y: Int) -> UnsafeMutablePointer<Float>? {
    plane.pixel(self.x + x, self.y + y, clamps: edgeMode == .clamp)
  }
}

/// A sum, `primaryScale * x + secondaryScale * y + bias`.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnadd
open class MPSCNNAdd: MPSCNNArithmetic {
  override func combine(_ first: Float, _ second: Float) -> Float { first + second }
}

/// A difference, `primaryScale * x - secondaryScale * y + bias`.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnsubtract
open class MPSCNNSubtract: MPSCNNArithmetic {
  override func combine(_ first: Float, _ second: Float) -> Float { first - second }
}

/// A product, `(primaryScale * x) * (secondaryScale * y) + bias`.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnmultiply
open class MPSCNNMultiply: MPSCNNArithmetic {
  override func combine(_ first: Float, _ second: Float) -> Float { first * second }
}

/// A quotient, `(primaryScale * x) / (secondaryScale * y) + bias`.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnndivide
open class MPSCNNDivide: MPSCNNArithmetic {
  override func combine(_ first: Float, _ second: Float) -> Float { first / second }
}
