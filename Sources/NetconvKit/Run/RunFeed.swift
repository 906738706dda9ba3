import Execution
import ModelIR
import Transforms

/// The input data of a run.
enum RunFeed {
  /// Arrays from the file at `path`.
  case arrays(RunInputs, path: String)
  /// Pictures.
  case pictures(PictureRun)

  /// Reads the data of a request for a model.
  ///
  /// - Throws: `usage` if the data does not fit the model, `badData`, `cannotOpen` or `inputOutput`.
  init(
    _ request: RunRequest, for model: Model, _ axes: SourceAxes, isRawBlobs: Bool
  ) throws(NetconvError) {
    switch request.data {
    case .arrays(let path):
      guard request.labels == nil else { throw .labelsOfArrays }
      self = .arrays(
        try RunInputs(path, request, for: model, axes, isRawBlobs: isRawBlobs), path: path)
    case .pictures(let paths):
      guard request.repetitions == nil else { throw .picturesAreNotTimed }
      self = .pictures(
        try PictureRun(paths, request, for: model, axes, isRawBlobs: isRawBlobs))
    }
  }

  /// Events for the user before the run.
  var events: [Event] {
    switch self {
    case .arrays(let inputs, _): inputs.events
    case .pictures(let run): run.preparation.warnings.map { .pixels($0) }
    }
  }

  /// Runs the model on all data.
  ///
  /// - Parameter count: the number of timed runs; `nil` for none.
  /// - Throws: any error from the engine, or `interrupted`; an error about data that does not fit the model names its
  ///   file.
  func results(
    of engine: any Engine, repeating count: Int?, _ observer: Observer
  ) throws(NetconvError) -> RunResults {
    switch self {
    case .pictures(let run): return try run.results(of: engine, observer)
    case .arrays(let fed, let path):
      do {
        var results = RunResults(inputs: fed.rows)
        results.batch = fed.count
        results.outputs = try Self.outputs(of: engine, fed, observer)
        results.medianMilliseconds = try count.map { count throws(NetconvError) in
          try Self.medianTime(of: engine, fed.arrays(of: 0..<fed.count), count, observer)
        }
        try fed.checkUnchanged()
        return results
      } catch {
        throw error.kind == .usage ? error.inFile(path) : error
      }
    }
  }

  /// Returns the outputs of all samples, which may be run in several parts.
  private static func outputs(
    of engine: any Engine, _ inputs: RunInputs, _ observer: Observer
  ) throws(NetconvError) -> [String: NDArray<Float>] {
    var outputs: [String: (shape: [Int], values: [Float])] = [:]
    for part in inputs.parts {
      let found = try engine.run(inputs.arrays(of: part)) { () throws(NetconvError) in
        try observer.checkCancellation()
      }
      guard part.count < inputs.count else { return found }
      for (name, array) in found {
        outputs[name, default: (Array(array.shape.dropFirst()), [])].values += array.values
      }
      observer.onEvent(.progress(Double(part.upperBound) / Double(inputs.count)))
    }
    return outputs.mapValues { NDArray(shape: [inputs.count] + $0.shape, values: $0.values) }
  }

  private static func medianTime(
    of engine: any Engine, _ inputs: [String: NDArray<Float>], _ count: Int, _ observer: Observer
  ) throws(NetconvError) -> Double {
    let clock = ContinuousClock()
    var times: [Double] = []
    for _ in 0..<max(1, count) {
      engine.resetStates()
      let start = clock.now
      _ = try engine.run(inputs) { () throws(NetconvError) in try observer.checkCancellation() }
      times.append((clock.now - start) / .milliseconds(1))
    }
    times.sort()
    return (times[(times.count - 1) / 2] + times[times.count / 2]) / 2
  }
}

/// The results of a run.
struct RunResults {
  /// The inputs, in the order of the model.
  var inputs: [RunReport.Input]
  /// The number of samples in the batch.
  var batch = 0
  /// All outputs by layer.
  var outputs: [String: NDArray<Float>] = [:]
  /// The results for each picture; `nil` for arrays.
  var pictures: [RunReport.Picture]?
  /// The median time of a run, if it was requested.
  var medianMilliseconds: Double?
  /// Events for the user.
  var events: [Event] = []
}

extension NetconvError {
  fileprivate static var labelsOfArrays: NetconvError {
    NetconvError(
      .usage,
      text: "\(.labels) is for pictures; leave it out, or name pictures instead of \(.input)")
  }

  fileprivate static var picturesAreNotTimed: NetconvError {
    NetconvError(.usage, text: "only arrays can be timed; pass them with \(.input)")
  }
}
