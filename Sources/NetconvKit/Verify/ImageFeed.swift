import Datasets
import ModelIR

/// How images go into a model: in what shape, and scaled how.
struct ImageFeed {
  private let input: ModelInput
  private let batchShape: [Int]
  private let scale: Float
  private let offset: Float

  /// The feed of `images` into an input, scaled as is said, else as the model records, else by 1/255.
  ///
  /// - Returns: `nil` if the images have another number of values than the input.
  init?(
    _ input: ModelInput, _ images: LabeledImages, scale: Double? = nil, offset: Double? = nil
  ) {
    guard let shape = Self.shape(of: input, for: images.imageShape) else { return nil }
    self.input = input
    batchShape = shape
    self.scale = Float(scale ?? input.scale ?? 1.0 / 255)
    self.offset = Float(offset ?? input.offset ?? 0)
  }

  /// The shape that images are fed in: the input's own, with unknown sizes taken from the images.
  private static func shape(of input: ModelInput, for image: [Int]) -> [Int]? {
    if let known = input.shape.known {
      return (try? product(known)) == image.reduce(1, *) ? known : nil
    }
    for candidate in [image, image + [1]] where input.shape.isCompatible(with: Shape(candidate)) {
      return candidate
    }
    return nil
  }

  /// Images as the model takes them, by the name of its input.
  func inputs(_ images: Range<Int>, in data: LabeledImages) -> [String: NDArray<Float>] {
    let pixels = [Float](unsafeUninitializedCapacity: images.count * data.imageSize) {
      buffer, count in
      count = images.count * data.imageSize
      data.read(
        images, scale: scale, offset: offset,
        into: UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
    }
    return [input.name: NDArray(shape: [images.count] + batchShape, values: pixels)]
  }
}
