import ModelIR

// Means of windows and along axes, and interpolated pixels.

extension IntegerCalculation {
  /// Averages windows, rounding half away from zero.
  ///
  /// Source: tensorflow/lite/kernels/internal/reference/integer_ops/pooling.h and reference/pooling.h.
  func averages(
    _ operation: AveragePooling2D, _ x: QuantizedArray
  ) throws(NetconvError) -> [Int] {
    let numbers = NDArray(shape: x.shape, values: x.integers.map { Double($0) })
    let limits = limits
    return try operation.window.pooled(numbers, shape: size) { values in
      Double(Int(values.reduce(0, +)).roundedQuotient(values.count).clamped(to: limits))
    }.values.map { Int($0) }
  }

  /// Averages along axes: the count is a part of the factor.
  ///
  /// Source: tensorflow/lite/kernels/reduce.cc, `EvalQuantizedMean`.
  func means(_ operation: Reduce, _ x: QuantizedArray) throws(NetconvError) -> [Int] {
    let count = operation.axes.count(in: x.shape)
    let multiplier = QuantizedMultiplier(Double(x.quantization.scale) / Double(output.scale))
      .divided(by: count)
    let centred = x.centred
    let slices = try operation.slices(of: x.shape)
    var means: [Int] = []
    for start in slices.starts {
      let sum = slices.offsets.reduce(0) { $0 + centred[start + $1] }
      guard let narrow = Int32(exactly: sum) else { throw .meanOverflows(sum) }
      means.append(limited(multiplier(narrow)))
    }
    return means
  }

  /// Interpolates pixels: of uint8 in float32, of others with coordinates of 10 fractional bits.
  ///
  /// Source: tensorflow/lite/kernels/internal/reference/resize_bilinear.h, `ResizeBilinearInteger`.
  func resized(
    _ x: QuantizedArray, _ coordinates: SamplingCoordinates
  ) -> [Int] {
    let channels = x.shape[2]
    if x.quantization.type == .uint8 { return interpolated(x, coordinates) }
    let rows = Coordinate<Int>.all(size[0], from: x.shape[0], coordinates)
    let columns = Coordinate<Int>.all(size[1], from: x.shape[1], coordinates)
    var pixels: [Int] = []
    pixels.reserveCapacity(size.reduce(1, *))
    for row in rows {
      for column in columns {
        for c in 0..<channels {
          func pixel(_ y: Int, _ z: Int) -> Int { x.integers[(y * x.shape[1] + z) * channels + c] }
          let sum =
            pixel(row.lower, column.lower) * row.rest * column.rest
            + pixel(row.upper, column.lower) * row.part * column.rest
            + pixel(row.lower, column.upper) * row.rest * column.part
            + pixel(row.upper, column.upper) * row.part * column.part
          let half = 1 << 19
          pixels.append(((sum + (sum > 0 ? half : -half)) / (1 << 20)).clamped(to: limits))
        }
      }
    }
    return pixels
  }
}

extension IntegerCalculation {
  /// Interpolates pixels in float32, rounding half up.
  private func interpolated(
    _ x: QuantizedArray, _ coordinates: SamplingCoordinates
  ) -> [Int] {
    let (width, channels) = (x.shape[1], x.shape[2])
    let columns = Coordinate<Float>.all(size[1], from: width, coordinates)
    var pixels: [Int] = []
    for row in Coordinate<Float>.all(size[0], from: x.shape[0], coordinates) {
      for column in columns {
        for c in 0..<channels {
          func pixel(_ y: Int, _ z: Int) -> Float {
            Float(x.integers[(y * width + z) * channels + c])
          }
          let first = pixel(row.lower, column.lower) * row.rest * column.rest
          let second = pixel(row.upper, column.lower) * row.part * column.rest
          let third = pixel(row.lower, column.upper) * row.rest * column.part
          let fourth = pixel(row.upper, column.upper) * row.part * column.part
          pixels.append(Int(first + second + third + fourth + 0.5).clamped(to: limits))
        }
      }
    }
    return pixels
  }
}

/// A position between two pixels.
private struct Coordinate<Share: SignedNumeric> {
  let lower: Int
  let upper: Int
  /// The distance from the lower pixel, which is the upper one's share.
  let part: Share
  /// The lower pixel's share.
  let rest: Share

  /// Creates the position `part` after `lower`, where `whole` is the distance of two pixels.
  init(lower: Int, upper: Int, part: Share, of whole: Share) {
    (self.lower, self.upper, self.part) = (lower, upper, part)
    rest = whole - part
  }
}

extension Coordinate<Float> {
  /// Returns the positions of `count` pixels among `length`, in float32.
  static func all(
    _ count: Int, from length: Int, _ coordinates: SamplingCoordinates
  ) -> [Coordinate] {
    let step =
      coordinates == .alignCorners && count > 1
      ? Float(length - 1) / Float(count - 1) : Float(length) / Float(count)
    return (0..<count).map { index in
      let place =
        coordinates == .halfPixel ? (Float(index) + 0.5) * step - 0.5 : Float(index) * step
      let lower = max(Int(place.rounded(.down)), 0)
      return Coordinate(
        lower: lower, upper: min(Int(place.rounded(.up)), length - 1), part: place - Float(lower),
        of: 1)
    }
  }
}

extension Coordinate<Int> {
  /// Returns the positions of `count` pixels among `length`, in units of 1/1024.
  static func all(
    _ count: Int, from length: Int, _ coordinates: SamplingCoordinates
  ) -> [Coordinate] {
    let (parts, whole) =
      coordinates == .alignCorners && count > 1 ? (length - 1, count - 1) : (length, count)
    let step = (1024 * parts + whole / 2) / whole
    return (0..<count).map { index in
      let place = index * step + (coordinates == .halfPixel ? step / 2 - 512 : 0)
      let lower = max(place / 1024, 0)
      return Coordinate(
        lower: lower, upper: min((place + 1023) / 1024, length - 1), part: place - 1024 * lower,
        of: 1024)
    }
  }
}

extension NetconvError {
  fileprivate static func meanOverflows(_ sum: Int) -> NetconvError {
    NetconvError(.badData, "a sum of values is \(sum), which exceeds the 32 bits of the kernels")
  }
}
