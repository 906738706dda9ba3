import Datasets
import Execution
import ModelIR

/// A model that predicts the class of each sample, or of each position of its output.
struct Classifier {
  /// A predicted class.
  struct Prediction: Sendable {
    /// The index of the largest output, the first among equals; for a single output, 0 or 1.
    ///
    /// `nil` if an output is NaN, or if the largest is not finite.
    let label: Int?
    /// The margin to the second largest output, or to the threshold; `nil` without a class or if it is infinite.
    let margin: Float?

    /// A prediction without a class.
    static let notFinite = Prediction(label: nil, margin: nil)
  }

  private(set) var predictor: Predictor
  /// The number of classes that the model distinguishes.
  let classCount: Int
  /// The shape of the output without its last axis, the classes; empty if a sample has a single class.
  let places: [Int]
  /// The number of predictions for each sample.
  var placeCount: Int { places.reduce(1, *) }
  /// The number of outputs for each prediction.
  let width: Int
  /// The value above which a single output means class 1; `nil` if each class has an output.
  let threshold: ClassThreshold?

  /// Creates a classifier.
  ///
  /// - Parameter asked: the threshold set by the caller.
  /// - Throws: `usage` if the model's outputs are not classes.
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

  /// Returns the same model with other preprocessing of its images.
  ///
  /// - Throws: `usage` if the preprocessed images do not fit the input.
  func trying(
    _ steps: [PixelStep], on images: LabeledImages
  ) throws(NetconvError) -> Classifier {
    var other = self
    other.predictor = try predictor.trying(steps, on: images)
    return other
  }

  /// Returns the expected class at each position of each sample.
  ///
  /// - Throws: `badData` if the targets are not classes.
  func labels(of data: LabeledImages) throws(NetconvError) -> [Int] {
    try data.targets.classes(at: places, of: classCount)
  }

  /// Checks that the targets are classes if the network's output may be a quantity.
  ///
  /// - Throws: `usage` if one of the first `count` samples has a target other than 0 and 1.
  func checkClasses(of count: Int, in targets: Targets) throws(NetconvError) {
    guard case .linear(let layer) = predictor.kind, threshold?.reason == .logit,
      targets.values.prefix(count * targets.size).contains(where: { $0 != 0 && $0 != 1 })
    else { return }
    throw .numbersAreNoClasses(layer)
  }

  /// Returns the predicted class at each position of each sample.
  ///
  /// - Parameter largest: collects the largest outputs, unless it is `nil`.
  /// - Throws: `badData` if the model cannot be run, `usage` if its outputs are not classes, or `interrupted`.
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
  /// Returns the predictions without collecting outputs.
  func predictions(
    for samples: Range<Int>, in data: LabeledImages, _ observer: Observer
  ) throws(NetconvError) -> [Prediction] {
    var none: LargestOutputs?
    return try predictions(for: samples, in: data, keeping: &none, observer)
  }
}

extension Classifier.Prediction {
  /// Creates the prediction for a single output.
  fileprivate init(_ output: Float, threshold: Float) {
    guard output.isFinite else {
      self = .notFinite
      return
    }
    let margin = abs(output - threshold)
    self.init(label: output > threshold ? 1 : 0, margin: margin.isFinite ? margin : nil)
  }

  /// Creates the prediction for the outputs of one image.
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

extension NetconvError {
  fileprivate static func numbersAreNoClasses(_ layer: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "returns one number, from layer \(quoted(layer)), and the targets are not all 0 or 1; for a quantity pass "
        + "\(.metric) mae, mse, rmse or r2")
  }

  fileprivate static var unknownThreshold: NetconvError {
    NetconvError(
      .usage,
      text:
        "returns one number, and its last layer does not imply a threshold for class 1; pass \(.threshold) T, or for "
        + "a quantity \(.metric) mae, mse, rmse or r2")
  }

  fileprivate static func noThreshold(classes: Int) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "returns a value for each of \(classes) classes, of which the largest counts; \(.threshold) is for networks with "
        + "one value")
  }
}
