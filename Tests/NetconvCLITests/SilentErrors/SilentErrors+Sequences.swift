import Datasets
import Foundation
import ModelIR
import TestSupport

/// Sequences and targets that are wrong for the network.
extension SilentError {
  static let inSequences: [SilentError] = [
    quantities("steps and features swapped", 64, "numpy.swapaxes") { line in
      try line.writeSequences("one") { x, _ in
        x = NDArray(shape: [40, 3, 7], values: transposed(x.values, x.shape, [0, 2, 1]))
      }
    },
    quantities("steps before samples", 65, "40 labels for 7 samples") { line in
      try line.writeSequences("one") { x, _ in
        x = NDArray(shape: [7, 40, 3], values: transposed(x.values, x.shape, [1, 0, 2]))
      }
    },
    quantities("steps and features in one axis", 64, "(21)") { line in
      try line.writeSequences("one") { x, _ in
        x = NDArray(shape: [40, 21], values: x.values)
      }
    },
    quantities("fewer steps than the network expects", 64, "(6, 3)") { line in
      try line.writeSequences("one") { x, _ in
        x = NDArray(shape: [40, 6, 3], values: Array(x.values.prefix(720)))
      }
    },
    quantities("a step that is not a number", 65, "nan") { line in
      try line.writeSequences("one") { x, _ in x.values[500] = .nan }
    },
    quantities("quantities of a sequence as bytes", 0, "--scale 1") { line in
      try line.writeSequences("one") { _, _ in }
      let bytes = (0..<840).map { UInt8($0 % 251) }
      try line.folder.write(npy("|u1", "(40, 7, 3)", bytes), to: "x.npy")
    },
    quantities("targets in another order", 0, "the mean of the targets") { line in
      try line.writeSequences("one") { _, y in y.values.reverse() }
    },
    quantities("targets moved by one sample", 0, "the mean of the targets") { line in
      try line.writeSequences("one") { _, y in
        y.values.insert(y.values.removeLast(), at: 0)
      }
    },
    quantities("targets in another unit", 0, "the mean of the targets") { line in
      try line.writeSequences("one") { _, y in y.values = y.values.map { $0 * 100 } }
    },
    quantities("targets that were not scaled as in training", 0, "the mean of the targets") {
      line in
      try line.writeSequences("one") { _, y in
        y.values = y.values.map { (value: Float) -> Float in 3 * value + 20 }
      }
    },
    quantities("targets of the other sign", 0, "the mean of the targets") { line in
      try line.writeSequences("one") { _, y in y.values = y.values.map { -$0 } }
    },
    SilentError(
      "verify", "trained to return 0 and 1 without an activation, and judged as a logit", 0,
      "--threshold 0.5"
    ) { line in
      try line.netconv(
        "verify", Fixtures.path("metrics/logits.h5"), "--images",
        Fixtures.path("metrics/logits.npz"))
    },
    SilentError("verify", "labels of another output", 65, "for quantities pass --metric") { line in
      try line.netconv(
        "verify", Fixtures.path("metrics/heads.h5"), "--layer", "kind", "--images",
        Fixtures.path("metrics/heads-size.npz"))
    },
    quantities("one target too few", 65, "39 labels for 40 samples") { line in
      try line.writeSequences("one") { _, y in
        y = NDArray(shape: [39], values: Array(y.values.dropLast()))
      }
    },
    quantities("a target that is not a number", 65, "nan") { line in
      try line.writeSequences("one") { _, y in y.values[7] = .nan }
    },
    quantities("a target that is infinite", 65, "inf") { line in
      try line.writeSequences("one") { _, y in y.values[7] = -.infinity }
    },
    quantities("a target for each step where the network returns one", 64, "expected (40, 1)") {
      line in
      try line.writeSequences("one") { _, y in
        y = NDArray(shape: [40, 7], values: y.values.flatMap { Array(repeating: $0, count: 7) })
      }
    },
    quantities(
      "targets of every sample for every other, as NumPy repeats them", 64,
      "targets are not broadcast"
    ) { line in
      try line.writeSequences("one") { _, y in
        y = NDArray(shape: [40, 40], values: (0..<40).flatMap { _ in y.values })
      }
    },
    quantities("one target for three outputs", 64, "expected (11, 3)", model: "several") { line in
      try line.writeSequences("several") { _, y in
        y = NDArray(shape: [11, 1], values: stride(from: 0, to: 33, by: 3).map { y.values[$0] })
      }
    },
    quantities("outputs before samples", 65, "3 labels for 11 samples", model: "several") {
      line in
      try line.writeSequences("several") { _, y in
        y = NDArray(shape: [3, 11], values: transposed(y.values, [11, 3], [1, 0]))
      }
    },
    quantities("outputs in another order", 0, "the mean of the targets", model: "several") {
      line in
      try line.writeSequences("several") { _, y in
        y.values = stride(from: 0, to: 33, by: 3).flatMap {
          [y.values[$0 + 1], y.values[$0 + 2], y.values[$0]]
        }
      }
    },
    quantities(
      "one target for all steps", 64, "expected (31, 5, 1)", model: "steps"
    ) { line in
      try line.writeSequences("steps") { _, y in
        y = NDArray(shape: [31], values: Array(y.values.prefix(31)))
      }
    },
    quantities("r2 of targets that are all the same", 65, "r2 is undefined", metric: "r2") {
      line in
      try line.writeSequences("one") { _, y in y.values = y.values.map { _ in 0.5 } }
    },
    quantities("classes measured as quantities", 64, "--metric accuracy", model: "words") { line in
      try line.writeSequences("words") { _, _ in }
    },
    quantities("rows of classes measured as quantities", 64, "are classes", model: "words") {
      line in
      try line.writeSequences("words") { _, y in
        y = NDArray(
          shape: [36, 3],
          values: y.values.flatMap { label in (0..<3).map { Float($0) == label ? 1 : 0 } })
      }
    },
    quantities("two classes measured as quantities", 64, "are classes", model: "binary") { line in
      try line.writeSequences("binary") { _, _ in }
    },
    quantities("quantities measured as classes", 64, "--metric mae", metric: nil) { line in
      try line.writeSequences("one") { _, _ in }
    },
    quantities("whole quantities measured as classes", 0, "--metric mae", metric: nil) { line in
      try line.writeSequences("one") { _, y in y.values = y.values.map { $0 > 0 ? 1 : 0 } }
    },
    quantities(
      "quantities for a network of classes", 65, "--metric mae", model: "words", metric: nil
    ) { line in
      try line.writeSequences("words") { _, y in y.values = y.values.map { $0 + 0.25 } }
    },
    quantities(
      "several classes for a sample", 65, "2 ones", model: "words", metric: nil
    ) { line in
      try line.writeSequences("words") { _, y in
        y = NDArray(shape: [36, 3], values: (0..<36).flatMap { _ in [1, 0, 1] as [Float] })
      }
    },
    quantities(
      "a class for each sample where the network returns one for each step", 65, "[34, 6]",
      model: "tags", metric: nil
    ) { line in
      try line.writeSequences("tags") { _, y in
        y = NDArray(shape: [34], values: Array(y.values.prefix(34)))
      }
    },
    quantities(
      "samples and steps of the classes swapped", 65, "6 labels for 34 samples", model: "tags",
      metric: nil
    ) { line in
      try line.writeSequences("tags") { _, y in
        y = NDArray(shape: [6, 34], values: transposed(y.values, [34, 6], [1, 0]))
      }
    },
    quantities(
      "a class for each step where the network returns one", 65, "one class per sample",
      model: "words", metric: nil
    ) { line in
      try line.writeSequences("words") { _, y in
        y = NDArray(shape: [36, 8], values: y.values.flatMap { Array(repeating: $0, count: 8) })
      }
    },
    quantities(
      "classes of sequences in another order", 0, "in another order than the outputs",
      model: "words",
      metric: nil
    ) { line in
      try line.writeSequences("words") { _, y in y.values = y.values.map { [1, 2, 0][Int($0)] } }
    },
    quantities(
      "steps counted that the network masks", 0, "masked", model: "masked", metric: nil
    ) { line in
      try line.writeSequences("masked") { _, _ in }
    },
    quantities(
      "a word that the network has no vector for", 65, "11", model: "words", metric: nil
    ) { line in
      try line.writeSequences("words") { x, _ in x.values[30] = 11 }
    },
    quantities("words scaled as pixels are", 65, "are integers", model: "words", metric: nil) {
      line in
      try line.writeSequences("words") { x, _ in x.values = x.values.map { $0 / 255 } }
    },
  ]

