/// `exp(x[c])` over the sum of all channels' `exp`, for each pixel.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnsoftmax
open class MPSCNNSoftMax: MPSCNNKernel {
  override func body() -> Pass.Body {
    { inputs, output in
      copyPixels(inputs[0], to: output) { pixel in
        let channels = UnsafeMutableBufferPointer(start: pixel, count: output.plane.channels)
        let largest = channels.max() ?? 0
        var sum: Float = 0
        for c in channels.indices {
          channels[c] = exp(channels[c] - largest)
          sum += channels[c]
        }
        for c in channels.indices { channels[c] /= sum }
      }
    }
  }
}

/// The logarithm of the softmax, for each pixel.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpscnnlogsoftmax
open class MPSCNNLogSoftMax: MPSCNNKernel {
  override func body() -> Pass.Body {
    { inputs, output in
      copyPixels(inputs[0], to: output) { pixel in
        let channels = UnsafeMutableBufferPointer(start: pixel, count: output.plane.channels)
        let largest = channels.max() ?? 0
        let sum = channels.reduce(0) { $0 + exp($1 - largest) }
        for c in channels.indices { channels[c] = channels[c] - largest - log(sum) }
      }
    }
  }
}
