/// Copies an image, with zeros around it.
///
/// Into an image that is given, rows and columns of zeros follow from ``MPSCNNKernel/offset`` and the size of that image;
/// channels of zeros from the padding sizes alone. The first channel of the source can be any.
///
/// MPSNNReshape.h; https://developer.apple.com/documentation/metalperformanceshaders/mpsnnpad
open class MPSNNPad: MPSCNNKernel {
  /// Zeros in front; columns and rows only where the kernel makes the image itself.
  open var paddingSizeBefore = MPSImageCoordinate()
  /// Zeros behind; columns and rows only where the kernel makes the image itself.
  open var paddingSizeAfter = MPSImageCoordinate()

  /// Without padding.
  public override init(device: any MTLDevice) { super.init(device: device) }

  /// With padding.
  public init(
    device: any MTLDevice, paddingSizeBefore: MPSImageCoordinate,
    paddingSizeAfter: MPSImageCoordinate
  ) {
    super.init(device: device)
    (self.paddingSizeBefore, self.paddingSizeAfter) = (paddingSizeBefore, paddingSizeAfter)
  }

  override var beginsAnywhere: Bool { true }

  override func outputChannels(_ sourceChannels: Int) -> Int {
    paddingSizeBefore.channel + sourceChannels + paddingSizeAfter.channel
  }

  override func place(_ descriptor: MPSImageDescriptor, source: MPSImage) {
    let (before, after) = (paddingSizeBefore, paddingSizeAfter)
    descriptor.width = before.x + source.width + after.x
    descriptor.height = before.y + source.height + after.y
    (offset.x, offset.y) = (-before.x, -before.y)
  }

  override func body() -> Pass.Body {
    precondition(edgeMode == .zero, "there are zeros around the image, and no other edges here")
    let before = paddingSizeBefore.channel
    return { inputs, output in
      let input = inputs[0]
      for y in 0..<output.height {
        for x in 0..<output.width {
          let result = output.pixel(x, y)
          result.update(repeating: 0, count: output.plane.channels)
          if let pixel = input.plane.pixel(input.x + x, input.y + y, clamps: false) {
            (result + before).update(from: pixel, count: input.plane.channels)
          }
        }
      }
    }
  }
}
