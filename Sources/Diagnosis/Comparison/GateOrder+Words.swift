import ModelIR

extension GateOrder {
  /// The gate orders of frameworks, with their owners.
  ///
  /// Source: the files in Sources/Transforms/Layout/Targets; tensorflow/python/ops/rnn_cell_impl.py
  /// of TensorFlow 1 has i, j, f, o, where j is the cell's.
  static let ofFrameworks: [(order: GateOrder, owner: String)] =
    [
      (.ifco, "Keras's and PyTorch's"), (.iofc, "ONNX's"), (.ifoc, "Core ML's and ncnn's"),
      (.rzh, "PyTorch's"), (.zrh, "Keras's and ONNX's"),
    ] + (GateOrder("icfo").map { [($0, "TensorFlow 1's")] } ?? [])

  /// The gates as text: `r z h`.
  var letters: String { gates.map(String.init).joined(separator: " ") }

  /// The gates and the framework: `r z h, PyTorch's`.
  var words: String {
    let owner = Self.ofFrameworks.first { $0.order == self }?.owner
    return letters + (owner.map { ", \($0)" } ?? "")
  }
}
