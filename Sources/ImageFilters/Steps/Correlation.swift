internal import CKernels
import ModelIR
import Processor

/// A blur: each value becomes a weighted mean of its neighbourhood, the same along both axes; beyond an edge lies the edge.
struct Correlation: Equatable {
  /// The weights, 2 · radius + 1 of them, which sum to 1.
  let taps: [Float]

  /// Taps from -⌈radius⌉ to ⌈radius⌉ of a normal distribution.
  ///
  /// - Parameter sigma: the standard deviation; half of the radius if it is `nil`.
  init(gaussian radius: Double, sigma: Double?) {
    taps = BlurTaps.gaussian(radius: radius, sigma: sigma, exponential)
  }

  /// 2 · `radius` + 1 taps that are the same.
  init(box radius: Int) {
    taps = BlurTaps.box(radius: radius)
  }

  /// Correlates a picture.
  func apply(to values: [Float], _ form: PictureForm, _ workers: Workers) -> [Float] {
    guard taps.count > 1, form.count > 0 else { return values }
    return workers.values(form.count, from: values) { x, y in
      apply(x, y, form, workers)
    }
  }

  /// Correlates a picture from one memory into another.
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
