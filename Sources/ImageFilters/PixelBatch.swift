import ModelIR

/// A batch of images of one shape, during the preprocessing for a network.
public struct PixelBatch: Sendable {
  /// The shape of one image.
  public private(set) var shape: [Int]
  /// All values, image by image.
  public private(set) var values: [Float]
  private var order = PixelStep.ChannelOrder.rgb
  private var encoding = PixelStep.Encoding.sRGB
  /// The index of the channel axis, if there is one.
  private var channelAxis: Int?

  /// Creates a batch of images.
  ///
  /// - Parameters:
  ///   - shape: The shape of one image: (height, width), (height, width, channels), or any other
  ///     shape without channels.
  ///   - values: The values of any number of images, possibly none.
  /// - Precondition: The number of values is a multiple of the image size.
  public init(shape: [Int], values: [Float]) {
    self.shape = shape
    self.values = values
    channelAxis = shape.count == 3 ? 2 : nil
  }

  /// Applies a list of steps to all images, like ``Picture/applying(_:threads:)``.
  ///
  /// - Throws: `usage` if a step does not apply to these images, `badData` if it is invalid.
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
        // Images that have to become channels last are channels first now.
        permute(wanted == .channelsFirst ? [2, 0, 1] : [1, 2, 0])
        channelAxis = wanted == .channelsFirst ? 0 : 2
      case .step(let step):
        try withChannelsLast { (batch: inout Self) throws(NetconvError) in
          try batch.applyToImages(step, workers)
        }
      }
    }
  }

  /// The form of one image; `nil` if it has no height and width.
  private var form: PictureForm? {
    guard (2...3).contains(shape.count) else { return nil }
    return PictureForm(
      height: shape[0], width: shape[1], channels: shape.count == 3 ? shape[2] : 1,
      encoding: encoding, order: order)
  }

  /// Runs steps on channels-last images, and restores the order of axes afterwards.
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

  /// Applies pointwise steps to all images, as one picture.
  private mutating func applyToPixels(
    _ steps: [PixelStep], _ workers: Workers
  ) throws(NetconvError) {
    guard form?.channels != 0 else { return }
    if form == nil, let step = steps.first(where: { !$0.takesAnything }) {
      throw .wrongImage(step, shape)
    }
    // Samples that are not images are processed value by value. All images together form one tall
    // picture.
    var tall = form ?? PictureForm(height: 0, width: 1, channels: 1)
    let count = tall.width * tall.channels
    tall.height = count == 0 ? 0 : values.count / count
    let pass = try PreparedPass(.points(steps), for: tall, shape: shape)
    values = pass.apply(to: Picture(tall, values: values), workers).values
    (order, encoding) = (pass.output.order, pass.output.encoding)
    switch shape.count {
    case 3: shape[2] = pass.output.channels
    case 2 where pass.output.channels > 1:
      // Gray images that became colour images.
      shape.append(pass.output.channels)
      channelAxis = 2
    default: break
    }
  }

  /// Applies a step to each image.
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

  /// Permutes the axes of each image; `axes` lists the old index of each new axis.
  private mutating func permute(_ axes: [Int]) {
    let size = shape.reduce(1, *)
    let images = NDArray(
      shape: [size > 0 ? values.count / size : 0] + shape, values: values
    ).permuted([0] + axes.map { $0 + 1 })
    (shape, values) = (Array(images.shape.dropFirst()), images.values)
  }
}

extension PixelStep {
  /// True if a step applies to any values, not only to images.
  fileprivate var takesAnything: Bool {
    switch self {
    case .scale, .offset, .mean, .deviation, .invert, .channels: true
    default: false
    }
  }
}
