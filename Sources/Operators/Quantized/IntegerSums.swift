import ModelIR

/// The integers of a convolution's or fully-connected layer's kernel and bias, and the factors that rescale its sums.
///
/// Source: tensorflow/lite/kernels/kernel_util.cc, `PopulateConvolutionQuantizationParams`; internal/reference: `conv.h`,
/// `depthwiseconv_uint8.h`, `fully_connected.h`; internal/reference/integer_ops: `conv.h`, `depthwise_conv.h`,
/// `fully_connected.h`, `transpose_conv.h`.
package struct IntegerSums: Sendable {
  /// The operator that sums the products.
  package let operation: any SummingOperator
  /// The integers of the kernel without their zero point.
  package let kernel: NDArray<Double>
  private let input: Quantization
  private let output: Quantization
  private let limits: ClosedRange<Int>
  private let bias: [Int]
  private let multipliers: [QuantizedMultiplier]
  /// The factors of a fully-connected layer, whose kernels round once in float64; empty for convolutions.
  private let factors: [Double]

  /// Returns true if the layer sums products of integers.
  package static func areComputed(by layer: Quantized) -> Bool {
    guard layer.output != nil, layer.inputs.count == 1,
      case .sums = IntegerDefinition(layer.operation)
    else { return false }
    return true
  }

  /// Recovers the integers from the numbers of the parameters.
  ///
  /// - Throws: `badData` if the kernel has a number that is no multiple of its scale.
  package init(
    _ layer: Quantized, _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) {
    guard case .sums(let operation) = IntegerDefinition(layer.operation),
      let output = layer.output, let input = layer.inputs.first,
      let kernel = parameters[.kernel]
    else { throw .noKernelOfIntegers }
    self.operation = operation
    (self.input, self.output, limits) = (input, output, layer.limits)
    let channels = operation.channels(of: kernel.shape)
    self.kernel = try layer.integers(
      of: kernel, channels, run: operation.hasInputsLast ? kernel.shape[kernel.rank - 1] : 1)
    bias = try layer.integers(of: parameters[.bias], input, channels)
    // Convolutions of uint8 multiply scales in float32.
    let isSingle = output.type == .uint8 && !(operation is Dense)
    let factors = (0..<channels).map { channel in
      let scale = layer.scale(channel)
      let product =
        isSingle ? Double(input.scale * scale) : Double(input.scale) * Double(scale)
      return product / Double(output.scale)
    }
    multipliers = factors.map { QuantizedMultiplier($0) }
    self.factors = operation is Dense ? factors : []
  }

  /// Returns the integers of the output for those of the input.
  ///
  /// Double holds the sums exactly: they are below 2⁵³ by far.
  func integers(_ x: QuantizedArray) throws(NetconvError) -> [Int] {
    let centred = NDArray(shape: x.shape, values: x.centred.map { Double($0) })
    let sums = try operation.evaluate([centred], [.kernel: kernel]).values
    var integers = [Int](repeating: 0, count: sums.count)
    for index in sums.indices {
      integers[index] = try integer(Int(sums[index]), index % multipliers.count)
    }
    return integers
  }

  /// Returns the output for a sum: fully-connected layers round once, half away from zero, convolutions twice.
  ///
  /// Sums of products of 16 bits may have more than 32.
  @inline(__always)
  private func integer(_ products: Int, _ channel: Int) throws(NetconvError) -> Int {
    let sum = products + bias[channel]
    let isWide = output.type == .int16
    guard isWide ? abs(sum) < 1 << 47 : Int32(exactly: sum) != nil else {
      throw .sumOverflows(sum)
    }
    if !factors.isEmpty {
      let scaled = (Double(sum) * factors[channel]).rounded(.toNearestOrAwayFromZero)
      return (Int(max(-0x1p40, min(0x1p40, scaled))) + output.zeroPoint).clamped(to: limits)
    }
    let multiplier = multipliers[channel]
    if isWide { return (Int(multiplier.wide(Int64(sum))) + output.zeroPoint).clamped(to: limits) }
    guard multiplier.takes(sum) else { throw .sumOverflows(sum) }
    return (Int(multiplier(Int32(sum))) + output.zeroPoint).clamped(to: limits)
  }
}

// MARK: - In float32

extension IntegerSums {
  /// Kernels of integers whose sums float32 holds exactly: the kernel, or its last four bits and the others.
  ///
  /// - Returns: `nil` if some sums may need more than 24 bits even so.
  package var exactParts: [NDArray<Float>]? {
    let whole = kernel.converted(to: Float.self)
    if isExact(whole) { return [whole] }
    let upper = whole.map { ($0 / 16).rounded() }
    let lower = NDArray(
      shape: whole.shape, values: zip(whole.values, upper.values).map { $0 - 16 * $1 })
    return isExact(lower) && isExact(upper) ? [lower, upper] : nil
  }

