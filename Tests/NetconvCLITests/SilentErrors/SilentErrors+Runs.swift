import ModelIR
import TestSupport

/// Arrays that the network does not accept.
extension SilentError {
  static let inRuns: [SilentError] = [
    run("height and width swapped", 64, "(1, 5, 6, 2)") { line in
      try line.writeArray([Float](repeating: 1, count: 60), "(1, 5, 6, 2)", to: "in.npy")
    },
    run("channels first", 64, "moveaxis") { line in
      try line.writeArray([Float](repeating: 1, count: 60), "(1, 2, 6, 5)", to: "in.npy")
    },
    channelsLast(
      "image", of: "image", "channels last, where they are first", 0, "has channels last"),
    channelsLast("image", of: "cube", "the same with axes of one size", 0, "fits with channels"),
    channelsLast("conv", of: "cube", "the same of a layer", 1, "'conv' is the first layer"),
    run("no batch", 64, "(6, 5, 2)") { line in
      try line.writeArray([Float](repeating: 1, count: 60), "(6, 5, 2)", to: "in.npy")
    },
    run("a flat image", 64, "(1, 60)") { line in
      try line.writeArray([Float](repeating: 1, count: 60), "(1, 60)", to: "in.npy")
    },
    run("a channel too many", 64, "(1, 6, 5, 3)") { line in
      try line.writeArray([Float](repeating: 1, count: 90), "(1, 6, 5, 3)", to: "in.npy")
    },
    run("a file that was cut off", 65, "in.npy") { line in
      try line.writeArray([Float](repeating: 1, count: 59), "(1, 6, 5, 2)", to: "in.npy")
    },
    run("values that are not numbers", 0, "not finite") { line in
      try line.writeArray([Float](repeating: .nan, count: 60), "(1, 6, 5, 2)", to: "in.npy")
    },
    run("Python objects", 65, "in.npy") { line in
      try line.folder.write(npy("|O", "(1, 6, 5, 2)", [1, 2, 3]), to: "in.npy")
    },
    run("text", 65, "in.npy") { line in
      try line.folder.write("1, 2, 3", to: "in.npy")
    },
    SilentError("run", "two inputs of other names", 64, "left") { line in
      let array = NDArray(shape: [1, 3], values: [Float](repeating: 1, count: 3))
      try writeArchive([("left", array), ("rigth", array)], to: line.folder.file("in.npz"))
      return try line.netconv(
        "run", Fixtures.path("keras/keras2-two-inputs.h5"), "--input", "in.npz")
    },
    SilentError("run", "one input of two", 64, "right") { line in
      let array = NDArray(shape: [1, 3], values: [Float](repeating: 1, count: 3))
      try writeArchive([("left", array)], to: line.folder.file("in.npz"))
      return try line.netconv(
        "run", Fixtures.path("keras/keras2-two-inputs.h5"), "--input", "in.npz")
    },
    SilentError("run", "two inputs of one shape, of which one has its name", 64, "name all arrays")
    {
      line in
      try line.writeTwoInputs()
      let array = NDArray<Float>(shape: [1, 3], values: [1, 2, 3])
      try writeArchive([("b", array), ("arr_1", array)], to: line.folder.file("in.npz"))
      return try line.netconv("run", "two", "--input", "in.npz")
    },
    SilentError("run", "two inputs of one shape without names", 0, "in order") { line in
      try line.writeTwoInputs()
      let array = NDArray<Float>(shape: [1, 3], values: [1, 2, 3])
      try writeArchive([("arr_0", array), ("arr_1", array)], to: line.folder.file("in.npz"))
      return try line.netconv("run", "two", "--input", "in.npz")
    },
    SilentError("run", "token ids that were scaled", 65, "sample 0 holds 0.125") { line in
      try line.writeArray([0.125, 0, 1, 2, 3, 4, 5, 6], "(1, 8)", to: "in.npy")
      return try line.netconv("run", Fixtures.path("metrics/words.h5"), "--input", "in.npy")
    },
    SilentError("convert", "token ids for goldens that were scaled", 65, "holds 0.125") {
      line in
      try line.writeArray([0.125, 0, 1, 2, 3, 4, 5, 6], "(1, 8)", to: "in.npy")
      return try line.netconv(
        "convert", Fixtures.path("metrics/words.h5"), "out", "--golden-inputs", "in.npy")
    },
    SilentError("run", "a layer that is not there", 64, "convv") { line in
      try TinyModel.write(to: line)
      try line.writeArray([Float](repeating: 1, count: 60), "(1, 6, 5, 2)", to: "in.npy")
      return try line.netconv("run", "blobs", "--input", "in.npy", "--layer", "convv")
    },
    SilentError("run", "--output names the network itself", 64, "m.h5") { line in
      try line.folder.copy(Fixtures.path("keras/keras2-dense-rank3.h5"), to: "m.h5")
      try line.writeArray([Float](repeating: 1, count: 60), "(1, 6, 5, 2)", to: "in.npy")
      return try line.netconv("run", "m.h5", "--input", "in.npy", "--output", "m.h5")
    },
    SilentError("run", "--output names a file that is there", 73, "out.npz") { line in
      try TinyModel.write(to: line)
      try line.writeArray([Float](repeating: 1, count: 60), "(1, 6, 5, 2)", to: "in.npy")
      try line.folder.write("mine", to: "out.npz")
      return try line.netconv("run", "blobs", "--input", "in.npy", "--output", "out.npz")
    },
    SilentError("run", "--output --force names a file that is not numpy's", 73, "out.npz") { line in
      try TinyModel.write(to: line)
      try line.writeArray([Float](repeating: 1, count: 60), "(1, 6, 5, 2)", to: "in.npy")
      try line.folder.write("mine", to: "out.npz")
      return try line.netconv("run", "blobs", "--input", "in.npy", "--output", "out.npz", "--force")
    },
    SilentError("run", "--output --force names the input", 64, "in.npy") { line in
      try TinyModel.write(to: line)
      try line.writeArray([Float](repeating: 1, count: 60), "(1, 6, 5, 2)", to: "in.npy")
      return try line.netconv("run", "blobs", "--input", "in.npy", "--output", "in.npy", "--force")
    },
  ]

  /// The input, or an activation, of a network with channels first.
  private static func channelsLast(
    _ name: String, of network: String, _ mistake: String, _ status: Int32, _ words: String
  ) -> SilentError {
    let isInput = name == "image"
    return SilentError(isInput ? "run" : "verify --reference", mistake, status, words) { _ in
      let fixture = try AxesFixture(network)
      try fixture.write(
        isInput ? [name] : ["image", name], channelsLast: [name], to: "in.npz")
      return try fixture.line.netconv(
        isInput ? "run" : "verify", fixture.path, isInput ? "--input" : "--reference", "in.npz")
    }
  }

  private static func run(
    _ mistake: String, _ status: Int32, _ words: String,
    input: @escaping @Sendable (CommandLine) throws -> Void
  ) -> SilentError {
    SilentError("run", mistake, status, words) { line in
      try TinyModel.write(to: line)
      try input(line)
      return try line.netconv("run", "blobs", "--input", "in.npy")
    }
  }
}

extension CommandLine {
  /// A network in the folder `two` that subtracts one vector of three from another.
  func writeTwoInputs() throws {
    try folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "two",
       "inputs": [{"name": "a", "shape": [3]}, {"name": "b", "shape": [3]}], "outputs": ["d"],
       "layers": [{"name": "d", "operator": "Subtract", "inputs": ["a", "b"]}]}
      """, to: "two/model.json")
  }
}
