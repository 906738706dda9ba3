import Foundation
import MetalPerformanceShadersGraph

/// Adds layers to the graph, with their parameters.
///
/// The batch is in front; images are NHWC, that is batch, height, width and channels. What layers have in common is not
/// inlined: of a large network that would take the compiler minutes.
#if storesHalves
///
/// A graph rounds what each operation gives to the type of its tensors. Convolutions and matrix products of halves
/// are what a device does fastest, and MPSGraph leaves no choice of what they add up in; the bias and the rectifier
/// behind them lose little. All of these stay halves. What takes several operations, or needs parameters that
/// halves do not hold, is computed in floats, and is rounded when it is complete.
#endif
struct NAMELayers {
  let graph: MPSGraph
  let parameters: NAMEParameters

  #if inFloats
  /// Computes in floats, and rounds the result.
  @inline(never)
  func inFloats(
    _ source: MPSGraphTensor, name: String? = nil,
    _ function: (MPSGraphTensor) throws -> MPSGraphTensor
  ) rethrows -> MPSGraphTensor {
    let result = try function(graph.cast(source, to: .float32, name: nil))
    return graph.cast(result, to: NAME.format, name: name)
  }
  #endif

  #if kernel
  /// A kernel where it lies, which stays there for as long as the graph has the data.
  @inline(never)
  func kernel(_ layer: String, _ role: String, shape: [Int]) throws -> MPSGraphTensor {
    let kernel = try parameters.tensor(layer, role, shape, isHalf: NAME.format == .float16)
    guard kernel.shape == shape, kernel.isHalf == (NAME.format == .float16) else {
      throw NAMEError("the \(role) of \(layer) is no \(shape) of the type of tensors")
    }
    return graph.constant(
      kernel.data, shape: shape.map { NSNumber(value: $0) }, dataType: NAME.format)
  }
  #endif

  #if checked
  /// What a layer of the app gives, if it is what the network goes on with.
  ///
  /// - Parameter shape: without the batch, whose size has to stay open.
  @inline(never)
  func checked(
    _ tensor: MPSGraphTensor, layer: String, shape: [Int]
  ) throws -> MPSGraphTensor {
    guard tensor.dataType == NAME.format else {
      throw NAMEError("the app's layer \(layer) gives a tensor of another type than NAME.format")
    }
    // What the graph does not know before it is compiled cannot be seen.
    guard let found = tensor.shape?.map(\.intValue) else { return tensor }
    let expected = [-1] + shape
    guard found.count == expected.count, found[0] < 0,
      zip(found, expected).allSatisfy({ $0 < 0 || $0 == $1 })
    else {
      throw NAMEError(
        "the app's layer \(layer) gives a tensor of \(found), not \(expected); -1 is the batch")
    }
    return tensor
  }
  #endif

  #if parameter
  /// Floats, whatever kernels are.
  ///
  /// - Parameter shape: that of tensors of the network; where it is 1, all values get the same number.
  @inline(never)
  func parameter(_ layer: String, _ role: String, shape: [Int]) throws -> MPSGraphTensor {
    let parameter = try parameters.tensor(layer, role, Array(shape.drop { $0 == 1 }))
    guard !parameter.isHalf else { throw NAMEError("the \(role) of \(layer) is no floats") }
    return graph.constant(
      parameter.data, shape: shape.map { NSNumber(value: $0) }, dataType: .float32)
  }
  #endif

  #if bias
  #if storesHalves
  /// Adds a bias, one number for each channel; it is rounded once, when the graph is compiled.
  @inline(never)
  func bias(_ layer: String, channels: Int, to sums: MPSGraphTensor) throws -> MPSGraphTensor {
    let bias = try parameter(layer, "bias", shape: [channels])
    return graph.addition(
      sums, graph.cast(bias, to: NAME.format, name: nil), name: "\(layer)_bias")
  }
  #else
  /// Adds a bias, one number for each channel.
  @inline(never)
  func bias(_ layer: String, channels: Int, to sums: MPSGraphTensor) throws -> MPSGraphTensor {
    graph.addition(
      sums, try parameter(layer, "bias", shape: [channels]), name: "\(layer)_bias")
  }
  #endif
  #endif

