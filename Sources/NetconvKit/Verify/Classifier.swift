import Datasets
import Execution
import ModelIR

/// A model with one image going in and one vector of classes coming out.
struct Classifier {
  /// The class that a model sees in an image.
  struct Prediction: Sendable {
    /// The largest output, the first of equals; one output alone means 0 or 1.
    ///
    /// `nil` if an output is not a number, or if the largest is not finite: then no class stands out.
    let label: Int?
    /// How far it is from the second, or from 0.5; `nil` without a class, or if the second is infinitely far.
    let margin: Float?

    /// No class.
    static let notFinite = Prediction(label: nil, margin: nil)
  }

  /// What runs the model.
  let engine: any Engine
  /// What is done to pixels, and why.
  let preparation: PixelPreparation
  /// How images are fed.
  private(set) var feed: ImageFeed
  private let input: ModelInput
  private let output: String
  /// How many classes the model tells apart.
  let classCount: Int

  /// Checks that `model` can classify the images.
  ///
  /// - Throws: `usage` if it has other inputs or outputs, or another number of values; else what making the
  ///   engine has thrown.
  init(
    _ model: Model, _ engine: Result<any Engine, NetconvError>, _ images: LabeledImages,
    _ facts: PixelFacts, _ request: VerifyRequest, _ options: PixelOptions
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
    guard let outputs = outputShape.count, !isBuiltIn || outputs == 10 else {
      throw isBuiltIn
        ? .notMNIST(input: input.shape.description, output: outputShape.description)
        : .notClasses(outputShape.description)
    }
    do throws(NetconvError) {
      preparation = PixelPreparation(of: facts, for: input, of: model, options)
      feed = try ImageFeed(images, into: input, preparation.steps)
    } catch {
      throw isBuiltIn
        ? .notMNIST(input: input.shape.description, output: outputShape.description)
        : error.inFile(request.data.paths?.images ?? request.path)
    }
    self.output = output
    self.input = input
    classCount = outputs == 1 ? 2 : outputs
    self.engine = try engine.get()
  }

  /// The same model, fed with images that are prepared in another way.
  ///
  /// - Throws: `usage` if they do not fit then.
  func trying(
    _ steps: [PixelStep], on images: LabeledImages
  ) throws(NetconvError) -> Classifier {
    var other = self
    other.feed = try ImageFeed(images, into: input, steps)
    return other
  }

  /// The class of each image.
  ///
  /// - Throws: `badData` if the model cannot be run, or `interrupted`.
  func predictions(
    for images: Range<Int>, in data: LabeledImages, _ observer: Observer
  ) throws(NetconvError) -> [Prediction] {
    let outputs = try engine.run(feed.inputs(images, in: data)) { () throws(NetconvError) in
      try observer.checkCancellation()
    }
    guard let values = outputs[output]?.values else { return [] }
    let width = values.count / images.count
    return images.indices.map { index in
      let start = (index - images.lowerBound) * width
      return Prediction(values[start..<start + width])
    }
  }
}

extension Classifier.Prediction {
  /// What the outputs for one image say.
  fileprivate init(_ outputs: ArraySlice<Float>) {
    guard let first = outputs.first, !outputs.contains(where: \.isNaN) else {
      self = .notFinite
      return
    }
    guard outputs.count > 1 else {
      self =
        first.isFinite
        ? Self(label: first > 0.5 ? 1 : 0, margin: abs(first - 0.5)) : .notFinite
      return
    }
    var best = outputs.startIndex
    var largest = first
    var second = -Float.infinity
    for index in outputs.indices.dropFirst() {
      let value = outputs[index]
      if value > largest {
        second = largest
        (best, largest) = (index, value)
      } else if value > second {
        second = value
      }
    }
    guard largest.isFinite else {
      self = .notFinite
      return
    }
    let margin = largest - second
    self.init(label: best - outputs.startIndex, margin: margin.isFinite ? margin : nil)
  }
}
