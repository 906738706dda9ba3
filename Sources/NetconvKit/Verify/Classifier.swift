import Datasets
import Execution
import ModelIR

/// A model with one image going in and one vector of classes coming out.
struct Classifier {
  /// What runs the model.
  let engine: any Engine
  private let input: ModelInput
  private let output: String
  private let batchShape: [Int]
  private let scale: Float
  private let offset: Float
  /// How many classes the model tells apart.
  let classCount: Int

  /// Checks that `model` can classify the images.
  ///
  /// - Throws: `usage` if it has other inputs or outputs, or another number of values; else what making the
  ///   engine has thrown.
  init(
    _ model: Model, _ engine: Result<any Engine, NetconvError>, _ images: LabeledImages,
    _ request: VerifyRequest
  ) throws(NetconvError) {
    guard let input = model.inputs.first, model.inputs.count == 1,
      let output = model.outputs.first, model.outputs.count == 1,
      let outputShape = model.shape(of: output)
    else { throw .notImageClassifier(model.inputs.map(\.name), model.outputs) }
    // An image as output has as many values as some classifier, but no classes.
    guard outputShape.dimensions.dropLast().allSatisfy({ $0 == 1 }) else {
      throw .notClasses(outputShape.description)
    }
    let isBuiltIn = request.data == .mnist
    guard let shape = Self.shape(of: input, for: images.imageShape),
      let outputs = outputShape.count, !isBuiltIn || outputs == 10
    else {
      throw isBuiltIn
        ? .notMNIST(input: input.shape.description, output: outputShape.description)
        : .imagesDoNotFit(images.imageShape, input: input.shape.description)
          .inFile(request.data.paths?.images ?? request.path)
    }
    self.input = input
    self.output = output
    batchShape = shape
    scale = Float(request.scale ?? input.scale ?? 1.0 / 255)
    offset = Float(request.offset ?? input.offset ?? 0)
    classCount = outputs == 1 ? 2 : outputs
    self.engine = try engine.get()
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

  /// The class of each image: the largest output, the first of equals; one output alone means 0 or 1.
  ///
  /// - Throws: `badData` if the model cannot be run, or `interrupted`.
  func classes(
    of images: Range<Int>, in data: LabeledImages, _ observer: Observer
  ) throws(NetconvError) -> [Int] {
    let pixels = [Float](unsafeUninitializedCapacity: images.count * data.imageSize) {
      buffer, count in
      count = images.count * data.imageSize
      data.read(
        images, scale: scale, offset: offset,
        into: UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
    }
    let batch = NDArray(shape: [images.count] + batchShape, values: pixels)
    let outputs = try engine.run([input.name: batch]) { () throws(NetconvError) in
      try observer.checkCancellation()
    }
    guard let values = outputs[output]?.values else { return [] }
    let width = values.count / images.count
    return images.indices.map { index in
      let start = (index - images.lowerBound) * width
      let outputs = values[start..<start + width]
      if width == 1 { return outputs[start] > 0.5 ? 1 : 0 }
      return (outputs.indices.max { outputs[$0] < outputs[$1] } ?? start) - start
    }
  }
}
