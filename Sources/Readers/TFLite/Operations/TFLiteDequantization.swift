import ModelIR

/// Dequantisation of constants to float32; quantisation of activations is refused.
///
/// Source: tensorflow/lite/kernels: `dequantize.cc` and `quantize.cc`.
enum TFLiteDequantization: TFLiteOperation {
  static let names = ["DEQUANTIZE", "QUANTIZE"]
  static let refused = ["integers that follow from what is fed", "QUANTIZE"]
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
