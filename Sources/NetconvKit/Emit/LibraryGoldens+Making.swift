import Diagnosis
import Emission
import ModelIR

extension LibraryGoldens {
  /// Computes the goldens of `model`: the layers that C computes, and all of the outputs.
  ///
  /// - Parameters:
  ///   - shapes: the shapes of all values.
  ///   - values: the names of the values that are stored.
  /// - Throws: `usage` if the inputs do not fit; otherwise any error from running the model.
  init(
    _ model: Model, _ shapes: [String: [Int]], _ values: [String], _ request: GoldensRequest,
    _ observer: Observer
  ) throws(NetconvError) {
    let arrays = try Self.inputs(model, shapes, request)
    let run = try ExactRun(model)
    let (wanted, outputs) = (Set(values), Set(model.outputs))
    let results = try run.run(
      arrays,
      checkCancellation: { () throws(NetconvError) in try observer.checkCancellation() },
      item: { layer, output in
        wanted.contains(layer.name)
          ? StoredValues(output.values, wholly: outputs.contains(layer.name)) : StoredValues()
      })
    var layers: [String: Layer] = [:]
    for (layer, result) in zip(run.model.layers, results) where wanted.contains(layer.name) {
      layers[layer.name] = Layer(
        positions: result.items.first?.positions, samples: result.items.map(\.values),
        tolerance: result.tolerance.float32)
    }
    self.init(
      samples: arrays.values.first?.shape.first ?? 0, inputs: arrays.mapValues(\.values),
      layers: layers)
  }

  private static func inputs(
    _ model: Model, _ shapes: [String: [Int]], _ request: GoldensRequest
  ) throws(NetconvError) -> [String: NDArray<Float>] {
    let isOpen = model.inputs.contains { $0.shape.known == nil }
    guard isOpen, request.inputs == nil else {
      let arrays = try GoldenInputs(request, for: model, from: model).arrays
      for (name, array) in arrays where Array(array.shape.dropFirst()) != shapes[name] {
        throw .goldensOfOtherSize(name, array.shape, expected: shapes[name] ?? [])
      }
      return arrays
    }
    var sizes: [String: [Int]] = [:]
    for input in model.inputs { sizes[input.name] = shapes[input.name] }
    return try RandomInputs(sizes, samples: request.samples ?? 1, for: model, toldBy: [model])
      .arrays
  }

}

/// The stored values of a layer, and their positions unless they are all.
private struct StoredValues: Sendable {
  var values: [Float] = []
  var positions: [Int]?

  /// The largest layer of which all values are stored.
  private static let wholeCount = 256
  /// The number of values that are stored of a larger one.
  private static let sampleCount = 64

  /// Stores nothing.
  init() {}

  /// Stores a layer's values, or those at positions all over it: the first, the last, and one of each part between.
  init(_ values: [Float], wholly: Bool) {
    self.values = values
    guard values.count > Self.wholeCount, !wholly || values.count > 4096 else { return }
    let sampleCount = Self.sampleCount
    var random = SplitMix64(seed: UInt64(values.count))
    let positions = (0..<sampleCount).map { part -> Int in
      let start = part * values.count / sampleCount
      let end = (part + 1) * values.count / sampleCount
      if part == 0 { return 0 }
      return part == sampleCount - 1
        ? values.count - 1 : start + Int(random.next() % UInt64(end - start))
    }
    self.positions = positions
    self.values = positions.map { values[$0] }
  }
}

extension NetconvError {
  fileprivate static func goldensOfOtherSize(
    _ name: String, _ shape: [Int], expected: [Int]
  ) -> NetconvError {
    NetconvError(
      .usage,
      "the input \(quoted(name)) of the goldens has shape \(Shape(Array(shape.dropFirst()))), and the network is written "
        + "for \(Shape(expected))")
  }
}
