import ModelIR
import Operators

extension Activation: ONNXForm {
  static var onnxOperations: String {
    "`Relu`, `Clip`, `LeakyRelu`, `Elu`, `Celu`, `Selu`, `Sigmoid`, `HardSigmoid`, `Tanh`, `Softplus`, `Softsign`, "
      + "`HardSwish`, `Shrink`, `Softmax`, `LogSoftmax`; others spelled out"
  }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    [try graph.activate(x[0], function)]
  }
}
