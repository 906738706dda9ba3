import Datasets
import Diagnosis
import Execution
import ModelIR
import Operators
import Transforms

/// A model with one input that is run on a data set, and of which one output is evaluated.
struct Predictor {
  /// The engine that runs the model.
  let engine: any Engine
  /// The preprocessing of pixels, and the reasons for it.
  let preparation: PixelPreparation
  /// The pipeline that feeds samples to the input.
  private(set) var feed: ImageFeed
  /// The shape of the output for one sample.
  private(set) var outputShape: [Int]
  /// True if the output has two orders of axes and uses that of the source.
  private(set) var hasChannelsFirst: Bool
  /// The meaning of the output's values.
  let kind: OutputKind
  /// The layer that masks steps, if the output may have steps.
  let stepMask: String?
  /// The size of the largest layer for one sample.
  private let largestLayer: Int
  private let input: ModelInput
  /// The name of the output that is evaluated.
  let output: String
  private let axes: SourceAxes

  /// Checks that `model` accepts the samples.
  ///
  /// - Throws: `usage` if it has several inputs, lacks the output, or does not accept the samples; otherwise the
  ///   error from making the engine.
  private init(
    _ model: Model, _ engine: Result<any Engine, NetconvError>, _ images: LabeledImages,
    _ facts: PixelFacts, _ request: VerifyRequest, _ options: PixelOptions
  ) throws(NetconvError) {
    guard let input = model.inputs.first, model.inputs.count == 1 else {
      throw .severalInputsToJudge(model.inputs.map(\.name))
    }
    let output = try model.judgedOutput(request.output)
    guard let declared = model.shape(of: output) else { throw .noSuchOutput(output, model.outputs) }
    if case .array(let array) = images.pixels {
      do {
        try model.checkTokenIDs(in: array, of: input.name)
      } catch {
        throw error.inFile(request.data.paths?.images ?? request.path)
      }
    }
    axes = SourceAxes(of: model)
    hasChannelsFirst = axes[output]?.order == .channelsFirst
    let isBuiltIn = request.data == .mnist
    if isBuiltIn { try Self.checkBuiltIn(input, declared) }
    var options = options
    options.areVectors = images.areVectors
    do throws(NetconvError) {
      preparation = PixelPreparation(of: facts, for: input, of: model, options)
      feed = try ImageFeed(
        images, into: input, preparation.steps, axes: axes[input.name],
        isSequence: model.readsSteps(of: input))
    } catch {
      guard isBuiltIn else { throw error.inFile(request.data.paths?.images ?? request.path) }
      // The requested filters may be the reason.
      throw request.filters.isEmpty
        ? .notMNIST(input: input.shape.description, output: declared.description) : error
    }
    let shapes = try model.shapes(feeding: [input.name: Shape(feed.sampleShape)])
    guard let shape = shapes[output]?.known else { throw .notClasses(declared.description) }
    outputShape = shape
    largestLayer = shapes.values.map { $0.count ?? 0 }.max() ?? 0
    kind = model.kind(of: output)
    stepMask =
      shape.count > 1
      ? model.layers.first { $0.operation is any StepMarkingOperator }?.name : nil
    self.output = output
    self.input = input
    self.engine = try engine.get()
  }

  /// Returns the predictor for the data of a request, and the data.
  ///
  /// - Throws: `usage` if they do not fit each other, `badData`, `cannotOpen`, `inputOutput` or `interrupted`.
  static func reading(
    _ model: Model, _ request: VerifyRequest, _ options: PixelOptions, _ observer: Observer
  ) throws(NetconvError) -> (Predictor, LabeledImages) {
    // The engine packs its weights while the images are decompressed.
    let (data, engine) = concurrently { () throws(NetconvError) in
      try LabeledImages(request.data, observer)
    } and: { () throws(NetconvError) in
      try request.engine.engine(for: model, precision: request.precision)
    }
    let images = try data.get()
    return (try Predictor(model, engine, on: images, request, options), images)
  }

  /// Warns that the preprocessing of samples may be wrong.
  func warn(_ observer: Observer) {
    for warning in preparation.warnings { observer.onEvent(.pixels(warning)) }
    for event in feed.fitting?.events ?? [] { observer.onEvent(event) }
    guard let order = feed.order else { return }
    for event in Event.axes(ofSamples: preparation.noun, order) { observer.onEvent(event) }
  }

  /// Creates a predictor for data in memory.
  ///
  /// - Throws: as ``reading(_:_:_:)``.
  init(
    _ model: Model, _ engine: Result<any Engine, NetconvError>, on images: LabeledImages,
    _ request: VerifyRequest, _ options: PixelOptions
  ) throws(NetconvError) {
    do throws(NetconvError) {
      let facts = try Self.facts(of: images, request)
      try self.init(model, engine, images, facts, request, options)
    } catch {
      throw error.inFile(request.path)
    }
  }

  /// Returns facts about the pixels.
  ///
  /// - Throws: `badData` if a pixel is not finite.
  private static func facts(
    of images: LabeledImages, _ request: VerifyRequest
  ) throws(NetconvError) -> PixelFacts {
    let facts = try PixelFacts(images)
    guard let first = facts.firstNotFinite, let value = facts.firstNotFiniteValue else {
      return facts
    }
    throw NetconvError.imagesNotFinite(
      value, sample: first / max(1, images.imageSize), count: facts.notFinite
    ).inFile(request.data.paths?.images ?? request.path)
  }

