import Execution
import ModelIR

/// A layer with its parameters packed for one level of vector instructions, and its images.
struct PreparedLayer {
  private let engine: FastEngine
  private let images: NDArray<Float>
  /// Multiplications and additions of a run; 0 if the layer has no kernel.
  let operations: Double
  /// What a run reads and writes: images, parameters and results.
  let byteCount: Int

  init(_ layer: LayerCase, _ level: CPULevel) throws(NetconvError) {
    let model = try layer.model()
    engine = try FastEngine(model, threads: 1, level: level)
    let shape = [layer.images, layer.height, layer.width, layer.channels]
    images = NDArray(shape: shape, values: smallValues(shape.reduce(1, *)))
    var kernel = 0
    var parameters = 0
    for tensor in model.tensors {
      let count = try tensor.spec.count()
      parameters += count
      if tensor.spec.role == .kernel { kernel += count }
    }
    let result = model.shape(of: model.outputs[0])?.known ?? []
    let places = result.dropLast().reduce(1, *)
    operations = 2 * Double(kernel * places * layer.images)
    let values = images.count + parameters + layer.images * result.reduce(1, *)
    byteCount = values * MemoryLayout<Float>.size
  }

  /// Runs it on one core.
  func run() throws(NetconvError) {
    _ = try engine.run(["images": images])
  }
}
