import ModelIR

/// A program that reads a graph, or what is made of it.
public struct ONNXConsumer: Sendable {
  /// The name in messages.
  let name: String
  /// The name with its article.
  let indefinite: String
  /// The order of the gates of an `LSTM`.
  let gatesOfLSTM: GateOrder

  /// The programs that read ONNX files.
  public static let onnx = ONNXConsumer(name: "ONNX", indefinite: "an ONNX", gatesOfLSTM: .iofc)

  /// Core ML, for which a graph is translated; its `LSTM` has the output gate before the cell.
  public static let coreML = ONNXConsumer(
    name: "Core ML", indefinite: "a Core ML", gatesOfLSTM: .ifoc)
}