  private func isExact(_ part: NDArray<Float>) -> Bool {
    var sums = [Double](repeating: 0, count: multipliers.count)
    let run = operation.hasInputsLast ? part.shape[part.rank - 1] : 1
    for (index, value) in part.values.enumerated() {
      sums[index / run % sums.count] += Double(abs(value))
    }
    let range = input.range
    let largest = max(
      input.zeroPoint - range.lowerBound, range.upperBound - input.zeroPoint)
    return sums.allSatisfy { $0 * Double(largest) <= 0x1p24 }
  }

  /// Writes the integers of numbers, without their zero point.
  ///
  /// - Throws: `badData` if a number is no multiple of the scale.
  package func centre(
    _ numbers: UnsafeBufferPointer<Float>, into integers: UnsafeMutablePointer<Float>
  ) throws(NetconvError) {
    for index in numbers.indices {
      integers[index] = Float(try input.integer(Double(numbers[index])) - input.zeroPoint)
    }
  }

  /// Writes the numbers of the output for sums of ``exactParts``.
  ///
  /// - Throws: `badData` if a sum exceeds the bits that kernels sum in.
  package func finish(
    _ parts: [UnsafePointer<Float>], count: Int, into numbers: UnsafeMutablePointer<Float>
  ) throws(NetconvError) {
    let channels = multipliers.count
    let lower = parts[0]
    let upper = parts.count > 1 ? parts[1] : nil
    var channel = 0
    for index in 0..<count {
      let sum = Int(lower[index]) + 16 * Int(upper?[index] ?? 0)
      numbers[index] = output.number(try integer(sum, channel))
      channel += 1
      if channel == channels { channel = 0 }
    }
  }

  /// Returns the numbers of the output for those of the input, with sums in Double.
  ///
  /// - Throws: `badData` if a number is no multiple of the scale, or a sum has too many bits.
  package func evaluate(_ x: NDArray<Double>) throws(NetconvError) -> [Float] {
    let array = QuantizedArray(
      shape: x.shape, integers: try input.integers(x.values), quantization: input)
    return try integers(array).map { output.number($0) }
  }
}

extension Quantized {
  /// The scale of an output channel's weights.
  func scale(_ channel: Int) -> Float {
    kernelScales[kernelScales.count == 1 ? 0 : channel]
  }

  /// The integers of a kernel without their zero point.
  ///
  /// - Parameter run: the number of consecutive values of an output channel.
  func integers(
    of kernel: NDArray<Double>, _ channels: Int, run: Int = 1
  ) throws(NetconvError) -> NDArray<Double> {
    var kernel = kernel
    for index in kernel.values.indices {
      let scale = Double(scale(index / run % channels))
      // With a scale of 0, the sums do not matter.
      guard scale > 0 else {
        kernel.values[index] = 0
        continue
      }
      let quotient = kernel.values[index] / scale
      let nearest = quotient.rounded()
      guard abs(quotient - nearest) <= 0.25, abs(nearest) <= 255 else {
        throw NetconvError.noMultipleInKernel(kernel.values[index], scale)
      }
      kernel.values[index] = nearest
    }
    return kernel
  }

  /// The integers of the bias, whose scales are those of the products.
  fileprivate func integers(
    of bias: NDArray<Double>?, _ input: Quantization, _ channels: Int
  ) throws(NetconvError) -> [Int] {
    var integers = [Int](repeating: 0, count: channels)
    for channel in integers.indices {
      let scale = Self.biasScale(input.scale, scale(channel))
      if let bias, scale > 0 {
        let quotient = (bias.values[channel] / scale).rounded()
        guard abs(quotient) <= 0x1p52 else { throw .sumOverflows(Int.max) }
        integers[channel] = Int(quotient)
      }
      if !biasRemainders.isEmpty { integers[channel] += biasRemainders[channel] }
    }
    return integers
  }

  /// Returns the scale of a channel's bias.
  public static func biasScale(_ input: Float, _ kernel: Float) -> Double {
    Double(input) * Double(kernel)
  }
}

extension SummingOperator {
  /// True if the kernel's last axis is the input channels, not the output channels.
  fileprivate var hasInputsLast: Bool { self is TransposedConvolution2D }

  /// The number of output channels of a kernel of the given shape.
  fileprivate func channels(of shape: [Int]) -> Int {
    if hasInputsLast { return shape[shape.count - 2] }
    return self is DepthwiseConvolution2D ? shape.suffix(2).reduce(1, *) : shape[shape.count - 1]
  }
}

extension NetconvError {
  fileprivate static var noKernelOfIntegers: NetconvError {
    NetconvError(.badData, "the layer has no kernel of integers")
  }

  fileprivate static func sumOverflows(_ sum: Int) -> NetconvError {
    NetconvError(
      .badData,
      "a sum of products is \(sum), which exceeds the bits that the kernels sum and scale in")
  }

  fileprivate static func noMultipleInKernel(_ number: Double, _ scale: Double) -> NetconvError {
    NetconvError(
      .badData,
      "the kernel has \(number), expected multiples of its scale, \(scale), as far as integers go"
    ).inTensor(ParameterRole.kernel.rawValue)
  }
}
