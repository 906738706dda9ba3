/// Images of one shape on their way through steps.
public struct PixelBatch: Sendable {
  /// The size of each axis of one image.
  public private(set) var shape: [Int]
  /// All values, image by image.
  public private(set) var values: [Float]
  private var order = PixelStep.ChannelOrder.rgb
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

  /// Takes all images through a list of steps.
  ///
  /// - Throws: `usage` if a step is for images of another kind.
  public mutating func apply(_ steps: [PixelStep]) throws(NetconvError) {
    for step in steps { try apply(step) }
  }

  /// Takes all images through a step.
  ///
  /// - Throws: `usage` if it is for images of another kind.
  public mutating func apply(_ step: PixelStep) throws(NetconvError) {
    switch step {
    case .scale(let numbers): try map(step, numbers) { $0 * $1 }
    case .offset(let numbers): try map(step, numbers) { $0 + $1 }
    case .mean(let numbers): try map(step, numbers) { $0 - $1 }
    case .deviation(let numbers): try map(step, numbers) { $0 / $1 }
    case .invert(let largest): try map(step, [largest]) { $1 - $0 }
    case .channels(let wanted):
      guard [nil, 1, 3].contains(channelCount) else { throw .wrongImage(step, shape) }
      if wanted != order { reverseChannels() }
      order = wanted
    case .transpose:
      guard shape.count == 2 || channelAxis != nil else { throw .wrongImage(step, shape) }
      let (height, width) = channelAxis == 0 ? (1, 2) : (0, 1)
      var axes = Array(shape.indices)
      axes.swapAt(height, width)
      permute(axes)
    case .axes(let wanted):
      guard shape.count == 3 else { throw .wrongImage(step, shape) }
      if wanted == .channelsFirst, channelAxis == 0 { return }
      // Images for which channels have to be brought behind have them in front.
      permute(wanted == .channelsFirst ? [2, 0, 1] : [1, 2, 0])
      channelAxis = wanted == .channelsFirst ? 0 : 2
    }
  }

  private var channelCount: Int? { channelAxis.map { shape[$0] } }

  private mutating func map(
    _ step: PixelStep, _ numbers: [Double], _ change: (Float, Float) -> Float
  ) throws(NetconvError) {
    let numbers = numbers.map { Float($0) }
    guard numbers.count != 1 else {
      let number = numbers[0]
      for index in values.indices { values[index] = change(values[index], number) }
      return
    }
    guard let channelAxis, shape[channelAxis] == numbers.count else {
      throw .wrongImage(step, shape)
    }
    let inner = shape[(channelAxis + 1)...].reduce(1, *)
    for index in values.indices {
      values[index] = change(values[index], numbers[index / inner % numbers.count])
    }
  }

  private mutating func reverseChannels() {
    guard let channelAxis, shape[channelAxis] > 1, !values.isEmpty else { return }
    let channels = shape[channelAxis]
    let inner = shape[(channelAxis + 1)...].reduce(1, *)
    for first in stride(from: 0, to: values.count, by: channels * inner) {
      for channel in 0..<channels / 2 {
        for place in 0..<inner {
          values.swapAt(
            first + channel * inner + place, first + (channels - 1 - channel) * inner + place)
        }
      }
    }
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
