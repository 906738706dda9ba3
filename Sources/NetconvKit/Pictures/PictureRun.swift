import Datasets
import Execution
import ModelIR
import Transforms

/// A run of a model on pictures, in batches.
struct PictureRun {
  /// The number of pictures that are in memory at once.
  private static let batch = 32

  /// The preprocessing of all pictures' values, and the reasons for it.
  let preparation: PixelPreparation
  private let input: String
  private let pictures: FittedPictures
  private let output: String
  private let labels: ClassLabels?
  private let top: Int

  /// Creates a run on the pictures at `paths`.
  ///
  /// - Throws: `usage` if the model does not accept pictures; `badData`, `cannotOpen` or `inputOutput` if a picture
  ///   cannot be found, or the first one or the names of the classes cannot be read.
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

  /// Runs the model on all pictures.
  ///
  /// - Throws: any error from reading pictures or from the engine, or `interrupted`.
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

  /// Returns the largest values for each picture; empty for an output without classes.
  private func best(of output: NDArray<Float>?) -> [[TopValue]] {
    guard let output, output.rank == 2 else { return [] }
    return output.top(top, labels: labels?.names ?? [])
  }
}

extension NDArray<Float> {
  /// Returns the concatenation of batches.
  ///
  /// - Precondition: there is at least one batch, and all samples have the same shape.
  fileprivate static func joined(_ batches: [NDArray]) -> NDArray {
    let count = batches.reduce(0) { $0 + ($1.shape.first ?? 0) }
    return NDArray(
      shape: [count] + (batches.first?.shape.dropFirst() ?? []), values: batches.flatMap(\.values))
  }
}

extension NetconvError {
  fileprivate static func severalInputs(_ names: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "has the inputs \(names.quotedList), but pictures need a single one; pass "
        + "arrays with \(.input)")
  }
}
