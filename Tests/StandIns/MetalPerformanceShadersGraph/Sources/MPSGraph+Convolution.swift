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
    precondition(
      descriptor.groups == 1, "transposed convolutions with groups are not in the stand-in")
    let geometry = descriptor.geometry
    let images = ImageLayout(descriptor.dataLayout)
    let kernels = KernelLayout(descriptor.weightsLayout)
    let given = outputShape.map(\.intValue)
    return add(
      name, [source, weights],
      Rule(
        shape: { shapes in
          // A batch of -1 is that of the source.
          let (size, forward) = (images.sizes(shapes[0]), images.sizes(given))
          let kernel = kernels.sizes(shapes[1])
          let back = geometry.size(
            forward.height, forward.width, kernel: (kernel.height, kernel.width))
          precondition(
            size.height == -1 || (back.0 == size.height && back.1 == size.width),
            "a forward convolution of \(given) does not give \(shapes[0])")
          precondition(
            kernel.inputs == forward.channels
              && (size.channels == -1 || kernel.outputs == size.channels),
            "kernels \(shapes[1]) do not lead from \(given) to \(shapes[0])")
          return images.shape(
            ImageSizes(
              batch: forward.batch == -1 ? size.batch : forward.batch, height: forward.height,
              width: forward.width, channels: forward.channels))
        },
        compute: { inputs, result in
          let kernel = kernels.sizes(inputs[1].shape)
          images.forEachImage(inputs[0], result) { source, destination in
            let start = geometry.start(kernel.height, kernel.width, in: destination)
            for y in 0..<source.height {
              for x in 0..<source.width {
                for row in 0..<kernel.height {
                  for column in 0..<kernel.width {
                    let toX = start.x + x * geometry.strides.x + column * geometry.dilations.x
                    let toY = start.y + y * geometry.strides.y + row * geometry.dilations.y
                    guard (0..<destination.width).contains(toX),
                      (0..<destination.height).contains(toY)
                    else { continue }
                    let (from, to) = (source.pixel(x, y), destination.pixel(toX, toY))
                    for input in 0..<kernel.inputs {
                      for output in 0..<kernel.outputs {
                        to[input] +=
                          from[output]
                          * inputs[1].numbers[
                            kernels.index(inputs[1].shape, output, row, column, input)]
                      }
                    }
                  }
                }
              }
            }
          }
        }))
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
