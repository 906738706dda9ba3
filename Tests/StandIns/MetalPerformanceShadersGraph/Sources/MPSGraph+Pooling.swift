extension MPSGraph {
  /// The largest number of each window; padding plays no part.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/maxpooling2d(withsourcetensor:descriptor:name:)
  public func maxPooling2D(
    withSourceTensor source: MPSGraphTensor, descriptor: MPSGraphPooling2DOpDescriptor,
    name: String?
  ) -> MPSGraphTensor {
    pooling(source, descriptor, name) { pixels, _, channel in
      pixels.reduce(-.infinity) { max($0, $1[channel]) }
    }
  }

  /// The mean of each window; padding counts as zeros if the descriptor says so.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/avgpooling2d(withsourcetensor:descriptor:name:)
  public func avgPooling2D(
    withSourceTensor source: MPSGraphTensor, descriptor: MPSGraphPooling2DOpDescriptor,
    name: String?
  ) -> MPSGraphTensor {
    let countsPadding = descriptor.includeZeroPadToAverage
    return pooling(source, descriptor, name) { pixels, window, channel in
      pixels.reduce(0) { $0 + $1[channel] } / Float(countsPadding ? window : pixels.count)
    }
  }

  private func pooling(
    _ source: MPSGraphTensor, _ descriptor: MPSGraphPooling2DOpDescriptor, _ name: String?,
    _ combine:
      @escaping (_ inside: [UnsafeMutablePointer<Float>], _ window: Int, _ channel: Int) -> Float
  ) -> MPSGraphTensor {
    let geometry = descriptor.geometry
    let kernel = (height: descriptor.kernelHeight, width: descriptor.kernelWidth)
    let images = ImageLayout(descriptor.dataLayout)
    return add(
      name, [source],
      Rule(
        shape: { shapes in
          let size = images.sizes(shapes[0])
          let result = geometry.size(size.height, size.width, kernel: kernel)
          return images.shape(
            ImageSizes(
              batch: size.batch, height: result.0, width: result.1, channels: size.channels))
        },
        compute: { inputs, result in
          images.forEachImage(inputs[0], result) { source, destination in
            let start = geometry.start(kernel.height, kernel.width, in: source)
            for y in 0..<destination.height {
              for x in 0..<destination.width {
                var inside: [UnsafeMutablePointer<Float>] = []
                for row in 0..<kernel.height {
                  for column in 0..<kernel.width {
                    let fromX = start.x + x * geometry.strides.x + column * geometry.dilations.x
                    let fromY = start.y + y * geometry.strides.y + row * geometry.dilations.y
                    if (0..<source.width).contains(fromX), (0..<source.height).contains(fromY) {
                      inside.append(source.pixel(fromX, fromY))
                    }
                  }
                }
                let pixel = destination.pixel(x, y)
                for channel in 0..<destination.channels {
                  pixel[channel] = combine(inside, kernel.width * kernel.height, channel)
                }
              }
            }
          }
        }))
  }
}
