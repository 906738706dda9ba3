/// Takes one number of each window and channel.
///
/// The first window lies around ``MPSCNNKernel/offset``: it begins `kernelWidth >> 1` to the left of it, so that a
/// window of two pixels that begins at the image's corner has the offset (1, 1).
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnpooling
open class MPSCNNPooling: MPSCNNKernel {
  /// Windows next to one another, a pixel apart.
  public convenience init(device: any MTLDevice, kernelWidth: Int, kernelHeight: Int) {
    self.init(
      device: device, kernelWidth: kernelWidth, kernelHeight: kernelHeight, strideInPixelsX: 1,
      strideInPixelsY: 1)
  }

  /// Windows `strideInPixelsX` and `strideInPixelsY` apart.
  public init(
    device: any MTLDevice, kernelWidth: Int, kernelHeight: Int, strideInPixelsX: Int,
    strideInPixelsY: Int
  ) {
    super.init(device: device)
    (self.kernelWidth, self.kernelHeight) = (kernelWidth, kernelHeight)
    (self.strideInPixelsX, self.strideInPixelsY) = (strideInPixelsX, strideInPixelsY)
  }

  /// Calls with the place of each window's top left corner, and where its result goes.
  func forEachWindow(
    of input: Pass.Input, _ output: Pass.Output,
    _ body: (_ x: Int, _ y: Int, UnsafeMutablePointer<Float>) -> Void
  ) {
    for y in 0..<output.height {
      for x in 0..<output.width {
        body(
          input.x + x * strideInPixelsX - (kernelWidth >> 1),
          input.y + y * strideInPixelsY - (kernelHeight >> 1), output.pixel(x, y))
      }
    }
  }
}

/// The largest number of a window.
///
/// With edges of zeros a window that reaches out of the image has a maximum of at least 0; with clamped edges what lies
/// outside plays no part, as in TensorFlow.
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnpoolingmax
open class MPSCNNPoolingMax: MPSCNNPooling {
  override func body() -> Pass.Body {
    { [self, kernelWidth, kernelHeight] inputs, output in
      let (input, channels) = (inputs[0], output.plane.channels)
      forEachWindow(of: input, output) { x, y, result in
        result.update(repeating: -.infinity, count: channels)
        for row in 0..<kernelHeight {
          for column in 0..<kernelWidth {
            if let pixel = input.plane.pixel(
              x + column, y + row, clamps: input.edgeMode == .clamp)
            {
              for c in 0..<channels { result[c] = max(result[c], pixel[c]) }
            } else {
              for c in 0..<channels { result[c] = max(result[c], 0) }
            }
          }
        }
      }
    }
  }
}

/// The mean of a window.
///
/// With edges of zeros these count; with clamped edges the window shrinks to the image, and to
/// ``zeroPadSizeX`` and ``zeroPadSizeY`` zeros around it.
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnpoolingaverage
open class MPSCNNPoolingAverage: MPSCNNPooling {
  /// Zeros on the left and on the right that count with clamped edges.
  open var zeroPadSizeX = 0
  /// Zeros above and below that count with clamped edges.
  open var zeroPadSizeY = 0

  override func body() -> Pass.Body {
    { [self, kernelWidth, kernelHeight, zeroPadSizeX, zeroPadSizeY] inputs, output in
      let (input, channels) = (inputs[0], output.plane.channels)
      let (width, height) = (input.plane.width, input.plane.height)
      let clamps = input.edgeMode == .clamp
      forEachWindow(of: input, output) { x, y, result in
        result.update(repeating: 0, count: channels)
        for row in max(y, 0)..<max(min(y + kernelHeight, height), max(y, 0)) {
          for column in max(x, 0)..<max(min(x + kernelWidth, width), max(x, 0)) {
            let pixel = input.plane.pixel(column, row)
            for c in 0..<channels { result[c] += pixel[c] }
          }
        }
        let columns =
          min(x + kernelWidth, width + zeroPadSizeX) - max(x, -zeroPadSizeX)
        let rows =
          min(y + kernelHeight, height + zeroPadSizeY) - max(y, -zeroPadSizeY)
        let count = clamps ? max(columns, 0) * max(rows, 0) : kernelWidth * kernelHeight
        for c in 0..<channels { result[c] = count == 0 ? 0 : result[c] / Float(count) }
      }
    }
  }
}