  #if convolution
  /// A convolution; zeros lie around the image.
  ///
  /// - Parameters:
  ///   - kernel: height, width, input channels of a group, output channels.
  ///   - padding: in pixels; given as numbers, since not every model pads as `TF_SAME` does.
  @inline(never)
  func convolution(
    _ source: MPSGraphTensor, layer: String, role: String = "kernel", kernel shape: [Int],
    stride: (x: Int, y: Int) = (1, 1), dilation: (x: Int, y: Int) = (1, 1), groups: Int = 1,
    padding: (left: Int, right: Int, top: Int, bottom: Int) = (0, 0, 0, 0),
    bias hasBias: Bool = true
  ) throws -> MPSGraphTensor {
    guard
      let descriptor = MPSGraphConvolution2DOpDescriptor(
        strideInX: stride.x, strideInY: stride.y, dilationRateInX: dilation.x,
        dilationRateInY: dilation.y, groups: groups, paddingLeft: padding.left,
        paddingRight: padding.right, paddingTop: padding.top, paddingBottom: padding.bottom,
        paddingStyle: .explicit, dataLayout: .NHWC, weightsLayout: .HWIO)
    else { throw NAMEError("\(layer) is no convolution that MPSGraph has") }
    let sums = graph.convolution2D(
      source, weights: try kernel(layer, role, shape: shape), descriptor: descriptor, name: layer)
    return hasBias ? try bias(layer, channels: shape[3], to: sums) : sums
  }
  #endif

  #if depthwiseConvolution
  /// A convolution of each channel with kernels of its own; zeros lie around the image.
  ///
  /// - Parameters:
  ///   - kernel: height, width, channels, and how many output channels each of them gets, which lie next to one
  ///     another. In `HWIO` the O stands for these.
  ///   - padding: in pixels; given as numbers, since not every model pads as `TF_SAME` does.
  @inline(never)
  func depthwiseConvolution(
    _ source: MPSGraphTensor, layer: String, role: String = "kernel", kernel shape: [Int],
    stride: (x: Int, y: Int) = (1, 1), dilation: (x: Int, y: Int) = (1, 1),
    padding: (left: Int, right: Int, top: Int, bottom: Int) = (0, 0, 0, 0),
    bias hasBias: Bool = true
  ) throws -> MPSGraphTensor {
    guard
      let descriptor = MPSGraphDepthwiseConvolution2DOpDescriptor(
        strideInX: stride.x, strideInY: stride.y, dilationRateInX: dilation.x,
        dilationRateInY: dilation.y, paddingLeft: padding.left, paddingRight: padding.right,
        paddingTop: padding.top, paddingBottom: padding.bottom, paddingStyle: .explicit,
        dataLayout: .NHWC, weightsLayout: .HWIO)
    else { throw NAMEError("\(layer) is no depthwise convolution that MPSGraph has") }
    let sums = graph.depthwiseConvolution2D(
      source, weights: try kernel(layer, role, shape: shape), descriptor: descriptor, name: layer)
    return hasBias ? try bias(layer, channels: shape[2] * shape[3], to: sums) : sums
  }
  #endif

