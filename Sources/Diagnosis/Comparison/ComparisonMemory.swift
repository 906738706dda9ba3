import Execution
import ModelIR

extension ModelComparison {
  /// Checks that there is enough memory to compare a model on `inputs`: for the values of all
  /// layers, and for copies of one layer's inputs and outputs.
  ///
  /// - Throws: `usage` if the memory is insufficient, or if the inputs do not fit the model.
  package static func checkMemory(
    of model: Model, batch: Int, inputs: [String: [Int]]
  ) throws(NetconvError) {
    let shapes = try BatchShapes(
      batch: batch, inputs: inputs, for: model, byteCount: MemoryLayout<Float>.size
    ).shapes
    let counts = shapes.mapValues { $0.reduce(1, *) }
    let kept = counts.values.reduce(0, +)
    let largest = model.layers.map { layer in
      (layer.inputs + layer.outputs.map(\.name)).reduce(0) { $0 + (counts[$1] ?? 0) }
    }.max()
    let values = kept + 8 * (largest ?? 0)
    let (bytes, overflow) = values.multipliedReportingOverflow(
      by: batch * MemoryLayout<Float>.size)
    try RunMemory.check(overflow ? .max : bytes, samples: batch)
  }
}
