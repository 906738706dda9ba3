import Lowering
import ModelIR

/// The kernels of a model's steps, with packed parameters.
struct LayerKernels: Sendable {
  private enum Kernel: Sendable {
    case fast(any FastKernel)
    case fallback(Layer, [ParameterRole: NDArray<Double>])
  }

  /// The steps in execution order.
  let layers: [LoweredLayer]
  private let kernels: [Kernel]
  private let rounding: HalfRounding?

  /// Creates the kernels for the layers that `results` depend on.
  init(
    _ model: Model, _ level: CPULevel, results: Set<String>, _ precision: Precision
  ) throws(NetconvError) {
    rounding = HalfRounding(precision, model)
    let needed = model.layersNeeded(for: results)
    let sources = model.layers.filter { needed.contains($0.name) }
    try ParameterMemory(sources, byteCount: MemoryLayout<Float>.size).check()
    layers = try LoweredSteps(sources, results: results, rounding).layers
    var kernels: [Kernel] = []
    for layer in layers {
      if let kernel = try FastKernels.kernel(for: layer, level, precision) {
        kernels.append(.fast(kernel))
      } else {
        let parameters = try layer.layer.loadParameters(nil, precision).mapValues {
          $0.converted(to: Double.self)
        }
        kernels.append(.fallback(layer.layer, parameters))
      }
    }
    self.kernels = kernels
  }

  /// The layers without a fast kernel.
  var fallbacks: [String] {
    kernels.compactMap { kernel in
      if case .fallback(let layer, _) = kernel { layer.name } else { nil }
    }
  }

  /// Returns the work of the step at `index`.
  ///
  /// - Returns: `nil` if its output is a view of its input's memory.
  func step(
    _ index: Int, inputs: [[Int]], outputs: [[Int]]
  ) throws(NetconvError) -> (any KernelStep)? {
    let step: (any KernelStep)? =
      switch kernels[index] {
      case .fast(let kernel): try kernel.step(inputs: inputs, output: outputs[0])
      case .fallback(let layer, let parameters):
        FallbackStep(layer: layer, parameters: parameters, inputs: inputs, outputs: outputs)
      }
    guard let step, let rounding, rounding.stores(layers[index].output) else { return step }
    return RoundingStep(step: step, outputCounts: outputs.map { $0.reduce(1, *) })
  }
}
