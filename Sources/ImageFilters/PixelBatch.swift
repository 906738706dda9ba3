import ModelIR

/// Images of one shape on their way through steps into a network.
public struct PixelBatch: Sendable {
  /// The size of each axis of one image.
  public private(set) var shape: [Int]
  /// All values, image by image.
  public private(set) var values: [Float]
  private var order = PixelStep.ChannelOrder.rgb
  private var encoding = PixelStep.Encoding.sRGB
  /// Where the axis of the channels stands, if there is one.
  private var channelAxis: Int?

  /// Images as they come.
  ///
  /// - Parameters:
  ///   - shape: of one image: (height, width), (height, width, channels), or anything else, which then has no channels.
  ///   - values: of any number of images, none included.
  /// - Precondition: the values are those of whole images.
  public init(shape: [Int], values: [Float]) {
    self.shape = shape
    self.values = values
    channelAxis = shape.count == 3 ? 2 : nil
  }

  /// Takes all images through a list of steps, as ``Picture/applying(_:threads:)`` takes one.
  ///
  /// - Throws: `usage` if a step is for images of another kind, `badData` if it is wrong itself.
  public mutating func apply(_ steps: [PixelStep]) throws(NetconvError) {
    guard !steps.isEmpty else { return }
    let workers = try Workers()
    for pass in FilterPass.passes(of: steps) {
      switch pass {
      case .points(let steps):
        try withChannelsLast { (batch: inout Self) throws(NetconvError) in
          try batch.applyToPixels(steps, workers)
        }
      case .step(.transpose):
        guard shape.count == 2 || channelAxis != nil else {
          throw .wrongImage(.transpose, shape)
        }
        let (height, width) = channelAxis == 0 ? (1, 2) : (0, 1)
        var axes = Array(shape.indices)
        axes.swapAt(height, width)
        permute(axes)
      case .step(.axes(let wanted)):
        guard shape.count == 3 else { throw .wrongImage(.axes(wanted), shape) }
        if wanted == .channelsFirst, channelAxis == 0 { continue }
        // Images for which channels have to be brought behind have them in front.
        permute(wanted == .channelsFirst ? [2, 0, 1] : [1, 2, 0])
        channelAxis = wanted == .channelsFirst ? 0 : 2
      case .step(let step):
        try withChannelsLast { (batch: inout Self) throws(NetconvError) in
          try batch.applyToImages(step, workers)
        }
      }
    }
  }

  /// What one image is; `nil` if it has no height and width.
  private var form: PictureForm? {
    guard (2...3).contains(shape.count) else { return nil }
    return PictureForm(
      height: shape[0], width: shape[1], channels: shape.count == 3 ? shape[2] : 1,
      encoding: encoding, order: order)
  }

  /// Runs steps on images whose channels are behind height and width, and brings them back to where they were.
  private mutating func withChannelsLast(
    _ body: (inout PixelBatch) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    guard channelAxis == 0 else { return try body(&self) }
    permute([1, 2, 0])
    channelAxis = 2
    try body(&self)
    permute([2, 0, 1])
    channelAxis = 0
  }

  /// Takes all pixels through steps, as those of one picture.
  private mutating func applyToPixels(
    _ steps: [PixelStep], _ workers: Workers
  ) throws(NetconvError) {
    guard form?.channels != 0 else { return }
    if form == nil, let step = steps.first(where: { !$0.takesAnything }) {
      throw .wrongImage(step, shape)
    }
    // What is no image has values that are taken one by one. All images are one tall picture.
    var tall = form ?? PictureForm(height: 0, width: 1, channels: 1)
    let count = tall.width * tall.channels
    tall.height = count == 0 ? 0 : values.count / count
    let pass = try PreparedPass(.points(steps), for: tall, shape: shape)
    values = pass.apply(to: Picture(tall, values: values), workers).values
    (order, encoding) = (pass.output.order, pass.output.encoding)
    switch shape.count {
    case 3: shape[2] = pass.output.channels
    case 2 where pass.output.channels > 1:
      // Grey images that have become coloured ones.
      shape.append(pass.output.channels)
      channelAxis = 2
    default: break
    }
  }

  /// Takes image after image through a step.
  private mutating func applyToImages(
    _ step: PixelStep, _ workers: Workers
  ) throws(NetconvError) {
    guard let form, form.channels > 0 else { throw .wrongImage(step, shape) }
    let pass = try PreparedPass(.step(step), for: form, shape: shape)
    let next = pass.output
    var result: [Float] = []
    if form.count > 0 {
      result.reserveCapacity(values.count / form.count * next.count)
      for first in stride(from: 0, to: values.count, by: form.count) {
        let picture = Picture(form, values: Array(values[first..<first + form.count]))
        result += pass.apply(to: picture, workers).values
      }
    }
    values = result
    shape = [next.height, next.width] + (shape.count == 3 ? [next.channels] : [])
    (order, encoding) = (next.order, next.encoding)
  }

  /// Brings the axes of each image into another order: each of the new ones is named by its old place.
  private mutating func permute(_ axes: [Int]) {
    let size = shape.reduce(1, *)
    let images = NDArray(
      shape: [size > 0 ? values.count / size : 0] + shape, values: values
    ).permuted([0] + axes.map { $0 + 1 })
    (shape, values) = (Array(images.shape.dropFirst()), images.values)
  }
}

extension PixelStep {
  /// Whether a step is for values of any kind, and not only for images.
  fileprivate var takesAnything: Bool {
    switch self {
    case .scale, .offset, .mean, .deviation, .invert, .channels: true
    default: false
    }
  }
}
