import Documents
import ModelIR
import NetconvKit

/// A loader's answers to a probe, as JSON lines.
enum ProbeAnswersTarget: FuzzTarget {
  static let name = "probe-answers"

  static func parse(_ bytes: [UInt8]) throws {
    try withFile(bytes) { path in
      let answers = try ProbeAnswers(path, for: probe)
      try hold(
        !answers.tensors.isEmpty || !answers.outputs.isEmpty, "there is nothing, and it is taken")
      for seen in [answers.tensors, answers.inputs, answers.outputs] {
        for (name, array) in seen {
          try hold(["conv_W", "conv_b", "image", "conv"].contains(name), "'\(name)' is unknown")
          try hold(array.values.count <= bytes.count, "there are more values than bytes")
        }
      }
    }
  }

  /// The probe of a convolution, which the seeds answer.
  private static let probe: ProbeDocument = {
    let text = """
      {"format": "netconv-probe", "version": 1, "target": "mps", "dtype": "float32",
       "tensors": [
        {"name": "conv_W", "layer": "conv", "role": "kernel", "dtype": "float32", "layout": "OHWI", "reversed": [],
         "sizes": {"O": 2, "H": 1, "W": 1, "I": 2}, "file": "model/weights/conv_W.bin", "values": [0, 1, 2, 3]},
        {"name": "conv_b", "layer": "conv", "role": "bias", "dtype": "float32", "layout": "O", "reversed": [],
         "sizes": {"O": 2}, "file": "model/weights/conv_b.bin", "values": [4, 5]}],
       "inputs": [{"name": "image", "shape": [1, 1, 1, 2], "values": [1, 2]}],
       "outputs": [{"name": "conv", "shape": [1, 1, 1, 2], "values": [6, 13]}]}
      """
    do {
      return try JSONDocument.decode(ProbeDocument.self, from: Array(text.utf8))
    } catch {
      fatalError("\(error)")
    }
  }()
}
