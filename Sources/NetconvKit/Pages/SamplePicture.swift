import Datasets
import ModelIR
import Pages

/// A picture of a sample of a data set, if it is an image.
struct SamplePicture {
  /// The maximum side in pixels; larger images are reduced.
  private static let sideLimit = 96

  private let images: LabeledImages
  private let feed: ImageFeed

  init(_ images: LabeledImages, _ feed: ImageFeed) {
    self.images = images
    self.feed = feed
  }

  /// Returns the picture of a sample; `nil` if it is not an image.
  ///
  /// - Throws: any error from reading it.
  func picture(of sample: Int) throws(NetconvError) -> PagePicture? {
    switch images.pixels {
    case .array:
      return Self.picture(
        try images.values(of: sample..<sample + 1), images.imageShape,
        areBytes: images.elementType == .uint8)
    case .pictures:
      guard let picture = try feed.fitting?.picture(at: sample) else { return nil }
      return Self.picture(picture.values, picture.shape, areBytes: false)
    }
  }

  /// Returns values as pixels: bytes unchanged, other values scaled from the smallest to the largest.
  static func picture(_ values: [Float], _ shape: [Int], areBytes: Bool) -> PagePicture? {
    guard let form = Form(shape), form.height * form.width * form.channels == values.count else {
      return nil
    }
    let finite = values.lazy.filter(\.isFinite)
    guard let least = finite.min(), let most = finite.max() else { return nil }
    let (low, high): (Float, Float) = areBytes ? (0, 255) : (least, most)
    let step = max(1, (max(form.height, form.width) + sideLimit - 1) / sideLimit)
    let (height, width) = (form.height / step, form.width / step)
    let channels = form.channels == 3 ? 3 : 1
    var bytes: [UInt8] = []
    bytes.reserveCapacity(height * width * channels)
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<channels {
          let value = values[form.index(y * step, x * step, channel)]
          let fraction = high > low && value.isFinite ? (value - low) / (high - low) : 0
          bytes.append(UInt8((255 * min(max(fraction, 0), 1)).rounded()))
        }
      }
    }
    return PagePicture(width: width, height: height, channels: channels, bytes: bytes)
  }

  /// The arrangement of pixels in an array.
  private struct Form {
    let height: Int
    let width: Int
    let channels: Int
    let isChannelsFirst: Bool

    /// Grey, or one, three or four channels on the first or last axis; `nil` if the array is not an image.
    init?(_ shape: [Int]) {
      let usual: Set = [1, 3, 4]
      switch shape.count {
      case 2: (height, width, channels, isChannelsFirst) = (shape[0], shape[1], 1, false)
      case 3 where usual.contains(shape[2]):
        (height, width, channels, isChannelsFirst) = (shape[0], shape[1], shape[2], false)
      case 3 where usual.contains(shape[0]):
        (height, width, channels, isChannelsFirst) = (shape[1], shape[2], shape[0], true)
      default: return nil
      }
      guard height > 1, width > 1 else { return nil }
    }

    func index(_ y: Int, _ x: Int, _ channel: Int) -> Int {
      isChannelsFirst
        ? (channel * height + y) * width + x : (y * width + x) * channels + channel
    }
  }
}
