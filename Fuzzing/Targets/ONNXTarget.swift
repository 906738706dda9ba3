/// An ONNX model, including the values of its layers.
enum ONNXTarget: FuzzTarget {
  static let name = "onnx"

  static func parse(_ bytes: [UInt8]) throws {
    try parseGraph(bytes, format: "onnx")
  }
}
