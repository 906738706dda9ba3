import Datasets
import Diagnosis
import Execution
import ModelIR
import Operators
import Transforms

/// A model with one input, of which one output is judged, fed with the samples of a data set.
struct Predictor {
  /// What runs the model.
  let engine: any Engine
  /// What is done to pixels, and why.
  let preparation: PixelPreparation
  /// How samples are fed.
  private(set) var feed: ImageFeed
  /// The size of each axis of one sample's output.
  private(set) var outputShape: [Int]
  /// Whether the output has two orders of axes, and is in the source's.
  private(set) var hasChannelsFirst: Bool
  /// What the values of the output are.
  let kind: OutputKind
  /// Layers that say which steps count, where the output has steps.
  let stepMask: String?
  /// The most values that a layer has of one sample.
  private let largestLayer: Int
  private let input: ModelInput
  /// The output that is judged.
  let output: String
  private let axes: SourceAxes

  /// Checks that `model` takes the samples.
  ///
  /// - Throws: `usage` if it has several inputs, or not the output, or samples do not fit; else what making the engine has
  ///   thrown.
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
        try model.checkNumbersOfThings(in: array, of: input.name)
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
      // What was asked for may be what does not fit.
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

  /// The predictor for the data that `request` names, and the data.
  ///
  /// - Throws: `usage` if they do not fit each other, `badData`, `cannotOpen`, `inputOutput` or `interrupted`.
  static func reading(
    _ model: Model, _ request: VerifyRequest, _ options: PixelOptions, _ observer: Observer
  ) throws(NetconvError) -> (Predictor, LabeledImages) {
    // An engine packs its weights while the images are inflated.
    let (data, engine) = concurrently { () throws(NetconvError) in
      try LabeledImages(request.data, observer)
    } and: { () throws(NetconvError) in
      try request.engine.engine(for: model, precision: request.precision)
    }
    let images = try data.get()
    return (try Predictor(model, engine, on: images, request, options), images)
  }

  /// Tells why what was done to samples may be wrong.
  func warn(_ observer: Observer) {
    for warning in preparation.warnings { observer.onEvent(.pixels(warning)) }
    for event in feed.fitting?.events ?? [] { observer.onEvent(event) }
    guard let order = feed.order else { return }
    for event in Event.axes(ofSamples: preparation.noun, order) { observer.onEvent(event) }
  }

  /// A predictor for data that is in memory.
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

  /// What the pixels say.
  ///
  /// - Throws: `badData` if one is not finite.
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

  /// Checks that a model takes anything and gives ten classes.
  private static func checkBuiltIn(_ input: ModelInput, _ output: Shape) throws(NetconvError) {
    // An image as output has as many values as some classifier, but no classes.
    guard output.dimensions.dropLast().allSatisfy({ $0 == 1 }) else {
      throw .notClasses(output.description)
    }
    guard output.count == 10 else {
      throw .notMNIST(input: input.shape.description, output: output.description)
    }
  }

  /// The same model, fed with images that are prepared in another way.
  ///
  /// - Throws: `usage` if they do not fit then.
  func trying(
    _ steps: [PixelStep], on images: LabeledImages
  ) throws(NetconvError) -> Predictor {
    var other = self
    engine.resetStates()
    other.feed = try ImageFeed(
      images, into: input, steps, axes: axes[input.name], isSequence: feed.isSequence)
    return other
  }

  /// The same model, which gives its output with channels last.
  ///
  /// - Precondition: ``hasChannelsFirst``.
  var withChannelsLast: Predictor {
    var other = self
    other.outputShape = ArrayAxes.turned(outputShape, to: .channelsLast)
    other.hasChannelsFirst = false
    return other
  }

  /// All outputs for some samples, sample by sample.
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

  /// Runs the model on some samples, in batches, and tells of the progress.
  ///
  /// - Returns: how many seconds that took.
  /// - Throws: `badData` if the model cannot be run, `interrupted`, or what `body` throws.
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

  /// Samples that are run at once: enough that cores seldom wait for each other at the end of a batch, few enough
  /// to show progress, and no more than 1 GiB if that is several.
  private func batchSize(_ data: LabeledImages) -> Int {
    // Layers over sequences often have many more values than the sequence.
    let size = max(1, data.imageSize, feed.isSequence ? largestLayer : 0)
    let enough = max((4 << 20) / size, 16 * CPULevel.coreCount)
    return max(1, min(enough, (256 << 20) / size))
  }
}

extension LabeledImages {
  /// Whether a sample is a plain vector.
  fileprivate var areVectors: Bool {
    if case .pictures = pixels { return false }
    return imageShape.count(where: { $0 != 1 }) < 2
  }
}

extension Model {
  /// The output that is judged: the one of that name, or the only one.
  ///
  /// - Throws: `usage` if there is none of that name, or if there are several and no name.
  func judgedOutput(_ name: String?) throws(NetconvError) -> String {
    guard let name else {
      guard outputs.count == 1 else { throw .severalOutputs(outputs) }
      return outputs[0]
    }
    guard outputs.contains(name) else { throw .noSuchOutput(name, outputs) }
    return name
  }

  /// Whether the samples of an input are sequences, of (steps, features).
  func readsSteps(of input: ModelInput) -> Bool {
    input.shape.rank == 2
      && layers.contains {
        $0.operation is any RecurrentOperator || $0.operation is any LineOperator
          || $0.operation is any StepMarkingOperator
      }
  }
}