  #if transposedConvolution
  /// A transposed convolution: the gradient of a convolution by its source.
  ///
  /// Steps, padding and weights are those of that convolution, which leads from the result here to the source. So its
  /// output channels, the O of `HWIO`, are the source's here. Weights are not rotated.
  ///
  /// - Parameters:
  ///   - kernel: height, width, output channels, input channels.
  ///   - size: of the result.
  ///   - padding: pixels of the result that are cut off.
  @inline(never)
  func transposedConvolution(
    _ source: MPSGraphTensor, layer: String, kernel shape: [Int],
    size: (width: Int, height: Int), stride: (x: Int, y: Int) = (1, 1),
    dilation: (x: Int, y: Int) = (1, 1),
    padding: (left: Int, right: Int, top: Int, bottom: Int) = (0, 0, 0, 0),
    bias hasBias: Bool = true
  ) throws -> MPSGraphTensor {
    guard
      let descriptor = MPSGraphConvolution2DOpDescriptor(
        strideInX: stride.x, strideInY: stride.y, dilationRateInX: dilation.x,
        dilationRateInY: dilation.y, groups: 1, paddingLeft: padding.left,
        paddingRight: padding.right, paddingTop: padding.top, paddingBottom: padding.bottom,
        paddingStyle: .explicit, dataLayout: .NHWC, weightsLayout: .HWIO)
    else { throw NAMEError("\(layer) is no convolution that MPSGraph has") }
    // The batch is the source's, which is open until the graph is compiled.
    let batch = graph.sliceTensor(
      graph.shapeOf(source, name: nil), dimension: 0, start: 0, length: 1, name: nil)
    let image = [size.height, size.width, shape[2]]
    let sizes = graph.constant(
      image.map(Int32.init).withUnsafeBytes { Data($0) }, shape: [3], dataType: .int32)
    let result = graph.convolutionTranspose2D(
      source, weights: try kernel(layer, "kernel", shape: shape),
      outputShapeTensor: graph.concatTensors([batch, sizes], dimension: 0, name: nil),
      descriptor: descriptor, name: layer)
    // From here on the sizes are known to the graph, too.
    let sums = graph.reshape(
      result, shape: ([-1] + image).map { NSNumber(value: $0) }, name: nil)
    return hasBias ? try bias(layer, channels: shape[2], to: sums) : sums
  }
  #endif

  #if fullyConnected
  /// A fully-connected layer: a product of matrices, whose rows are the vectors of a batch.
  ///
  /// - Parameters:
  ///   - kernel: values of a vector, outputs.
  ///   - positions: the axes between the batch and the vectors, if there are any: these are rows too.
  @inline(never)
  func fullyConnected(
    _ source: MPSGraphTensor, layer: String, kernel shape: [Int], positions: [Int] = [],
    bias hasBias: Bool = true
  ) throws -> MPSGraphTensor {
    func reshaped(_ tensor: MPSGraphTensor, _ shape: [Int]) -> MPSGraphTensor {
      positions.isEmpty
        ? tensor : graph.reshape(tensor, shape: shape.map { NSNumber(value: $0) }, name: nil)
    }
    var sums = graph.matrixMultiplication(
      primary: reshaped(source, [-1, shape[0]]),
      secondary: try kernel(layer, "kernel", shape: shape), name: layer)
    if hasBias { sums = try bias(layer, channels: shape[1], to: sums) }
    return reshaped(sums, [-1] + positions + [shape[1]])
  }
  #endif

  #if poolingDescriptor
  /// The windows of a pooling.
  private func poolingDescriptor(
    _ layer: String, _ window: (width: Int, height: Int), _ stride: (x: Int, y: Int),
    _ padding: (left: Int, right: Int, top: Int, bottom: Int)
  ) throws -> MPSGraphPooling2DOpDescriptor {
    guard
      let descriptor = MPSGraphPooling2DOpDescriptor(
        kernelWidth: window.width, kernelHeight: window.height, strideInX: stride.x,
        strideInY: stride.y, dilationRateInX: 1, dilationRateInY: 1, paddingLeft: padding.left,
        paddingRight: padding.right, paddingTop: padding.top, paddingBottom: padding.bottom,
        paddingStyle: .explicit, dataLayout: .NHWC)
    else { throw NAMEError("\(layer) is no pooling that MPSGraph has") }
    return descriptor
  }
  #endif

  #if maxPooling
  /// The largest value of each window; what lies outside of the image plays no part.
  @inline(never)
  func maxPooling(
    _ source: MPSGraphTensor, layer: String, window: (width: Int, height: Int),
    stride: (x: Int, y: Int),
    padding: (left: Int, right: Int, top: Int, bottom: Int) = (0, 0, 0, 0)
  ) throws -> MPSGraphTensor {
    graph.maxPooling2D(
      withSourceTensor: source,
      descriptor: try poolingDescriptor(layer, window, stride, padding), name: layer)
  }
  #endif

