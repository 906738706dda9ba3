/// A convolution of one image on the CPU: rows of windows, times a matrix of kernels.
package struct Convolution: Sendable {
  /// A window and how it moves.
  package struct Window: Sendable {
    package var width: Int
    package var height: Int
    package var strideX: Int
    package var strideY: Int
    package var dilationX: Int
    package var dilationY: Int

    package init(
      width: Int, height: Int, strideX: Int, strideY: Int, dilationX: Int, dilationY: Int
    ) {
      (self.width, self.height) = (width, height)
      (self.strideX, self.strideY) = (strideX, strideY)
      (self.dilationX, self.dilationY) = (dilationX, dilationY)
    }
  }

  /// The place in the source of the first window's top left corner, and what lies outside.
  package struct Start: Sendable {
    package let x: Int
    package let y: Int
    package let clamps: Bool

    package init(x: Int, y: Int, clamps: Bool) {
      (self.x, self.y, self.clamps) = (x, y, clamps)
    }
  }

  package let window: Window
  /// Of a group.
  package let inputChannels: Int
  /// Of a group.
  package let outputChannels: Int
  /// A matrix for each group: (window row, window column, channel) by output channel.
  private let kernels: [PackedMatrix]

  package init(
    window: Window, groups: Int, inputChannels: Int, outputChannels: Int,
    _ weight: (_ output: Int, _ row: Int, _ column: Int, _ input: Int) -> Float
  ) {
    self.window = window
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
    kernels = (0..<groups).map { group in
      PackedMatrix(rows: window.height * window.width * inputChannels, columns: outputChannels) {
        let (tap, channel) = $0.quotientAndRemainder(dividingBy: inputChannels)
        return weight(
          group * outputChannels + $1, tap / window.width, tap % window.width, channel)
      }
    }
  }

  /// Calls `finish` with the sums of each pixel, on several threads.
  package func run(
    _ source: Plane, start: Start, width: Int, height: Int,
    pixel: @Sendable (_ x: Int, _ y: Int) -> UnsafeMutablePointer<Float>, pixelStride: Int,
    finish: @Sendable (UnsafeMutablePointer<Float>) -> Void
  ) {
    if width * height == 1 {
      runSinglePixel(source, start: start, pixel(0, 0))
      finish(pixel(0, 0))
      return
    }
    parallel(height) { y in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: width * kernels[0].rows) { windows in
        let left = windows.baseAddress.unsafelyUnwrapped
        for (group, kernel) in kernels.enumerated() {
          for x in 0..<width {
            gather(source, start, group: group, x: x, y: y, into: left + x * kernel.rows)
          }
          kernel.multiply(
            left, count: width, into: pixel(0, y) + group * outputChannels, stride: pixelStride,
            panels: 0..<kernel.panels)
        }
      }
      for x in 0..<width { finish(pixel(x, y)) }
    }
  }

  /// A fully-connected layer has only one window: the threads share its output channels.
  private func runSinglePixel(
    _ source: Plane, start: Start, _ pixel: UnsafeMutablePointer<Float>
  ) {
    struct Address: @unchecked Sendable {
      let pixel: UnsafeMutablePointer<Float>
      let left: UnsafeMutablePointer<Float>
    }
    withUnsafeTemporaryAllocation(of: Float.self, capacity: kernels[0].rows) { window in
      let address = Address(pixel: pixel, left: window.baseAddress.unsafelyUnwrapped)
      for (group, kernel) in kernels.enumerated() {
        gather(source, start, group: group, x: 0, y: 0, into: address.left)
        let share = 16
        parallel((kernel.panels + share - 1) / share) {
          kernel.multiply(
            address.left, count: 1, into: address.pixel + group * outputChannels, stride: 0,
            panels: $0 * share..<min(($0 + 1) * share, kernel.panels))
        }
      }
    }
  }

  private func gather(
    _ source: Plane, _ start: Start, group: Int, x: Int, y: Int,
    into window: UnsafeMutablePointer<Float>
  ) {
    var next = window
    for row in 0..<self.window.height {
      let sourceY = start.y + y * self.window.strideY + row * self.window.dilationY
      for column in 0..<self.window.width {
        let sourceX = start.x + x * self.window.strideX + column * self.window.dilationX
        if let pixel = source.pixel(sourceX, sourceY, clamps: start.clamps) {
          next.update(from: pixel + group * inputChannels, count: inputChannels)
        } else {
          next.update(repeating: 0, count: inputChannels)
        }
        next += inputChannels
      }
    }
  }
}

extension Plane {
  /// A pixel, or the nearest one inside, or none.
  func pixel(_ x: Int, _ y: Int, clamps: Bool) -> UnsafeMutablePointer<Float>? {
    if x >= 0 && x < width && y >= 0 && y < height { return pixel(x, y) }
    return clamps ? pixel(min(max(x, 0), width - 1), min(max(y, 0), height - 1)) : nil
  }
}
