import Execution
import ModelIR

/// A model that is run on pictures, some at a time.
struct PictureRun {
  /// Pictures that are in memory at a time.
  private static let batch = 32

  let inputs: PictureInputs
  let labels: ClassLabels?
  let top: Int

  /// What came out.
  struct Results {
    /// Of all pictures, by layer.
    var outputs: [String: NDArray<Float>] = [:]
    /// What became of each picture.
    var pictures: [RunReport.Picture] = []
    /// What a user should know.
    var events: [Event] = []
    /// The shape of what was fed of one picture.
    var sample: [Int] = []
  }

  /// Runs all pictures.
  ///
  /// - Throws: what reading pictures or the engine throws, `usage` or `badData` if labels do not fit, `interrupted`.
  func results(
    of engine: any Engine, classes output: String, _ observer: Observer
  ) throws(NetconvError) -> Results {
    var results = Results()
    var parts: [String: [NDArray<Float>]] = [:]
    var prepared: [PictureInputs.Prepared] = []
    for first in stride(from: 0, to: inputs.entries.count, by: Self.batch) {
      try observer.checkCancellation()
      observer.onEvent(.progress(done: first, of: inputs.entries.count))
      let batch = try inputs.batch(first..<min(first + Self.batch, inputs.entries.count))
      let outputs = try engine.run(batch.arrays) { () throws(NetconvError) in
        try observer.checkCancellation()
      }
      for (name, array) in outputs { parts[name, default: []].append(array) }
      let best = try best(of: outputs[output], output)
      for (picture, values) in zip(batch.pictures, best) {
        results.pictures.append(
          RunReport.Picture(picture, inputs.preparation, values))
      }
      prepared += batch.pictures.map(\.withoutValues)
      results.sample = batch.arrays.values.first.map { Array($0.shape.dropFirst()) } ?? []
    }
    results.outputs = try parts.mapValues { arrays throws(NetconvError) in
      try NDArray.joined(arrays)
    }
    results.events = Self.events(of: prepared)
    return results
  }

  /// The largest values for each picture; none of an output that has no classes.
  private func best(
    of output: NDArray<Float>?, _ name: String
  ) throws(NetconvError) -> [[TopValue]] {
    guard let output else { return [] }
    guard output.rank == 2 else {
      guard labels == nil else { throw .noClasses(name, Array(output.shape.dropFirst())) }
      return Array(repeating: [], count: output.shape.first ?? 0)
    }
    try labels?.check(classes: output.shape[1])
    return output.top(top, labels: labels?.names ?? [])
  }

  private static func events(of pictures: [PictureInputs.Prepared]) -> [Event] {
    var events: [Event] = []
    let profiles = Dictionary(grouping: pictures.filter { $0.ignoredProfile != nil }) {
      $0.ignoredProfile?.words ?? ""
    }
    for (profile, pictures) in profiles.sorted(by: { $0.key < $1.key }) {
      events.append(.ignoredProfile(profile, pictures.map(\.name)))
    }
    let transparent = pictures.filter(\.showsHiddenColors)
    if !transparent.isEmpty { events.append(.transparent(transparent.map(\.name))) }
    return events
  }
}
