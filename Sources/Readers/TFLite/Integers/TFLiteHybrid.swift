import ModelIR
import Operators

/// A fully-connected layer of real numbers whose kernel has integers: the interpreter rounds each row of its input to 8
/// bits.
///
/// Source: tensorflow/lite/kernels/fully_connected.cc, `EvalHybrid`.
struct TFLiteHybrid {
  private let node: MappedTFLiteNode
  private let scales: [Float]

  /// Recognises such a layer; `nil` for another operator.
  ///
  /// - Throws: `badData` if the interpreter has no such layer for the kernel.
  init?(_ node: MappedTFLiteNode) throws(NetconvError) {
    guard node.operation == "FULLY_CONNECTED", node.inputTensors.count > 1,
      let input = node.inputTensors[0], input.type == .float32,
      let kernel = node.inputTensors[1], kernel.isQuantized, kernel.problem == nil,
      kernel.type.element == .number(.int8), let quantization = kernel.quantization,
      quantization.zeroPoints.allSatisfy({ $0 == 0 }),
      quantization.scales.count == 1 || quantization.axis == 0
    else { return nil }
    self.node = node
    scales = quantization.scales
  }

  /// Drafts the layer, and its activation on real numbers.
  func result(_ graph: inout GraphBuilder) throws(NetconvError) -> GraphResult {
    let options = try node.options(8)
    _ = try node.constant(1)
    let value = try TFLiteDense.product(node, &graph)
    let isAsymmetric = try options.flag(3)
    let bias = try node.optional(2).map { _ throws(NetconvError) in try node.constant(2) }
    let units = try value.size(-1)
    guard bias.map({ $0.count == units }) ?? true else {
      throw .shapesDiffer(bias?.shape ?? [], [units])
    }
    try graph.change(value) { layer throws(NetconvError) in
      layer.operation = Quantized(
        layer.operation, inputs: [], output: nil, kernelScales: scales, isAsymmetric: isAsymmetric)
      if let bias {
        layer.parameters[.bias] = GraphDraft.Parameter(
          constant: try bias.reshaped([units]), layout: nil)
      }
    }
    return try node.activated(.value(value), by: options.choice(0), &graph)
  }
}
