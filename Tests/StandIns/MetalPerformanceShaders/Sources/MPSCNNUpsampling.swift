/// Enlarges an image by whole factors.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnupsampling
open class MPSCNNUpsampling: MPSCNNKernel {
  /// How much wider.
  public let scaleFactorX: Double
  /// How much higher.
  public let scaleFactorY: Double
  /// Whether the centres of the corner pixels stay where they are.
  public let alignCorners: Bool

  init(device: any MTLDevice, _ scaleX: Int, _ scaleY: Int, alignCorners: Bool) {
    precondition(scaleX >= 1 && scaleY >= 1, "a scale factor is at least 1")
    scaleFactorX = Double(scaleX)
    scaleFactorY = Double(scaleY)
    self.alignCorners = alignCorners
    super.init(device: device)
  }

  override func place(_ descriptor: MPSImageDescriptor, source: MPSImage) {
    descriptor.width = source.width * Int(scaleFactorX)
    descriptor.height = source.height * Int(scaleFactorY)
  }
}

/// Repeats each pixel.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnupsamplingnearest
open class MPSCNNUpsamplingNearest: MPSCNNUpsampling {
  /// Each pixel becomes a block of this size.
  public init(device: any MTLDevice, integerScaleFactorX: Int, integerScaleFactorY: Int) {
    super.init(device: device, integerScaleFactorX, integerScaleFactorY, alignCorners: false)
  }

  override func body() -> Pass.Body {
    let (scaleX, scaleY) = (Int(scaleFactorX), Int(scaleFactorY))
    return { inputs, output in
      let (plane, channels) = (inputs[0].plane, output.plane.channels)
      precondition(
        inputs[0].x == 0 && inputs[0].y == 0, "an offset into an upsampling is not documented")
      for y in 0..<output.height {
        for x in 0..<output.width {
          let pixel = plane.pixel(
            x / scaleX, y / scaleY, clamps: inputs[0].edgeMode == .clamp)
          if let pixel {
            output.pixel(x, y).update(from: pixel, count: channels)
          } else {
            output.pixel(x, y).update(repeating: 0, count: channels)
          }
        }
      }
    }
  }
}

/// Interpolates between pixels.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnupsamplingbilinear
open class MPSCNNUpsamplingBilinear: MPSCNNUpsampling {
  /// Where pixels lie unless the corners are aligned is not documented: it is an error here to ask for that.
  public init(
    device: any MTLDevice, integerScaleFactorX: Int, integerScaleFactorY: Int, alignCorners: Bool
  ) {
    precondition(alignCorners, "bilinear upsampling without aligned corners is not documented")
    super.init(device: device, integerScaleFactorX, integerScaleFactorY, alignCorners: true)
  }

  override func body() -> Pass.Body {
    { inputs, output in interpolate(inputs[0], output) }
  }
}

/// Interpolates to any size.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsnnresizebilinear
open class MPSNNResizeBilinear: MPSCNNKernel {
  /// Of the result.
  public let resizeWidth: Int
  /// Of the result.
  public let resizeHeight: Int
  /// Whether the centres of the corner pixels stay where they are.
  public let alignCorners: Bool

  /// Where pixels lie unless the corners are aligned is not documented: it is an error here to ask for that.
  public init(
    device: any MTLDevice, resizeWidth: Int, resizeHeight: Int, alignCorners: Bool
  ) {
    precondition(alignCorners, "bilinear resizing without aligned corners is not documented")
    (self.resizeWidth, self.resizeHeight) = (resizeWidth, resizeHeight)
    self.alignCorners = alignCorners
    super.init(device: device)
  }

  override func place(_ descriptor: MPSImageDescriptor, source: MPSImage) {
    (descriptor.width, descriptor.height) = (resizeWidth, resizeHeight)
  }

  override func checkSizes(source: MPSImage, destination: MPSImage) {
    precondition(
      destination.width == resizeWidth && destination.height == resizeHeight,
      "the destination is not \(resizeWidth) x \(resizeHeight) pixels")
  }

  override func body() -> Pass.Body {
    { inputs, output in interpolate(inputs[0], output) }
  }
}

/// Bilinear interpolation with aligned corners.
private func interpolate(_ input: Pass.Input, _ output: Pass.Output) {
  precondition(input.x == 0 && input.y == 0, "an offset into a resizing is not documented")
  func place(_ index: Int, _ size: Int, _ source: Int) -> (first: Int, second: Int, part: Float) {
    let place = size == 1 ? 0 : Float(index) * Float(source - 1) / Float(size - 1)
    let first = min(Int(place), source - 1)
    return (first, min(first + 1, source - 1), place - Float(first))
  }
  let plane = input.plane
  for y in 0..<output.height {
    let row = place(y, output.height, plane.height)
    for x in 0..<output.width {
      let column = place(x, output.width, plane.width)
      let topLeft = plane.pixel(column.first, row.first)
      let topRight = plane.pixel(column.second, row.first)
      let bottomLeft = plane.pixel(column.first, row.second)
      let bottomRight = plane.pixel(column.second, row.second)
      let result = output.pixel(x, y)
      for c in 0..<output.plane.channels {
        let top = topLeft[c] + (topRight[c] - topLeft[c]) * column.part
        let bottom = bottomLeft[c] + (bottomRight[c] - bottomLeft[c]) * column.part
        result[c] = top + (bottom - top) * row.part
      }
    }
  }
}