  #if averagePooling
  /// The mean of each window: of the pixels that lie in the image.
  @inline(never)
  func averagePooling(
    _ source: MPSGraphTensor, layer: String, window: (width: Int, height: Int),
    stride: (x: Int, y: Int),
    padding: (left: Int, right: Int, top: Int, bottom: Int) = (0, 0, 0, 0)
  ) throws -> MPSGraphTensor {
    let descriptor = try poolingDescriptor(layer, window, stride, padding)
    // At the edges the sum is divided by fewer pixels than a window has.
    descriptor.includeZeroPadToAverage = false
    return graph.avgPooling2D(withSourceTensor: source, descriptor: descriptor, name: layer)
  }
  #endif

  #if normalization
  /// A normalisation with the mean and the variance of training.
  ///
  /// - Parameter shape: of the parameters, with 1 for each axis that shares them.
  @inline(never)
  func normalization(
    _ source: MPSGraphTensor, layer: String, shape: [Int], epsilon: Float,
    scale: Bool = true, offset: Bool = true
  ) throws -> MPSGraphTensor {
    graph.normalize(
      source, mean: try parameter(layer, "mean", shape: shape),
      variance: try parameter(layer, "variance", shape: shape),
      gamma: scale ? try parameter(layer, "gamma", shape: shape) : nil,
      beta: offset ? try parameter(layer, "beta", shape: shape) : nil, epsilon: epsilon,
      name: layer)
  }
  #endif

  #if layerNormalization
  /// A normalisation of each sample with its own mean and variance along axes.
  ///
  /// - Parameter shape: of the parameters, with 1 for each axis that shares them.
  @inline(never)
  func layerNormalization(
    _ source: MPSGraphTensor, layer: String, axes: [Int], shape: [Int], epsilon: Float,
    scale: Bool = true, offset: Bool = true
  ) throws -> MPSGraphTensor {
    let axes = axes.map { NSNumber(value: $0) }
    return graph.normalize(
      source, mean: graph.mean(of: source, axes: axes, name: nil),
      variance: graph.variance(of: source, axes: axes, name: nil),
      gamma: scale ? try parameter(layer, "gamma", shape: shape) : nil,
      beta: offset ? try parameter(layer, "beta", shape: shape) : nil, epsilon: epsilon,
      name: layer)
  }
  #endif

  #if standardized
  /// A normalisation with the means and variances of a data set, or the way back.
  ///
  /// - Parameter shape: of the parameters, with 1 for each axis that shares them.
  func standardized(
    _ x: MPSGraphTensor, layer: String, shape: [Int], invert: Bool = false
  ) throws -> MPSGraphTensor {
    let mean = try parameter(layer, "mean", shape: shape)
    let variance = try parameter(layer, "variance", shape: shape)
    // Keras divides by no deviation below 1e-7.
    let deviation = graph.maximum(
      graph.squareRoot(with: variance, name: nil), number(1e-7, like: variance), name: nil)
    return invert
      ? graph.addition(graph.multiplication(x, deviation, name: nil), mean, name: layer)
      : graph.division(graph.subtraction(x, mean, name: nil), deviation, name: layer)
  }
  #endif

  #if rescaled
  /// `scale * x + offset`, with one number or one for each channel.
  @inline(never)
  func rescaled(
    _ x: MPSGraphTensor, scale: [Float], offset: [Float], name: String? = nil
  ) -> MPSGraphTensor {
    func constant(_ values: [Float]) -> MPSGraphTensor {
      graph.constant(
        values.withUnsafeBytes { Data($0) }, shape: [NSNumber(value: values.count)],
        dataType: .float32)
    }
    return graph.addition(
      graph.multiplication(x, constant(scale), name: nil), constant(offset), name: name)
  }
  #endif

  #if number
  /// A number of the type of a tensor.
  func number(_ value: Double, like tensor: MPSGraphTensor) -> MPSGraphTensor {
    graph.constant(value, dataType: tensor.dataType)
  }
  #endif

  #if clamp
  /// Values kept within bounds.
  func clamp(
    _ x: MPSGraphTensor, from lowest: Double, to highest: Double, name: String? = nil
  ) -> MPSGraphTensor {
    graph.clamp(x, min: number(lowest, like: x), max: number(highest, like: x), name: name)
  }
  #endif

