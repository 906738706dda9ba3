/// A convolution of each channel with kernels of its own, on the CPU.
package struct DepthwiseConvolution: Sendable {
  package let window: Convolution.Window
  package let channels: Int
  /// Results of a channel, which lie next to one another.
  package let multiplier: Int
  /// (window row, window column, channel, result of the channel).
  private let weights: [Float]

  package init(
    window: Convolution.Window, channels: Int, multiplier: Int,
    _ weight: (_ channel: Int, _ result: Int, _ row: Int, _ column: Int) -> Float
  ) {
    self.window = window
    self.channels = channels
    self.multiplier = multiplier
    var weights: [Float] = []
    for row in 0..<window.height {
      for column in 0..<window.width {
        for channel in 0..<channels {
          for result in 0..<multiplier { weights.append(weight(channel, result, row, column)) }
        }
      }
    }
    self.weights = weights
  }

  /// Calls `finish` with the sums of each pixel, on several threads.
  package func run(
    _ source: Plane, start: Convolution.Start, width: Int, height: Int,
    pixel: @Sendable (_ x: Int, _ y: Int) -> UnsafeMutablePointer<Float>,
    finish: @Sendable (UnsafeMutablePointer<Float>) -> Void
  ) {
    parallel(height) { y in
      for x in 0..<width {
        let result = pixel(x, y)
        result.update(repeating: 0, count: channels * multiplier)
        for row in 0..<window.height {
          for column in 0..<window.width {
            let input = source.pixel(
              start.x + x * window.strideX + column * window.dilationX,
              start.y + y * window.strideY + row * window.dilationY, clamps: start.clamps)
            guard let input else { continue }
            add(input, tap: row * window.width + column, to: result)
          }
        }
        finish(result)
      }
    }
  }

  private func add(
    _ input: UnsafePointer<Float>, tap: Int, to result: UnsafeMutablePointer<Float>
  ) {
    weights.withUnsafeBufferPointer { weights in
      let first = tap * channels * multiplier
      if multiplier == 1 {
        for channel in 0..<channels {
          result[channel] += input[channel] * weights[first + channel]
        }
      } else {
        for index in 0..<channels * multiplier {
          result[index] += input[index / multiplier] * weights[first + index]
        }
      }
    }
  }
}
