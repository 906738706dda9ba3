/// The sizes of a batch of images; -1 is not known yet.
struct ImageSizes {
  let batch: Int
  let height: Int
  let width: Int
  let channels: Int
}

/// One of the two orders of images.
struct ImageLayout {
  private let isNCHW: Bool

  init(_ layout: MPSGraphTensorNamedDataLayout) { isNCHW = layout == .NCHW }

  func sizes(_ shape: [Int]) -> ImageSizes {
    precondition(shape.count == 4, "images of shape \(shape)")
    return isNCHW
      ? ImageSizes(batch: shape[0], height: shape[2], width: shape[3], channels: shape[1])
      : ImageSizes(batch: shape[0], height: shape[1], width: shape[2], channels: shape[3])
  }

  func shape(_ sizes: ImageSizes) -> [Int] {
    isNCHW
      ? [sizes.batch, sizes.channels, sizes.height, sizes.width]
      : [sizes.batch, sizes.height, sizes.width, sizes.channels]
  }

  /// Calls with each source and its result, channels last.
  func forEachImage(_ source: Value, _ result: Value, _ body: (Plane, Plane) -> Void) {
    let (from, to) = (sizes(source.shape), sizes(result.shape))
    let input = isNCHW ? source.channelsLast() : source
    let output = isNCHW ? Value(last(to), result.dataType) : result
    for image in 0..<from.batch {
      body(plane(input, from, image), plane(output, to, image))
    }
    if isNCHW { result.takeChannelsLast(output) }
  }

  private func last(_ sizes: ImageSizes) -> [Int] {
    [sizes.batch, sizes.height, sizes.width, sizes.channels]
  }

  private func plane(_ value: Value, _ sizes: ImageSizes, _ image: Int) -> Plane {
    Plane(
      first: value.first + image * sizes.height * sizes.width * sizes.channels,
      width: sizes.width, height: sizes.height, channels: sizes.channels,
      channelStride: sizes.channels)
  }
}

extension Value {
  /// NCHW as NHWC.
  fileprivate func channelsLast() -> Value {
    let result = Value([shape[0], shape[2], shape[3], shape[1]], dataType)
    transposeInto(result, order: [0, 2, 3, 1])
    return result
  }

  /// NHWC into NCHW.
  fileprivate func takeChannelsLast(_ other: Value) {
    other.transposeInto(self, order: [0, 3, 1, 2])
  }

  /// Dimension `d` of the result is dimension `order[d]` of this.
  func transposeInto(_ result: Value, order: [Int]) {
    var strides = [Int](repeating: 1, count: shape.count)
    for d in shape.indices.dropLast().reversed() { strides[d] = strides[d + 1] * shape[d + 1] }
    for index in result.numbers.indices {
      var (rest, place) = (index, 0)
      for d in result.shape.indices.reversed() {
        place += rest % result.shape[d] * strides[order[d]]
        rest /= result.shape[d]
      }
      result.numbers[index] = numbers[place]
    }
  }
}
