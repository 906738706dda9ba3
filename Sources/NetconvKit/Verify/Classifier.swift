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
    /// How far it is from the second, or from 0.5; `nil` without a class, or if the second is infinitely far.
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

  /// A model of classes.
  ///
  /// - Throws: `usage` if its outputs are no classes.
  init(_ predictor: Predictor) throws(NetconvError) {
    let shape = predictor.outputShape
    width = shape.last ?? 1
    places = Array(shape.dropLast())
    classCount = width == 1 ? 2 : width
    self.predictor = predictor
    guard width == 1 else { return }
    switch predictor.kind {
    case .numbers(let layer): throw .numbersAreNoClasses(layer)
    case .probabilities: throw .probabilityOfOneClass
    case .fractions, .unknown: break
    }
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

  /// The class at each place of each sample.
  ///
  /// - Parameter largest: where the largest outputs are kept, if they are to be.
  /// - Throws: `badData` if the model cannot be run, `usage` if its outputs are no classes, or `interrupted`.
  func predictions(
    for samples: Range<Int>, in data: LabeledImages, keeping largest: inout LargestOutputs?,
    _ observer: Observer
  ) throws(NetconvError) -> [Prediction] {
    let values = try predictor.outputs(for: samples, in: data, observer)
    // One value alone is above or below the middle of 0 and 1.
    if width == 1, let value = values.first(where: { $0.isFinite && !(0...1).contains($0) }) {
      throw .numberIsNoFraction(value)
    }
    largest?.add(values, of: width)
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
