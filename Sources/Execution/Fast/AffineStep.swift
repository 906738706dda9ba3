internal import CKernels

/// A step that shifts and scales each channel: y = (x - mean) · scale + shift.
struct AffineStep: KernelStep {
  private let level: CPULevel
  /// The values for each channel, or for the channels of several pixels.
  private let mean: AlignedBuffer<Float>
  private let scale: AlignedBuffer<Float>
  private let shift: AlignedBuffer<Float>
  /// The number of pixels of an image, or of groups of pixels.
  private let pixels: Int

  /// Pixels with few channels are processed in groups with at least this many values.
  private static let fewestValues = 64

  /// Creates a step over images of `pixels` pixels with a mean, scale and shift for each channel.
  init(_ level: CPULevel, mean: [Float], scale: [Float], shift: [Float], pixels: Int) {
    var run = 1
    while run * mean.count < Self.fewestValues, pixels.isMultiple(of: 2 * run) { run *= 2 }
    let length = run
    let repeated = { (numbers: [Float]) in
      AlignedBuffer((0..<length).flatMap { _ in numbers }, filler: 0)
    }
    self.level = level
    self.mean = repeated(mean)
    self.scale = repeated(scale)
    self.shift = repeated(shift)
    self.pixels = pixels / run
  }

  var inPlaceInputs: [Int] { [0] }

  func run(_ operands: Operands) {
    let channels = mean.count
    operands.team.share(
      operands.images * pixels, smallest: 1 + elementwiseShare / channels
    ) { pixels, _ in
      let first = pixels.lowerBound * channels
      level.affine(
        netconv_affine(
          x: operands.inputs[0] + first, y: operands.output + first, mean: mean.base,
          scale: scale.base, shift: shift.base, channels: channels, pixels: pixels.count))
    }
  }
}
