import ModelIR
import Operators

/// Dequantisation of constants to float32; values are quantised and dequantised by ``TFLiteIntegers``.
///
/// Source: tensorflow/lite/kernels: `dequantize.cc` and `quantize.cc`.
enum TFLiteDequantization: TFLiteOperation {
  static let names = ["DEQUANTIZE", "QUANTIZE"]
  static let operators: [any Operator.Type] = [Quantized.self]
  static let refused = ["integers with several scales, or of 32 bits"]
  static let readsScales = true

  static func results(
    of node: MappedTFLiteNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let isBack = node.operation == "DEQUANTIZE"
    guard isBack, case .constant(let constant) = try node.input(0) else {
      let integers = (isBack ? node.inputTensors : node.outputTensors).first ?? nil
      throw .computesWithIntegers(integers?.type.name ?? "", isHybrid: false)
    }
    // Quantised constants are dequantised already.
    return [.constant(try constant.cast(to: .float32))]
  }
}
