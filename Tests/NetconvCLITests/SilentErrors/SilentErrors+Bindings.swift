import Datasets
import ModelIR
import TestSupport
import Testing

/// Graphs that do not match the trained weights, for weights without a graph.
extension SilentError {
  static let inBindings: [SilentError] = [
    SilentError("convert", "a draft of a graph whose questions are open", 65, "are open") { line in
      try copy("lenet", to: line)
      try line.folder.write(
        try line.netconv("inspect", "lenet.pt", "--scaffold").output, to: "model.json")
      return try line.netconv("convert", "lenet.pt", "out", "--model", "model.json")
    },
    SilentError(
      "verify", "a kernel after a flatten, in the other order", 1, "classifier.0"
    ) { line in
      try copy("lenet", to: line)
      try line.replace("O(IHW)", with: "O(HWI)", in: "model.json")
      return try line.netconv(
        "verify", "lenet.pt", "--model", "model.json", "--reference", "activations.npz")
    },
    SilentError(
      "convert", "a key of a graph's parameter that is misspelled", 65, "did you mean 'layout'"
    ) { line in
      try copy("lenet", to: line)
      try line.replace("\"layout\": \"O(IHW)\"", with: "\"layuot\": \"O(HWI)\"", in: "model.json")
      return try line.netconv("convert", "lenet.pt", "out", "--model", "model.json")
    },
    SilentError("verify", "a layer of a graph that names another's tensor", 65, "shape") { line in
      try copy("lenet", to: line)
      try line.replace("features.0.weight", with: "features.3.weight", in: "model.json")
      return try line.netconv("verify", "lenet.pt", "--model", "model.json")
    },
    SilentError("convert", "a graph without a layer that the weights have", 0, "belong to no layer")
    { line in
      try copy("lenet", to: line)
      try line.folder.write(
        dense("x", units: 48, input: 400, named: "classifier.0"), to: "head.json")
      return try line.netconv("convert", "lenet.pt", "out", "--model", "head.json")
    },
    SilentError(
      "convert", "a graph of PyTorch's weights that pads as TensorFlow", 0, "'layer2.conv1'"
    ) { line in
      try copy("resnet", to: line)
      // Two rows above and to the left, as padding=1 has them, are not "same" with steps of 2.
      try line.replace("\"layer2.conv1.padding\"]", with: "\"layer1.relu2\"]", in: "model.json")
      try line.replace(
        "\"strides\": [2, 2],\n        \"padding\": \"valid\"",
        with: "\"strides\": [2, 2],\n        \"padding\": \"same\"", in: "model.json")
      return try line.netconv("convert", "resnet.pt", "out", "--model", "model.json")
    },
    SilentError("convert", "Keras's epsilon for PyTorch's normalisations", 0, "epsilon differs") {
      line in
      try copy("resnet", to: line)
      try line.replace("1e-05", with: "0.001", in: "model.json")
      return try line.netconv("convert", "resnet.pt", "out", "--model", "model.json")
    },
    SilentError("run", "weights whose shapes fit the layouts of two frameworks", 65, "--convention")
    { line in
      try weights([("conv.weight", [3, 3, 3, 3])], to: line)
      try line.folder.write(
        """
        {"format": "netconv-model", "version": 1, "inputs": [{"name": "x", "shape": [4, 4, 3]}],
         "outputs": ["conv"], "layers": [{"name": "conv", "operator": "Convolution2D", "inputs": ["x"],
         "attributes": {"outputChannels": 3, "kernelSize": [3, 3]}}]}
        """, to: "model.json")
      return try line.netconv("run", "weights.npz", "--model", "model.json", "--input", "x.npy")
    },
    SilentError("convert", "two layers that order alone tells apart", 0, "by their order") { line in
      try weights([("p.weight", [4, 4]), ("q.weight", [4, 4])], to: line)
      try line.folder.write(
        """
        {"format": "netconv-model", "version": 1, "inputs": [{"name": "x", "shape": [4]}],
         "outputs": ["b"], "layers": [
         {"name": "a", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 4}},
         {"name": "b", "operator": "Dense", "inputs": ["a"], "attributes": {"units": 4}}]}
        """, to: "model.json")
      return try line.netconv(
        "convert", "weights.npz", "out", "--model", "model.json", "--convention", "torch")
    },
    SilentError("convert", "more layers in the weights than in the graph", 65, "both 'p' and 'q'") {
      line in
      try weights([("p.weight", [4, 4]), ("q.weight", [4, 4])], to: line)
      try line.folder.write(dense("x", units: 4, input: 4, named: "a"), to: "model.json")
      return try line.netconv(
        "convert", "weights.npz", "out", "--model", "model.json", "--convention", "torch")
    },
    SilentError("convert", "a bias that the graph does not have", 65, "correct the description") {
      line in
      try copy("lenet", to: line)
      try line.folder.write(
        dense("x", units: 48, input: 400, named: "classifier.0", parameters: "kernel"),
        to: "head.json")
      return try line.netconv("convert", "lenet.pt", "out", "--model", "head.json")
    },
    SilentError("convert", "a rule that makes one tensor two parameters", 64, "bound already") {
      line in
      try copy("lenet", to: line)
      try line.folder.write(dense("x", units: 48, input: 400, named: "fc"), to: "head.json")
      return try line.netconv(
        "convert", "lenet.pt", "out", "--model", "head.json", "--bind", "classifier.{n}=fc")
    },
    SilentError("convert", "a rule that matches nothing", 64, "matches no tensor") { line in
      try copy("lenet", to: line)
      return try line.netconv(
        "convert", "lenet.pt", "out", "--model", "model.json", "--bind", "feature.{n}=conv{#}")
    },
  ]

  /// A network of one dense layer.
  private static func dense(
    _ name: String, units: Int, input: Int, named layer: String, parameters: String? = nil
  ) -> String {
    let listed = parameters.map { ", \"parameters\": [{\"role\": \"\($0)\"}]" } ?? ""
    return """
      {"format": "netconv-model", "version": 1, "inputs": [{"name": "\(name)", "shape": [\(input)]}],
       "outputs": ["\(layer)"], "layers": [{"name": "\(layer)", "operator": "Dense", "inputs": ["\(name)"],
       "attributes": {"units": \(units)}\(listed)}]}
      """
  }

  /// Arrays that count on, in `weights.npz`.
  private static func weights(_ arrays: [(name: String, shape: [Int])], to line: CommandLine) throws
  {
    try writeArchive(
      arrays.map { name, shape in
        (
          name,
          NDArray<Float>(
            shape: shape, values: (0..<shape.reduce(1, *)).map { Float($0) })
        )
      }, to: line.folder.file("weights.npz"))
  }

  private static func copy(_ name: String, to line: CommandLine) throws {
    for file in ["\(name).pt", "model.json", "activations.npz"] {
      try line.folder.copy(Fixtures.sample("pytorch-\(name)/\(file)"), to: file)
    }
  }
}