  #if rectifier
  /// `min(max(x, 0), limit) + slope * min(x, 0)`.
  func rectifier(
    _ x: MPSGraphTensor, slope: Double, limit: Double? = nil, name: String? = nil
  ) -> MPSGraphTensor {
    var above = graph.reLU(with: x, name: nil)
    if let limit { above = graph.minimum(above, number(limit, like: x), name: nil) }
    let below = graph.minimum(x, number(0, like: x), name: nil)
    return graph.addition(
      above, graph.multiplication(below, number(slope, like: x), name: nil), name: name)
  }
  #endif

  #if trainedRectifier
  /// `max(x, 0) + slope * min(x, 0)`, with slopes that were trained.
  ///
  /// The graph's own rectifier is documented as the larger of two numbers, which is something else for slopes above 1.
  ///
  /// - Parameter shape: of the slopes, with 1 for each axis that shares them.
  @inline(never)
  func trainedRectifier(
    _ x: MPSGraphTensor, layer: String, shape: [Int]
  ) throws -> MPSGraphTensor {
    let below = graph.minimum(x, number(0, like: x), name: nil)
    return graph.addition(
      graph.reLU(with: x, name: nil),
      graph.multiplication(
        below, try parameter(layer, "alpha", shape: shape), name: nil), name: layer)
  }
  #endif

  #if elu
  /// `x` above 0, `alpha * (exp(x) - 1)` below, both times the scale.
  func elu(
    _ x: MPSGraphTensor, alpha: Double, scale: Double = 1, name: String? = nil
  ) -> MPSGraphTensor {
    let above = graph.reLU(with: x, name: nil)
    // Above 0 this is 0; an exponential of the values themselves could become infinite.
    let below = graph.subtraction(
      graph.exponent(with: graph.minimum(x, number(0, like: x), name: nil), name: nil),
      number(1, like: x), name: nil)
    return graph.addition(
      graph.multiplication(above, number(scale, like: x), name: nil),
      graph.multiplication(below, number(scale * alpha, like: x), name: nil), name: name)
  }
  #endif

  #if celu
  /// `x` above 0, `alpha * (exp(x / alpha) - 1)` below.
  func celu(_ x: MPSGraphTensor, alpha: Double, name: String? = nil) -> MPSGraphTensor {
    let below = graph.minimum(x, number(0, like: x), name: nil)
    let power = graph.exponent(
      with: graph.division(below, number(alpha, like: x), name: nil), name: nil)
    return graph.addition(
      graph.reLU(with: x, name: nil),
      graph.multiplication(
        graph.subtraction(power, number(1, like: x), name: nil), number(alpha, like: x),
        name: nil), name: name)
  }
  #endif

  #if softPlus
  /// `log(1 + exp(x))`, as `max(x, 0) + log(1 + exp(-abs(x)))`, which stays finite.
  func softPlus(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
    let power = graph.exponent(
      with: graph.negative(with: graph.absolute(with: x, name: nil), name: nil), name: nil)
    let rest = graph.logarithm(
      with: graph.addition(power, number(1, like: x), name: nil), name: nil)
    return graph.addition(graph.reLU(with: x, name: nil), rest, name: name)
  }
  #endif

  #if logSigmoid
  /// `log(1 / (1 + exp(-x)))`.
  func logSigmoid(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
    graph.negative(with: softPlus(graph.negative(with: x, name: nil)), name: name)
  }
  #endif

  #if softSign
  /// `x / (1 + abs(x))`.
  func softSign(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
    let divisor = graph.addition(
      graph.absolute(with: x, name: nil), number(1, like: x), name: nil)
    return graph.division(x, divisor, name: name)
  }
  #endif

  #if hardSigmoid
  /// `slope * x + 0.5`, kept from 0 to 1.
  func hardSigmoid(_ x: MPSGraphTensor, slope: Double, name: String? = nil) -> MPSGraphTensor {
    let line = graph.addition(
      graph.multiplication(x, number(slope, like: x), name: nil), number(0.5, like: x), name: nil)
    return clamp(line, from: 0, to: 1, name: name)
  }
  #endif

  #if silu
  /// `x * sigmoid(x)`.
  func silu(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
    graph.multiplication(x, graph.sigmoid(with: x, name: nil), name: name)
  }
  #endif

