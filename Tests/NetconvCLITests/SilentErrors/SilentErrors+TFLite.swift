import ModelIR
import TestSupport

/// TensorFlow Lite models whose outputs would differ from the interpreter's.
extension SilentError {
  static let inTFLite: [SilentError] = [
    tflite("weights of int8 that meet rounded activations", "refused-hybrid", "rounds to integers"),
    tflite("a network that computes with integers", "refused-integers", "computes with integers"),
    tflite("integers that are moved to another scale", "refused-moved-scale", "without rescaling"),
    tflite("a zero point that kernels pass over", "refused-kernel-zero", "has a zero point"),
    tflite("sums of 16 bits that are shifted", "refused-shifted-sum", "by shifting"),
    SilentError("run", "TFLite: integers of another type than the input's", 65, "quantised to int8")
    {
      line in
      try line.folder.write(
        npy("<i2", "(1, 9, 7, 3)", [UInt8](repeating: 1, count: 2 * 9 * 7 * 3)), to: "x.npy")
      return try line.netconv("run", fixture("integers-conv.tflite"), "--input", "x.npy")
    },
    tflite("an activation that kernels pass over", "refused-fused-tanh", "TANH"),
    tflite("a state that is kept from run to run", "refused-variable", "from one run to the next"),
    tflite("the options of another operator", "refused-other-options", "another operator"),
    tflite("a part that is measured from its beginning", "refused-slice-offset", "offset"),
    tflite("rows that are chosen by a vector", "refused-select-rows", "whole rows"),
    tflite("an operator of a program's own", "refused-custom", "SignalWindow"),
    SilentError("convert --weights-only", "TFLite: weights without their zeros", 65, "c0") { line in
      try line.netconv(
        "convert", fixture("refused-sparse.tflite"), "out", "--weights-only")
    },
    SilentError("diff", "TFLite: channels have several kernels each", 1, "depthMultiplier") {
      line in
      try line.netconv(
        "diff", fixture("depthwise-multiplier.tflite"), fixture("depthwise-dilated.tflite"))
    },
    SilentError("relate", "TFLite: weights of another network", 1, "only in") { line in
      try line.netconv("relate", fixture("keras-image.h5"), fixture("keras-decoder.tflite"))
    },
    SilentError("run", "TFLite: an image of another size", 64, "expected (None, 17, 15, 2)") {
      line in
      try line.writeArray(Array(repeating: 0, count: 16 * 15 * 2), "(1, 16, 15, 2)", to: "x.npy")
      return try line.netconv("run", fixture("keras-image.tflite"), "--input", "x.npy")
    },
  ]

  private static func fixture(_ name: String) -> String { Fixtures.path("tflite/\(name)") }

  private static func tflite(
    _ mistake: String, _ name: String, _ words: String
  ) -> SilentError {
    SilentError("convert", "TFLite: \(mistake)", 65, words) { line in
      try line.netconv("convert", fixture("\(name).tflite"), "out")
    }
  }
}
