import Execution
import ModelIR
import Transforms

/// A model that is run on pictures, some at a time.
struct PictureRun {
  /// Pictures that are in memory at a time.
  private static let batch = 32

  let inputs: PictureInputs
  private let output: String
  private let labels: ClassLabels?
  private let top: Int

  /// A run on the pictures that `paths` name.
  ///
  /// - Throws: as ``PictureInputs``; `cannotOpen` or `badData` if the names of the classes cannot be read.
  init(
    _ paths: [String], _ request: RunRequest, for model: Model, _ axes: SourceAxes,
    isRawBlobs: Bool
  ) throws(NetconvError) {
    var options = PixelOptions(
      scale: request.scale, offset: request.offset, isRawBlobs: isRawBlobs)
    let filters = try InputFilters(request.filters, for: model)
    options.filters = model.inputs.first.flatMap { filters[$0.name] }
    inputs = try PictureInputs(paths, for: model, axes, options)
    output = model.outputs.first ?? ""
    labels = try request.labels.map { path throws(NetconvError) in try ClassLabels(path: path) }
    top = request.top
    guard let labels, let shape = model.shape(of: output) else { return }
    guard shape.rank == 1 else { throw .noClasses(output, shape) }
    if let count = shape.dimensions[0] { try labels.check(classes: count) }
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
    var facts = PictureFacts()
    var shape: [Int]?
    let count = inputs.entries.count
    for first in stride(from: 0, to: count, by: Self.batch) {
      try observer.checkCancellation()
      observer.onEvent(.progress(Double(first) / Double(count)))
      let batch = try inputs.batch(first..<min(first + Self.batch, count), in: &shape)
      let outputs = try engine.run(batch.arrays) { () throws(NetconvError) in
        try observer.checkCancellation()
      }
      for (name, array) in outputs { parts[name, default: []].append(array) }
      let best = best(of: outputs[output])
      rows += batch.pictures.enumerated().map { index, picture in
        RunReport.Picture(picture, best.isEmpty ? [] : best[index])
      }
      for picture in batch.pictures { facts.add(picture) }
    }
    results.batch = count
    results.inputs = [inputs.row(shape ?? [])]
    results.outputs = parts.mapValues(NDArray.joined)
    results.pictures = rows
    results.events = facts.events
    return results
  }

  /// The largest values for each picture; none of an output that has no classes.
  private func best(of output: NDArray<Float>?) -> [[TopValue]] {
    guard let output, output.rank == 2 else { return [] }
    return output.top(top, labels: labels?.names ?? [])
  }
}

/// What a user should know of pictures.
private struct PictureFacts {
  private var profiles: [String: [String]] = [:]
  private var transparent: [String] = []

  mutating func add(_ picture: FittedPicture) {
    if let profile = picture.ignoredProfile {
      profiles[profile.words, default: []].append(picture.name)
    }
    if picture.showsHiddenColors { transparent.append(picture.name) }
  }

  var events: [Event] {
    profiles.sorted { $0.key < $1.key }.map { Event.ignoredProfile($0.key, $0.value) }
      + (transparent.isEmpty ? [] : [.transparent(transparent)])
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
