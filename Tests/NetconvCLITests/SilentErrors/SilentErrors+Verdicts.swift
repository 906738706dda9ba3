import ModelIR
import TestSupport

/// Weights in the layout of one target that another reads, activations of another network, and Keras files whose names
/// contradict their contents.
extension SilentError {
  static let inVerdicts: [SilentError] =
    targetMistakes + referenceMistakes + conventionMistakes + kerasMistakes

  /// For each target, the targets that expect other layouts.
  private static let confused = [
    ("mps", ["mpsgraph", "torch", "tensorflow", "onnx", "coreml", "bnns", "ncnn", "tfjs"]),
    ("torch", ["mps", "mlx", "tensorflow", "tflite", "mpsgraph", "rtneural"]),
    ("tensorflow", ["mps", "mlx", "torch", "onnx", "tflite", "coreml", "bnns", "ncnn"]),
    ("mlx", ["torch", "tensorflow", "onnx", "coreml", "bnns", "ncnn", "mpsgraph", "tfjs"]),
    ("tflite", ["torch", "tensorflow", "onnx", "tfjs", "ncnn"]),
  ]

  private static let targetMistakes: [SilentError] = confused.flatMap { written, readers in
    readers.map { reader in
      SilentError(
        "relate --target", "\(reader) is given what was written for \(written)", 1,
        "not as \(reader) expects them: "
      ) { line in
        try line.convertLeNet("--target", written)
        return try line.netconv(
          "relate", Fixtures.sample("lenet-blobs"), "out", "--target", reader)
      }
    }
  }

  private static let referenceMistakes: [SilentError] = [
    reference("samples in another order", "fc2") { try $0.mix("fc2") { $0.reversed() } },
    reference("classes in another order", "fc2") { try $0.mix("fc2") { $0.map { $0.reversed() } } },
    reference("a layer of half the size", "fc1") { $0.change("fc1") { $0 / 2 } },
    reference("a layer without its last activation", "conv1") { $0.change("conv1") { -$0 } },
    reference("a layer that is zero", "fc1") { $0.change("fc1") { _ in 0 } },
    reference("pixels that were not scaled", "multiply the pixels by 1/255") {
      $0.change("image") { $0 * 255 }
    },
    reference("pixels of another sample", "conv1") {
      try $0.mix("image") { Array($0.dropFirst() + $0.prefix(1)) }
    },
    reference("rows and columns swapped", "pool1", 65) { saved in
      saved.arrays["pool1"] = saved.arrays["pool1"].map {
        NDArray(shape: [4, 13, 12, 8], values: $0.values)
      }
    },
    reference("a layer that holds no number", "fc2", 65) { $0.change("fc2") { _ in .nan } },
  ]

  private static let conventionMistakes: [SilentError] = [
    weights("of TensorFlow's layouts for PyTorch", "tensorflow.npz", 65, "would not have"),
    weights(
      "of TensorFlow's layouts that are declared as PyTorch's", "tensorflow.npz", 65,
      "would not have", options: "--convention", "torch"),
    weights("of MLX's layouts for PyTorch", "mlx.npz", 0, "assumed to have the layout of torch"),
  ]

  private static func weights(
    _ mistake: String, _ fixture: String, _ status: Int32, _ words: String, options: String...
  ) -> SilentError {
    SilentError("convert", "weights \(mistake)", status, words) { line in
      try line.netconv(
        ["convert", Fixtures.path("conventions/\(fixture)"), "out", "--weights-only"]
          + ["--target", "torch"] + options)
    }
  }

  private static let kerasMistakes: [SilentError] = [
    keras("a custom class that is named ReLU", "archive-own-classes.keras", 65, "mine>ReLU"),
    keras("normalised by batches, in Keras 2", "keras2-training-batch.h5", 65, "training=True"),
    keras("normalised by batches, in Keras 3", "keras3-training-batch.h5", 65, "training=True"),
    keras("random when it runs, in Keras 2", "keras2-training-random.h5", 0, "random numbers"),
    keras("random when it runs, in Keras 3", "keras3-training-random.h5", 0, "random numbers"),
    keras("names of other layers, in Keras 2", "keras2-renamed.h5", 0, "by their order"),
    keras("names of other layers, in Keras 3", "keras3-renamed.h5", 0, "by their order"),
  ]

  private static func keras(
    _ mistake: String, _ fixture: String, _ status: Int32, _ words: String
  ) -> SilentError {
    SilentError("convert", mistake, status, words) { line in
      try line.netconv("convert", Fixtures.path("keras/\(fixture)"), "out")
    }
  }

  /// LeNet's activations with one mistake.
  private static func reference(
    _ mistake: String, _ words: String, _ status: Int32 = 1,
    change: @escaping @Sendable (inout SavedActivations) throws -> Void
  ) -> SilentError {
    SilentError("verify --reference", mistake, status, words) { line in
      try line.writeLeNet()
      var saved = try line.savedActivations()
      try change(&saved)
      return try line.verify(saved)
    }
  }
}

/// The input images of a network, as `image`, and the outputs of its layers.
struct SavedActivations {
  var arrays: [String: NDArray<Float>]

  /// Changes each value of an array.
  mutating func change(_ name: String, _ body: (Float) -> Float) {
    arrays[name] = arrays[name].map { NDArray(shape: $0.shape, values: $0.values.map(body)) }
  }

  /// Puts the values of an array, sample by sample, in another order.
  mutating func mix(_ name: String, _ body: ([[Float]]) -> [[Float]]) throws {
    guard let array = arrays[name] else { return }
    let size = array.values.count / array.shape[0]
    let samples = (0..<array.shape[0]).map { Array(array.values[$0 * size..<($0 + 1) * size]) }
    arrays[name] = NDArray(shape: array.shape, values: Array(body(samples).joined()))
  }
}

extension CommandLine {
  /// Runs the network in the folder `lenet` on four images of the MNIST test set.
  func savedActivations() throws -> SavedActivations {
    let pixels = try mnist().pixels.prefix(4 * 784).map { Float($0) / 255 }
    try writeArray(pixels, "(4, 28, 28, 1)", to: "x.npy")
    try prepare(
      "run", "lenet", "--input", "x.npy", "--layer", "conv1", "--layer", "pool1", "--layer", "fc1",
      "--output", "activations.npz", "-q")
    var arrays = try TestSupport.arrays(folder.file("activations.npz"))
    arrays["image"] = try TestSupport.arrays(folder.file("x.npy")).values.first
    return SavedActivations(
      arrays: arrays.mapValues { NDArray(shape: $0.shape, values: $0.values) })
  }

  /// Compares the network in the folder `lenet` with the saved activations.
  func verify(_ saved: SavedActivations) throws -> NetconvProcess.Result {
    try writeArchive(
      saved.arrays.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
      to: folder.file("saved.npz"))
    return try netconv("verify", "lenet", "--reference", "saved.npz")
  }
}
