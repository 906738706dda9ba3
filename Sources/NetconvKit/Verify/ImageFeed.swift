import Datasets
import ImageFilters
import ModelIR
import Transforms

/// The preprocessing of images for a model's input, and their shape.
struct ImageFeed {
  private let input: ModelInput
  private let steps: [PixelStep]
  /// The fitting of pictures to the input; `nil` for images of one shape.
  let fitting: FittedPictures?
  /// The order of axes of samples for an input with channels first, if they have its shape; otherwise `nil`.
  let order: SampleOrder?
  /// The shape of a sample as it is fed to the model.
  let sampleShape: [Int]
  /// True if samples are sequences with the shape (steps, features).
  let isSequence: Bool
  /// True if images are fed as flat vectors, row by row.
  let isRowByRow: Bool

  /// Creates a feed of preprocessed images for an input.
  ///
  /// - Parameter axes: the orders of axes of the input, if it has two.
  /// - Throws: `usage` if the shape of the images does not fit the input, or a step does not apply to such images.
  init(
    _ images: LabeledImages, into input: ModelInput, _ steps: [PixelStep],
    axes: ArrayAxes? = nil, isSequence: Bool = false
  ) throws(NetconvError) {
    self.input = input
    self.steps = steps
    self.isSequence = isSequence
    if case .pictures(let entries) = images.pixels {
      let fitting = try FittedPictures(entries, into: input, hasChannelsFirst: axes != nil, steps)
      (self.fitting, sampleShape) = (fitting, fitting.shape)
      (order, isRowByRow) = (nil, fitting.shape.count == 1)
      return
    }
    fitting = nil
    order = SampleOrder(images.imageShape, into: axes, steps)
    if let order {
      sampleShape = order.shape
      isRowByRow = false
      return
    }
    var sample = PixelBatch(shape: images.imageShape, values: [])
    try sample.apply(steps)
    guard
      let shape = Self.shape(of: input.shape, for: sample.shape, isSequence: isSequence)
    else {
      throw .imagesDoNotFit(
        images.imageShape, prepared: sample.shape, input: input.shape, isSequence: isSequence)
    }
    sampleShape = shape
    isRowByRow =
      shape.count(where: { $0 != 1 }) == 1 && sample.shape.count(where: { $0 != 1 }) > 1
  }

  /// Returns the shape in which images are fed, with unknown sizes taken from the images; `nil` if they do not fit.
  ///
  /// An axis for a single channel may be missing or superfluous, and a flat vector accepts images row by row. Any
  /// other shape with the same number of values would mean other pixels. Steps are not features: in a sequence, only
  /// axes of size 1 may be missing.
  static func shape(of input: Shape, for image: [Int], isSequence: Bool = false) -> [Int]? {
    let count = image.reduce(1, *)
    if isSequence, image.count(where: { $0 != 1 }) > 1 {
      return [image, image.last == 1 ? image.dropLast() : image].first {
        input.isCompatible(with: Shape($0))
      }
    }
    if input.dimensions.filter({ $0 != 1 }).count == 1, input.rank == 1 || input.known != nil {
      let sizes = input.dimensions.map { $0 ?? count }
      return sizes.reduce(1, *) == count ? sizes : nil
    }
    var candidates = [image, image + [1]]
    if image.last == 1, image.count > 1 { candidates.append(image.dropLast()) }
    if image.count == 2 { candidates.append([1] + image) }
    return candidates.first { input.isCompatible(with: Shape($0)) }
  }

  /// Returns the images as the model expects them, by the name of its input.
  ///
  /// - Throws: `usage` if they cannot be preprocessed.
  func inputs(
    _ images: Range<Int>, in data: LabeledImages
  ) throws(NetconvError) -> [String: NDArray<Float>] {
    if let fitting { return [input.name: fitting.values(of: try fitting.pictures(images))] }
    let pixels = try data.values(of: images)
    if let order {
      return [
        input.name: try order.prepared(
          NDArray(shape: [images.count] + data.imageShape, values: pixels))
      ]
    }
    var batch = PixelBatch(shape: data.imageShape, values: pixels)
    try batch.apply(steps)
    return [input.name: NDArray(shape: [images.count] + sampleShape, values: batch.values)]
  }
}
