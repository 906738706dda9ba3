import Datasets
import Execution
import ModelIR
import Transforms

/// A model that is run on pictures, some at a time.
struct PictureRun {
  /// Pictures that are in memory at a time.
  private static let batch = 32

  /// How the values of all of them are prepared, and why.
  let preparation: PixelPreparation
  private let input: String
  private let pictures: FittedPictures
  private let output: String
  private let labels: ClassLabels?
  private let top: Int

  /// A run on the pictures that `paths` name.
  ///
  /// - Throws: `usage` if the model takes none; `badData`, `cannotOpen` or `inputOutput` if one cannot be found, the first
  ///   cannot be read, or the names of the classes cannot.
  init(
    _ paths: [String], _ request: RunRequest, for model: Model, _ axes: SourceAxes,
    isRawBlobs: Bool
  ) throws(NetconvError) {
    var options = PixelOptions(
      scale: request.scale, offset: request.offset, isRawBlobs: isRawBlobs)
    let filters = try InputFilters(request.filters, for: model)
    guard let input = model.inputs.first, model.inputs.count == 1 else {
      throw .severalInputs(model.inputs.map(\.name))
    }
    options.filters = filters[input.name]
    preparation = PixelPreparation(of: .bytes, for: input, of: model, options)
    self.input = input.name
    let entries = try PictureEntry.all(at: paths)
    output = model.outputs.first ?? ""
    labels = try request.labels.map { path throws(NetconvError) in try ClassLabels(path: path) }
    top = request.top
    if let labels, let shape = model.shape(of: output) { try labels.check(output, shape) }
    pictures = try FittedPictures(
      entries, into: input, hasChannelsFirst: axes[input.name] != nil, preparation.steps)
  }

  /// Runs all pictures.
  ///
  /// - Throws: what reading pictures or the engine throws, or `interrupted`.
  func results(
    of engine: any Engine, _ observer: Observer
  ) throws(NetconvError) -> RunResults {
    var results = RunResults(inputs: [])
    var parts: [String: [NDArray<Float>]] = [:]
    var rows: [RunReport.Picture] = []
    let count = pictures.count
    for first in stride(from: 0, to: count, by: Self.batch) {
      try observer.checkCancellation()
      observer.onEvent(.progress(Double(first) / Double(count)))
      let batch = try pictures.pictures(first..<min(first + Self.batch, count))
      let outputs = try engine.run([input: pictures.values(of: batch)]) {
        () throws(NetconvError) in
        try observer.checkCancellation()
      }
      for (name, array) in outputs { parts[name, default: []].append(array) }
      let best = best(of: outputs[output])
      rows += batch.enumerated().map { index, picture in
        RunReport.Picture(picture, best.isEmpty ? [] : best[index])
      }
    }
    results.batch = count
    results.inputs = [
      RunReport.Input(
        name: input, shape: [count] + pictures.shape, dtype: ElementType.uint8.rawValue,
        nonFinite: 0, axes: nil, rowByRow: nil, pixels: preparation)
    ]
    results.outputs = parts.mapValues(NDArray.joined)
    results.pictures = rows
    results.events = pictures.events
    return results
  }

  /// The largest values for each picture; none of an output that has no classes.
  private func best(of output: NDArray<Float>?) -> [[TopValue]] {
    guard let output, output.rank == 2 else { return [] }
    return output.top(top, labels: labels?.names ?? [])
  }
}

extension NDArray<Float> {
  /// Batches one behind the other.
  ///
  /// - Precondition: there is one, and samples have one shape.
  fileprivate static func joined(_ batches: [NDArray]) -> NDArray {
    let count = batches.reduce(0) { $0 + ($1.shape.first ?? 0) }
    return NDArray(
      shape: [count] + (batches.first?.shape.dropFirst() ?? []), values: batches.flatMap(\.values))
  }
}
