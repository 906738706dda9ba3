/// A TensorFlow Lite model, including the values of its layers.
enum TFLiteTarget: FuzzTarget {
  static let name = "tflite"

  static func parse(_ bytes: [UInt8]) throws {
    try parseGraph(bytes, format: "tflite")
  }
}