  /// A mistake in `x.npy` and `y.npy`, which are written for a model of `Tests/Fixtures/metrics`.
  private static func quantities(
    _ mistake: String, _ status: Int32, _ words: String, model: String = "one",
    metric: String? = "mae", write: @escaping @Sendable (CommandLine) throws -> Void
  ) -> SilentError {
    SilentError("verify", mistake, status, words) { line in
      try write(line)
      return try line.verifySequences(model, metric.map { ["--metric", $0] } ?? [])
    }
  }
}

extension CommandLine {
  /// Writes the test set of a fixture, with changes, to `x.npy` and `y.npy`.
  func writeSequences(
    _ name: String, change: (inout NDArray<Float>, inout NDArray<Float>) -> Void
  ) throws {
    let stored = try arrays(Fixtures.path("metrics/\(name).npz"))
    guard let images = stored["x_test"], let labels = stored["y_test"] else { return }
    var x = NDArray(shape: images.shape, values: images.values)
    var y = NDArray(shape: labels.shape, values: labels.values)
    change(&x, &y)
    try folder.write(NumpyArray.encode(x), to: "x.npy")
    try folder.write(NumpyArray.encode(y), to: "y.npy")
  }

  /// Verifies a model of the fixtures on `x.npy` and `y.npy`.
  func verifySequences(_ model: String, _ options: [String]) throws -> NetconvProcess.Result {
    try NetconvProcess.run(
      [
        "verify", Fixtures.path("metrics/\(model).h5"), "--images", "x.npy", "--labels", "y.npy",
      ] + options, in: folder.path)
  }
}
