import ModelIR
import Operators

extension Dense: TFLiteForm {
  static var tfliteOperations: String { "`FULLY_CONNECTED`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let kernel = try layer.required(.kernel)
    let own = kernel.spec.layout.dimensions
    // The kernel may have the axes that a flatten has merged.
    let layout = try Layout([own[own.count - 1]] + own.dropLast())
    let matrix = try graph.parameter(
      kernel, as: layout, shape: [units, kernel.count / max(1, units)])
    let bias = try layer.parameters[.bias].map { bias throws(NetconvError) in
      try graph.parameter(bias)
    }
    let sum = graph.product(try graph.expanded(x[0]), matrix, bias, isMain: !activation.isLinear)
    return [try graph.activate(sum, activation)]
  }
}
