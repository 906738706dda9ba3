extension MPSGraph {
  /// Convolves images with kernels, which are not rotated.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/convolution2d(_:weights:descriptor:name:)
  public func convolution2D(
    _ source: MPSGraphTensor, weights: MPSGraphTensor,
    descriptor: MPSGraphConvolution2DOpDescriptor, name: String?
  ) -> MPSGraphTensor {
    let (geometry, groups) = (descriptor.geometry, descriptor.groups)
    let images = ImageLayout(descriptor.dataLayout)
    let kernels = KernelLayout(descriptor.weightsLayout)
    let packed = Packed<Convolution>(weights)
    return add(
      name, [source, weights],
      Rule(
        shape: { shapes in
          let (size, kernel) = (images.sizes(shapes[0]), kernels.sizes(shapes[1]))
          precondition(
            size.channels == -1 || kernel.inputs * groups == size.channels,
            "kernels \(shapes[1]) in \(groups) groups do not fit to images \(shapes[0])")
          let result = geometry.size(
            size.height, size.width, kernel: (kernel.height, kernel.width))
          return images.shape(
            ImageSizes(
              batch: size.batch, height: result.0, width: result.1, channels: kernel.outputs))
        },
        compute: { inputs, result in
          let kernel = kernels.sizes(inputs[1].shape)
          let convolution = packed.value {
            Convolution(
              window: geometry.window(kernel.height, kernel.width), groups: groups,
              inputChannels: kernel.inputs, outputChannels: kernel.outputs / groups
            ) { inputs[1].numbers[kernels.index(inputs[1].shape, $0, $1, $2, $3)] }
          }
          images.forEachImage(inputs[0], result) { source, destination in
            convolution.run(
              source, start: geometry.start(kernel.height, kernel.width, in: source),
              width: destination.width, height: destination.height,
              pixel: { destination.pixel($0, $1) }, pixelStride: destination.channelStride,
              finish: { _ in })
          }
        }))
  }

  /// Convolves each channel with kernels of its own; the results of a channel lie next to one another.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/depthwiseconvolution2d(_:weights:descriptor:name:)
  public func depthwiseConvolution2D(
    _ source: MPSGraphTensor, weights: MPSGraphTensor,
    descriptor: MPSGraphDepthwiseConvolution2DOpDescriptor, name: String?
  ) -> MPSGraphTensor {
    let geometry = descriptor.geometry
    let images = ImageLayout(descriptor.dataLayout)
    let kernels = KernelLayout(descriptor.weightsLayout)
    let packed = Packed<DepthwiseConvolution>(weights)
    return add(
      name, [source, weights],
      Rule(
        shape: { shapes in
          let (size, kernel) = (images.sizes(shapes[0]), kernels.sizes(shapes[1]))
          precondition(
            size.channels == -1 || kernel.inputs == size.channels,
            "depthwise kernels \(shapes[1]) do not fit to images \(shapes[0])")
          let result = geometry.size(
            size.height, size.width, kernel: (kernel.height, kernel.width))
          return images.shape(
            ImageSizes(
              batch: size.batch, height: result.0, width: result.1,
              channels: kernel.inputs * kernel.outputs))
        },
        compute: { inputs, result in
          let kernel = kernels.sizes(inputs[1].shape)
          let convolution = packed.value {
            DepthwiseConvolution(
              window: geometry.window(kernel.height, kernel.width), channels: kernel.inputs,
              multiplier: kernel.outputs
            ) { channel, output, row, column in
              inputs[1].numbers[kernels.index(inputs[1].shape, output, row, column, channel)]
            }
          }
          images.forEachImage(inputs[0], result) { source, destination in
            convolution.run(
              source, start: geometry.start(kernel.height, kernel.width, in: source),
              width: destination.width, height: destination.height,
              pixel: { destination.pixel($0, $1) }, finish: { _ in })
          }
        }))
  }

  /// The gradient of a convolution by its source: each pixel is scattered through the kernel.
  ///
  /// The descriptor, the padding and the weights are those of the forward convolution, from this result to this
  /// source: the weights' inputs are the channels of the result.
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/convolutiontranspose2d(_:weights:outputshape:descriptor:name:)
  public func convolutionTranspose2D(
    _ source: MPSGraphTensor, weights: MPSGraphTensor, outputShape: [NSNumber],
    descriptor: MPSGraphConvolution2DOpDescriptor, name: String?
  ) -> MPSGraphTensor {
    let given = outputShape.map(\.intValue)
    precondition(
      given.allSatisfy { $0 > 0 }, "what open sizes of \(given) become is not documented")
    let scattering = Scattering(descriptor)
    return add(
      name, [source, weights],
      Rule(
        shape: { shapes in
          scattering.check(source: shapes[0], weights: shapes[1], result: given)
          return given
        }, compute: { scattering.compute($0, $1) }))
  }

  /// The same, with the shape of the result as a tensor of integers.
  ///
  /// MPSGraphConvolutionTransposeOps.h; https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/convolutiontranspose2d(_:weights:outputshapetensor:descriptor:name:)
  public func convolutionTranspose2D(
    _ source: MPSGraphTensor, weights: MPSGraphTensor, outputShapeTensor: MPSGraphTensor,
    descriptor: MPSGraphConvolution2DOpDescriptor, name: String?
  ) -> MPSGraphTensor {
    precondition(
      source.dataType == weights.dataType && outputShapeTensor.dataType == .int32
        && outputShapeTensor.sizes == [4],
      "tensors of different types meet, or a shape is no tensor of 4 integers")
    let scattering = Scattering(descriptor)
    return add(
      name, [source, weights, outputShapeTensor], source.dataType,
      Rule(
        // What is known before the graph runs.
        shapeInput: 2, shape: { _ in [-1, -1, -1, -1] },
        compute: { inputs, result in
          scattering.check(
            source: inputs[0].shape, weights: inputs[1].shape, result: result.shape)
          scattering.compute(inputs, result)
        }))
  }
}