  /// Checks that a model has ten classes as output, as the built-in set needs.
  private static func checkBuiltIn(_ input: ModelInput, _ output: Shape) throws(NetconvError) {
    // An image as output may have as many values as a classifier, but they are not classes.
    guard output.dimensions.dropLast().allSatisfy({ $0 == 1 }) else {
      throw .notClasses(output.description)
    }
    guard output.count == 10 else {
      throw .notMNIST(input: input.shape.description, output: output.description)
    }
  }

  /// Returns the same model with other preprocessing of its images.
  ///
  /// - Throws: `usage` if the preprocessed images do not fit the input.
  func trying(
    _ steps: [PixelStep], on images: LabeledImages
  ) throws(NetconvError) -> Predictor {
    var other = self
    engine.resetStates()
    other.feed = try ImageFeed(
      images, into: input, steps, axes: axes[input.name], isSequence: feed.isSequence)
    return other
  }

  /// The same model with channels-last output.
  ///
  /// - Precondition: ``hasChannelsFirst``.
  var withChannelsLast: Predictor {
    var other = self
    other.outputShape = ArrayAxes.reordered(outputShape, to: .channelsLast)
    other.hasChannelsFirst = false
    return other
  }

  /// Returns all outputs for some samples, sample by sample.
  ///
  /// - Throws: `badData` if the model cannot be run, or `interrupted`.
  func outputs(
    for samples: Range<Int>, in data: LabeledImages, _ observer: Observer
  ) throws(NetconvError) -> [Float] {
    let outputs = try engine.run(feed.inputs(samples, in: data)) { () throws(NetconvError) in
      try observer.checkCancellation()
    }
    guard let array = outputs[output] else { return [] }
    guard let axes = axes[output], !hasChannelsFirst else { return array.values }
    return axes.moved(array, from: axes.order, to: .channelsLast).values
  }

  /// Runs the model on some samples in batches, and reports progress.
  ///
  /// - Returns: the time in seconds.
  /// - Throws: `badData` if the model cannot be run, `interrupted`, or any error from `body`.
  func run(
    _ samples: Range<Int>, of data: LabeledImages, _ observer: Observer,
    _ body: (Range<Int>) throws(NetconvError) -> Void
  ) throws(NetconvError) -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    let size = batchSize(data)
    engine.resetStates()
    for first in stride(from: samples.lowerBound, to: samples.upperBound, by: size) {
      let batch = first..<min(first + size, samples.upperBound)
      try body(batch)
      observer.onEvent(
        .progress(Double(batch.upperBound - samples.lowerBound) / Double(samples.count)))
    }
    try data.checkUnchanged()
    return (clock.now - start) / .seconds(1)
  }

  /// Returns the number of samples to run at once: enough that cores seldom wait at the end of a batch, few enough to
  /// show progress, and at most 1 GiB unless one sample is larger.
  private func batchSize(_ data: LabeledImages) -> Int {
    // Layers over sequences often have many more values than the sequence itself.
    let size = max(1, data.imageSize, feed.isSequence ? largestLayer : 0)
    let enough = max((4 << 20) / size, 16 * CPULevel.coreCount)
    return max(1, min(enough, (256 << 20) / size))
  }
}

extension LabeledImages {
  /// True if a sample is a plain vector.
  fileprivate var areVectors: Bool {
    if case .pictures = pixels { return false }
    return imageShape.count(where: { $0 != 1 }) < 2
  }
}

extension Model {
  /// Returns the output to evaluate: the one with the given name, or the only one.
  ///
  /// - Throws: `usage` if no output has the name, or if there are several outputs and no name.
  func judgedOutput(_ name: String?) throws(NetconvError) -> String {
    guard let name else {
      guard outputs.count == 1 else { throw .severalOutputs(outputs) }
      return outputs[0]
    }
    guard outputs.contains(name) else { throw .noSuchOutput(name, outputs) }
    return name
  }

  /// True if the samples of an input are sequences with the shape (steps, features).
  func readsSteps(of input: ModelInput) -> Bool {
    input.shape.rank == 2
      && layers.contains {
        $0.operation is any RecurrentOperator || $0.operation is any LineOperator
          || $0.operation is any StepMarkingOperator
      }
  }
}

extension NetconvError {
  fileprivate static func severalInputsToJudge(_ inputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "has the inputs \(inputs.quotedList); verify needs one input")
  }

  fileprivate static func severalOutputs(_ outputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "has the outputs \(outputs.quotedList); choose with \(.judgedOutput) which of "
        + "them the targets are for")
  }

  fileprivate static func notClasses(_ output: String) -> NetconvError {
    NetconvError(
      .usage,
      "returns \(output) for each image; verify needs one value for each class, such as (10)")
  }

  fileprivate static func notMNIST(input: String, output: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "has input \(input) and output \(output), so the built-in MNIST test set (28x28 pixels, 10 classes) "
        + "does not fit; pass your own data with \(.ownData)")
  }

  fileprivate static func imagesNotFinite(_ value: Float, sample: Int, count: Int) -> NetconvError {
    NetconvError(
      .badData,
      "sample \(sample) holds \(numeral(value)), and \(count) \(count == 1 ? "value is" : "values are") not "
        + "finite in all; "
        + "check the program that wrote them")
  }
}
