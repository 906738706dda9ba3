import Datasets
import Execution
import ModelIR

/// A model that gives the class of each sample, or of each place of an output with several.
struct Classifier {
  /// The class that a model sees in an image.
  struct Prediction: Sendable {
    /// The largest output, the first of equals; one output alone means 0 or 1.
    ///
    /// `nil` if an output is not a number, or if the largest is not finite: then no class stands out.
    let label: Int?
    /// How far it is from the second, or from the threshold; `nil` without a class, or if the second is infinitely far.
    let margin: Float?

    /// No class.
    static let notFinite = Prediction(label: nil, margin: nil)
  }

  /// The model.
  private(set) var predictor: Predictor
  /// How many classes the model tells apart.
  let classCount: Int
  /// The places that each have a class; none where a sample has one.
  let places: [Int]
  /// How many places there are.
  var placeCount: Int { places.reduce(1, *) }
  /// Outputs for each place.
  let width: Int
  /// Above which value a single output means class 1; `nil` where each class has an output.
  let threshold: ClassThreshold?

  /// A model of classes.
  ///
  /// - Parameter asked: the threshold that the caller wants.
  /// - Throws: `usage` if its outputs are no classes.
  init(_ predictor: Predictor, threshold asked: Double?) throws(NetconvError) {
    let shape = predictor.outputShape
    width = shape.last ?? 1
    places = Array(shape.dropLast())
    classCount = width == 1 ? 2 : width
    self.predictor = predictor
    threshold = width == 1 ? ClassThreshold(of: predictor.kind, asked: asked) : nil
    guard width == 1 else {
      if asked != nil { throw .noThreshold(classes: width) }
      return
    }
    if predictor.kind == .probabilities { throw .probabilityOfOneClass }
    if threshold == nil { throw .unknownThreshold }
  }

  /// The same model, fed with images that are prepared in another way.
  ///
  /// - Throws: `usage` if they do not fit then.
  func trying(
    _ steps: [PixelStep], on images: LabeledImages
  ) throws(NetconvError) -> Classifier {
    var other = self
    other.predictor = try predictor.trying(steps, on: images)
    return other
  }

  /// The class that each place of each sample should have.
  ///
  /// - Throws: `badData` if the targets are none.
  func labels(of data: LabeledImages) throws(NetconvError) -> [Int] {
    try data.targets.classes(at: places, of: classCount)
  }

  /// Checks that a network whose output may be a quantity has classes as targets.
  ///
  /// - Throws: `usage` if one of the first `count` samples has another target than 0 and 1.
  func checkClasses(of count: Int, in targets: Targets) throws(NetconvError) {
    guard case .linear(let layer) = predictor.kind, threshold?.reason == .logit,
      targets.values.prefix(count * targets.size).contains(where: { $0 != 0 && $0 != 1 })
    else { return }
    throw .numbersAreNoClasses(layer)
  }

  /// The class at each place of each sample.
  ///
  /// - Parameter largest: where the largest outputs are kept, if they are to be.
  /// - Throws: `badData` if the model cannot be run, `usage` if its outputs are no classes, or `interrupted`.
  func predictions(
    for samples: Range<Int>, in data: LabeledImages, keeping largest: inout LargestOutputs?,
    _ observer: Observer
  ) throws(NetconvError) -> [Prediction] {
    let values = try predictor.outputs(for: samples, in: data, observer)
    largest?.add(values, of: width)
    if let threshold {
      return values.map { Prediction($0, threshold: Float(threshold.value)) }
    }
    return stride(from: 0, to: values.count, by: width).map { start in
      Prediction(values[start..<start + width])
    }
  }
}

extension Classifier {
  /// The same, of which no outputs are kept.
  func predictions(
    for samples: Range<Int>, in data: LabeledImages, _ observer: Observer
  ) throws(NetconvError) -> [Prediction] {
    var none: LargestOutputs?
    return try predictions(for: samples, in: data, keeping: &none, observer)
  }
}

extension Classifier.Prediction {
  /// What a single output says.
  fileprivate init(_ output: Float, threshold: Float) {
    guard output.isFinite else {
      self = .notFinite
      return
    }
    let margin = abs(output - threshold)
    self.init(label: output > threshold ? 1 : 0, margin: margin.isFinite ? margin : nil)
  }

  /// What the outputs for one image say.
  fileprivate init(_ outputs: ArraySlice<Float>) {
    guard let first = outputs.first, !outputs.contains(where: \.isNaN) else {
      self = .notFinite
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