  #if hardSilu
  /// `x` times `x / 6 + 0.5`, the latter kept from 0 to 1.
  func hardSilu(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
    graph.multiplication(x, hardSigmoid(x, slope: 1.0 / 6), name: name)
  }
  #endif

  #if gelu
  /// `x / 2 * (1 + erf(x / sqrt(2)))`.
  func gelu(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
    let error = graph.erf(
      with: graph.multiplication(x, number(0.5.squareRoot(), like: x), name: nil), name: nil)
    let half = graph.multiplication(x, number(0.5, like: x), name: nil)
    return graph.multiplication(
      half, graph.addition(error, number(1, like: x), name: nil), name: name)
  }
  #endif

  #if geluTanh
  /// `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x * x * x)))`.
  func geluTanh(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
    let cube = graph.multiplication(graph.square(with: x, name: nil), x, name: nil)
    let sum = graph.addition(
      x, graph.multiplication(cube, number(0.044715, like: x), name: nil), name: nil)
    let tanh = graph.tanh(
      with: graph.multiplication(sum, number((2 / Double.pi).squareRoot(), like: x), name: nil),
      name: nil)
    let half = graph.multiplication(x, number(0.5, like: x), name: nil)
    return graph.multiplication(
      half, graph.addition(tanh, number(1, like: x), name: nil), name: name)
  }
  #endif

  #if mish
  /// `x * tanh(softPlus(x))`.
  func mish(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
    graph.multiplication(x, graph.tanh(with: softPlus(x), name: nil), name: name)
  }
  #endif

  #if softShrink
  /// `x`, closer to 0 by the threshold; 0 where it is nearer than that.
  func softShrink(_ x: MPSGraphTensor, threshold: Double, name: String? = nil) -> MPSGraphTensor {
    graph.subtraction(x, clamp(x, from: -threshold, to: threshold), name: name)
  }
  #endif

  #if tanhShrink
  /// `x - tanh(x)`.
  func tanhShrink(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
    graph.subtraction(x, graph.tanh(with: x, name: nil), name: name)
  }
  #endif

  #if squarePlus
  /// `(x + sqrt(x * x + b)) / 2`.
  func squarePlus(_ x: MPSGraphTensor, b: Double, name: String? = nil) -> MPSGraphTensor {
    let root = graph.squareRoot(
      with: graph.addition(graph.square(with: x, name: nil), number(b, like: x), name: nil),
      name: nil)
    return graph.multiplication(
      graph.addition(x, root, name: nil), number(0.5, like: x), name: name)
  }
  #endif

  #if sparsePlus
  /// 0 below -1, `(x + 1) * (x + 1) / 4` up to 1, `x` above.
  func sparsePlus(_ x: MPSGraphTensor, name: String? = nil) -> MPSGraphTensor {
    let middle = graph.addition(
      clamp(x, from: -1, to: 1), number(1, like: x), name: nil)
    let square = graph.multiplication(
      graph.square(with: middle, name: nil), number(0.25, like: x), name: nil)
    let above = graph.reLU(
      with: graph.subtraction(x, number(1, like: x), name: nil), name: nil)
    return graph.addition(square, above, name: name)
  }
  #endif

  #if logSoftMax
  /// The logarithm of a softmax over axes.
  func logSoftMax(_ x: MPSGraphTensor, axes: [Int], name: String? = nil) -> MPSGraphTensor {
    let axes = axes.map { NSNumber(value: $0) }
    // Reductions leave axes of size 1, which fit to all values.
    let shifted = graph.subtraction(
      x, graph.reductionMaximum(with: x, axes: axes, name: nil), name: nil)
    let sum = graph.reductionSum(
      with: graph.exponent(with: shifted, name: nil), axes: axes, name: nil)
    return graph.subtraction(shifted, graph.logarithm(with: sum, name: nil), name: name)
  }
  #endif

  #if softMax
  /// A softmax over several axes; the graph has it over one.
  func softMax(_ x: MPSGraphTensor, axes: [Int], name: String? = nil) -> MPSGraphTensor {
    graph.exponent(with: logSoftMax(x, axes: axes), name: name)
  }
  #endif
}
