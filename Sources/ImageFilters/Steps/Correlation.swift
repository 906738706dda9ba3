internal import CKernels
import ModelIR
import Processor

/// A blur: each value becomes a weighted mean of its neighbourhood, with the same weights along
/// both axes and repeated edges.
struct Correlation: Equatable {
  /// The 2 · radius + 1 weights, which sum to 1.
  let taps: [Float]

  /// Creates the taps from -⌈radius⌉ to ⌈radius⌉ of a normal distribution.
  ///
  /// - Parameter sigma: The standard deviation; `nil` for half the radius.
  init(gaussian radius: Double, sigma: Double?) {
    taps = BlurTaps.gaussian(radius: radius, sigma: sigma, exponential)
  }

  /// Creates 2 · `radius` + 1 equal taps.
  init(box radius: Int) {
    taps = BlurTaps.box(radius: radius)
  }

  /// Returns the correlation of a picture with the taps.
  func apply(to values: [Float], _ form: PictureForm, _ workers: Workers) -> [Float] {
    guard taps.count > 1, form.count > 0 else { return values }
    return workers.values(form.count, from: values) { x, y in
      apply(x, y, form, workers)
    }
  }

  /// Writes the correlation of a picture at `x` to `y`.
  func apply(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ form: PictureForm,
    _ workers: Workers
  ) {
    let radius = taps.count / 2
    let scratchCount = netconv_correlation_scratch(form.channels, radius)
    taps.withUnsafeBufferPointer { taps in
      let shared = Shared(
        netconv_correlation(
          x: x, y: y, height: form.height, width: form.width, channels: form.channels,
          taps: taps.baseAddress, radius: radius))
      let cost = form.width * form.channels * self.taps.count / 4
      workers.share(form.height, cost: cost, unit: 4) { share in
        withUnsafeTemporaryAllocation(
          byteCount: scratchCount * MemoryLayout<Float>.size, alignment: 64
        ) { scratch in
          let scratch = scratch.bindMemory(to: Float.self)
          withUnsafePointer(to: shared.value) {
            workers.kernels.correlate($0, scratch.baseAddress, share.lowerBound, share.upperBound)
          }
        }
      }
    }
  }
}