/// A convolution backwards.
private struct Scattering {
  let geometry: Geometry
  let images: ImageLayout
  let kernels: KernelLayout

  init(_ descriptor: MPSGraphConvolution2DOpDescriptor) {
    precondition(
      descriptor.groups == 1, "transposed convolutions with groups are not in the stand-in")
    geometry = descriptor.geometry
    images = ImageLayout(descriptor.dataLayout)
    kernels = KernelLayout(descriptor.weightsLayout)
  }

  /// The forward convolution of the result has to have the source's sizes.
  func check(source: [Int], weights: [Int], result: [Int]) {
    let (size, forward) = (images.sizes(source), images.sizes(result))
    let kernel = kernels.sizes(weights)
    let back = geometry.size(
      forward.height, forward.width, kernel: (kernel.height, kernel.width))
    precondition(size.batch == -1 || size.batch == forward.batch, "\(source) gives no \(result)")
    precondition(
      size.height == -1 || (back.0 == size.height && back.1 == size.width),
      "a forward convolution of \(result) does not give \(source)")
    precondition(
      kernel.inputs == forward.channels
        && (size.channels == -1 || kernel.outputs == size.channels),
      "kernels \(weights) do not lead from \(result) to \(source)")
  }

  func compute(_ inputs: [Value], _ result: Value) {
    let weights = inputs[1]
    images.forEachImage(inputs[0], result) { source, destination in
      for y in 0..<source.height {
        for x in 0..<source.width { scatter(source, x, y, weights, to: destination) }
      }
    }
  }

  private func scatter(_ source: Plane, _ x: Int, _ y: Int, _ weights: Value, to result: Plane) {
    let kernel = kernels.sizes(weights.shape)
    let start = geometry.start(kernel.height, kernel.width, in: result)
    let from = source.pixel(x, y)
    for row in 0..<kernel.height {
      for column in 0..<kernel.width {
        let toX = start.x + x * geometry.strides.x + column * geometry.dilations.x
        let toY = start.y + y * geometry.strides.y + row * geometry.dilations.y
        guard (0..<result.width).contains(toX), (0..<result.height).contains(toY) else { continue }
        let to = result.pixel(toX, toY)
        for input in 0..<kernel.inputs {
          for output in 0..<kernel.outputs {
            to[input] +=
              from[output]
              * weights.numbers[kernels.index(weights.shape, output, row, column, input)]
          }
        }
      }
    }
  }
}

/// What is made of weights: once, if they are constant.
private final class Packed<Kernels> {
  private let isConstant: Bool
  private var made: Kernels?

  init(_ weights: MPSGraphTensor) { isConstant = weights.operation.rule.constant != nil }

  func value(_ make: () -> Kernels) -> Kernels {
    if let made { return made }
    let kernels = make()
    if isConstant { made = kernels }
    return kernels
  }
}

extension Geometry {
  func window(_ height: Int, _ width: Int) -> Convolution.Window {
    Convolution.Window(
      width: width, height: height, strideX: strides.x, strideY: strides.y,
      dilationX: dilations.x, dilationY: dilations.y)
  }

  /// The top left corner of the first window.
  func start(_ height: Int, _ width: Int, in plane: Plane) -> Convolution.Start {
    Convolution.Start(
      x: -columnPadding(width, source: plane.width).before,
      y: -rowPadding(height, source: plane.height).before, clamps: false)
  }
}

/// The sizes of kernels in one of two orders.
struct KernelLayout {
  struct Sizes {
    let outputs: Int
    let height: Int
    let width: Int
    let inputs: Int
  }

  private let isOIHW: Bool

  init(_ layout: MPSGraphTensorNamedDataLayout) { isOIHW = layout == .OIHW }

  func sizes(_ shape: [Int]) -> Sizes {
    precondition(shape.count == 4, "kernels of shape \(shape)")
    return isOIHW
      ? Sizes(outputs: shape[0], height: shape[2], width: shape[3], inputs: shape[1])
      : Sizes(outputs: shape[3], height: shape[0], width: shape[1], inputs: shape[2])
  }

  func index(_ shape: [Int], _ output: Int, _ row: Int, _ column: Int, _ input: Int) -> Int {
    let place = isOIHW ? [output, input, row, column] : [row, column, input, output]
    return ((place[0] * shape[1] + place[1]) * shape[2] + place[2]) * shape[3] + place[3]
  }
}
