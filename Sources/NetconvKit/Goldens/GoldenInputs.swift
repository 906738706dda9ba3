import Datasets
import Diagnosis
import Execution
import ModelIR

/// Inputs for goldens, and their origin.
struct GoldenInputs {
  /// The arrays by name of the input; the first axis is the samples.
  let arrays: [String: NDArray<Float>]
  /// A human-readable origin of the inputs.
  let origin: String
  /// The number of samples.
  var samples: Int { arrays.values.first?.shape.first ?? 0 }

  /// Creates the inputs of a request for `model`.
  ///
  /// - Parameter source: the model as it was read, which determines the range of its inputs.
  /// - Throws: `usage` if the model has unknown sizes or the arrays do not fit; otherwise any error from reading.
  init(_ request: GoldensRequest, for model: Model, from source: Model) throws(NetconvError) {
    if let path = request.inputs {
      var arrays: [String: NDArray<Float>] = [:]
      do throws(NetconvError) {
        for (name, array) in try Netconv.stored(in: path, for: model).arrays {
          let samples = request.samples ?? array.count
          guard array.count >= samples else {
            throw .tooFewGoldens(array.count, asked: samples)
          }
          arrays[name] = try array.samples(0..<samples)
        }
        _ = try BatchShapes(of: arrays, for: model, byteCount: MemoryLayout<Double>.size)
      } catch {
        throw error.inFile(path)
      }
      self.arrays = arrays
      origin = "file"
      return
    }
    let samples = request.samples ?? 1
    if let images = try Self.images(samples, for: model) {
      arrays = images
      origin = "mnist"
    } else {
      arrays = try Self.random(samples, for: model, from: source)
      origin = "random"
    }
  }

  /// Returns the first images of the built-in MNIST test set, scaled as in `verify`; `nil` if the model does not
  /// accept them.
  private static func images(
    _ samples: Int, for model: Model
  ) throws(NetconvError) -> [String: NDArray<Float>]? {
    guard model.inputs.count == 1, model.outputs.count == 1, let input = model.inputs.first,
      input.shape.known != nil, model.shape(of: model.outputs[0])?.count == 10
    else { return nil }
    let images = try LabeledImages.mnist()
    guard ImageFeed.shape(of: input.shape, for: images.imageShape) != nil, samples <= images.count
    else { return nil }
    let options = PixelOptions(scale: nil, offset: nil, isRawBlobs: false)
    let preparation = PixelPreparation(
      of: try PixelFacts(images), for: input, of: model, options)
    // If a preprocessing step is for other images, random values are used instead.
    guard let feed = try? ImageFeed(images, into: input, preparation.steps) else { return nil }
    return try feed.inputs(0..<samples, in: images)
  }

  /// Returns seeded random inputs in the range that the first layers expect, or token ids that they accept.
  private static func random(
    _ samples: Int, for model: Model, from source: Model
  ) throws(NetconvError) -> [String: NDArray<Float>] {
    var shapes: [String: [Int]] = [:]
    for input in model.inputs {
      guard let shape = input.shape.known else { throw .unknownGoldenSize(input) }
      shapes[input.name] = shape
    }
    try checkMemory(Array(shapes.values), samples: samples)
    return try RandomInputs(shapes, samples: samples, for: model, toldBy: [source]).arrays
  }

  /// Checks that there is memory for arrays of these shapes, and for their encoded bytes.
  private static func checkMemory(_ shapes: [[Int]], samples: Int) throws(NetconvError) {
    var bytes = 0
    for shape in shapes {
      let count = try MemoryBound.values(
        shape, samples: samples, byteCount: 4 * MemoryLayout<Float>.size)
      bytes += count * 4 * MemoryLayout<Float>.size
    }
    try RunMemory.check(bytes, samples: samples)
  }
}

extension NetconvError {
  fileprivate static func unknownGoldenSize(_ input: ModelInput) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "the input \(quoted(input.name)) has shape \(input.shape), with an open size; "
        + "pass inputs with \(.goldenInputs)")
  }

  fileprivate static func tooFewGoldens(_ found: Int, asked: Int) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "holds \(counted(found, "sample")), fewer than the \(asked) that \(.goldens) needs; pass \(found), or add some"
    )
  }
}
