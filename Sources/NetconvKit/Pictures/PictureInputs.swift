import Datasets
import ModelIR
import Transforms

/// Pictures on their way into a model with one input.
struct PictureInputs {
  /// The pictures, in the order in which they were named.
  let entries: [PictureEntry]
  /// How the values of all of them are prepared, and why.
  let preparation: PixelPreparation
  private let input: ModelInput
  private let fitting: PictureFitting

  /// The pictures that `paths` name.
  ///
  /// - Throws: `usage` if the model takes none; `badData`, `cannotOpen` or `inputOutput` if one cannot be found.
  init(
    _ paths: [String], for model: Model, _ axes: SourceAxes, _ options: PixelOptions
  ) throws(NetconvError) {
    guard let input = model.inputs.first, model.inputs.count == 1 else {
      throw .severalInputs(model.inputs.map(\.name))
    }
    self.input = input
    preparation = PixelPreparation(of: .bytes, for: input, of: model, options)
    fitting = try PictureFitting(
      into: input, hasChannelsFirst: axes[input.name] != nil, preparation.steps)
    entries = try PictureEntry.all(at: paths)
  }

  /// Some of the pictures as the model takes them.
  struct Batch {
    /// By the name of the input.
    let arrays: [String: NDArray<Float>]
    /// What became of each picture.
    let pictures: [FittedPicture]
  }

  /// Reads and prepares some of the pictures.
  ///
  /// - Parameter shape: the one that all pictures are fed in, set by the first.
  /// - Throws: `usage`, `badData`, `cannotOpen` or `inputOutput`, naming the picture.
  func batch(_ range: Range<Int>, in shape: inout [Int]?) throws(NetconvError) -> Batch {
    let pictures = try entries[range].map { entry throws(NetconvError) in
      try FittedPicture(entry, fitting)
    }
    let common = shape ?? pictures.first?.shape ?? []
    shape = common
    if let other = pictures.first(where: { $0.shape != common }) {
      throw .differentPictures(entries[0].name, common, other.name, other.shape)
    }
    return Batch(
      arrays: [
        input.name: NDArray(
          shape: [pictures.count] + common, values: pictures.flatMap(\.values))
      ], pictures: pictures)
  }

  /// What was fed, for reports.
  func row(_ shape: [Int]) -> RunReport.Input {
    RunReport.Input(
      name: input.name, shape: [entries.count] + shape, dtype: ElementType.uint8.rawValue,
      nonFinite: 0, axes: nil, pixels: preparation)
  }
}

extension PixelFacts {
  /// What is known of the values of pictures before they are read.
  static let bytes = PixelFacts([0, 255], .uint8)
}
