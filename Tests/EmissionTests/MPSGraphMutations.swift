import TestSupport

extension Mutation {
  private static func fixture(_ name: String) -> String { Fixtures.path("keras/\(name).h5") }

  /// Mistakes that are easily made with MPSGraph.
  static let mpsgraph: [Mutation] = [
    Mutation(
      name: "no bias", file: "Layers",
      from: "hasBias ? try bias(layer, channels: shape[3], to: sums) : sums", to: "sums",
      firstWrong: "conv1"),
    Mutation(
      name: "no activation", file: "", from: "graph.reLU(with: conv1Sums, name: \"conv1\")",
      to: "conv1Sums", firstWrong: "conv1"),
    Mutation(
      name: "channels first when rows are merged", file: "", from: "graph.reshape(pool2,",
      to: "graph.reshape(graph.transposeTensor(pool2, dimension: 1, withDimension: 3, name: nil),",
      firstWrong: "flatten"),
    Mutation(
      name: "a softmax over the batch", file: "", from: "axis: 1", to: "axis: 0", firstWrong: "fc2"),
    Mutation(
      name: "kernels of halves in a network of floats", precision: .float32, file: "Layers",
      from: "secondary: try kernel(layer, \"kernel\", shape: shape), name: layer)",
      to: """
        secondary: graph.cast(
                graph.cast(
                  try kernel(layer, "kernel", shape: shape), to: .float16, name: nil), to: .float32, name: nil),
              name: layer)
        """, firstWrong: "fc1"),
    Mutation(
      name: "padding on the wrong side", source: fixture("keras2-conv-same"), file: "",
      from: "padding: (left: 0, right: 1, top: 1, bottom: 1)",
      to: "padding: (left: 1, right: 0, top: 1, bottom: 1)", firstWrong: "conv1"),
    Mutation(
      name: "padding that counts", source: fixture("keras2-pooling"), file: "Layers",
      from: "includeZeroPadToAverage = false", to: "includeZeroPadToAverage = true",
      firstWrong: "avg_same"),
    Mutation(
      name: "another epsilon", source: fixture("keras2-batch-norm"), file: "",
      from: "epsilon: 0.001", to: "epsilon: 0.1", firstWrong: "bn_first"),
    Mutation(
      name: "no scale", source: fixture("keras2-batch-norm"), file: "Layers",
      from: "gamma: scale ? try parameter(layer, \"gamma\", shape: shape) : nil", to: "gamma: nil",
      firstWrong: "bn_first"),
    Mutation(
      name: "a tensor added to itself", source: fixture("keras2-residual"), file: "",
      from: "graph.addition(relu, convB", to: "graph.addition(relu, relu",
      firstWrong: "add_three"),
    Mutation(
      name: "tensors in another order", source: fixture("keras2-concatenate"), file: "",
      from: "[convA, convB, image]", to: "[convB, convA, image]", firstWrong: "channels"),
    Mutation(
      name: "the largest for the mean", source: fixture("keras2-global-pooling"), file: "",
      from: "graph.mean(of: $0", to: "graph.reductionMaximum(with: $0", firstWrong: "average"),
    Mutation(
      name: "zeros on the other side", source: fixture("keras2-zero-padding"), file: "",
      from: "leftPadding: [0, 1, 3, 0], rightPadding: [0, 2, 0, 0]",
      to: "leftPadding: [0, 2, 0, 0], rightPadding: [0, 1, 3, 0]", firstWrong: "pad1"),
    Mutation(
      name: "causal padding on the wrong side", source: fixture("keras3-conv1d"), file: "",
      from: "padding: (left: 2, right: 0, top: 0, bottom: 0)",
      to: "padding: (left: 0, right: 2, top: 0, bottom: 0)", firstWrong: "causal"),
    Mutation(
      name: "steps cut off at the other end", source: fixture("keras3-reshaping1d"), file: "",
      from: "start: 2, length: 3", to: "start: 1, length: 3", firstWrong: "cropped"),
    Mutation(
      name: "slopes above zero", source: fixture("keras2-prelu"), file: "Layers",
      from: "graph.minimum(x, number(0, like: x), name: nil)\n    return",
      to: "graph.maximum(x, number(0, like: x), name: nil)\n    return",
      firstWrong: "per_channel"),
    Mutation(
      name: "a row cut off on the wrong side", source: fixture("keras2-transposed"), file: "",
      from: "padding: (left: 1, right: 1, top: 0, bottom: 1)",
      to: "padding: (left: 1, right: 1, top: 1, bottom: 0)", firstWrong: "same"),
  ]
}
