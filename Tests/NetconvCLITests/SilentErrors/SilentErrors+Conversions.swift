import Foundation
import TestSupport

/// Sources with false metadata, and conversions that lose information.
extension SilentError {
  static let inConversions: [SilentError] =
    CommandLine.lenetFiles.flatMap { file -> [SilentError] in
      [
        source("\(file).bin is a value short", 65, "\(file).bin") { line in
          try line.change("lenet/\(file).bin") { $0.removeLast() }
        },
        source("\(file).bin has a value too many", 65, "\(file).bin") { line in
          try line.change("lenet/\(file).bin") { $0.append(0) }
        },
        source("\(file).bin holds a NaN value", 0, "infinite or NaN") { line in
          try line.change("lenet/\(file).bin") { $0[0] = .nan }
        },
      ]
    } + [
      source("half precision declared as single", 65, "conv1_W.bin") { line in
        let bytes = try line.folder.bytes("lenet/conv1_W.bin")
        try line.folder.write(bytes.prefix(bytes.count / 2), to: "lenet/conv1_W.bin")
      },
      edited("a type that does not exist", "float32", "float24", 65, "float24"),
      SilentError(
        "convert", "kernels of PyTorch for MLX, and nobody names the framework", 65, "--convention"
      ) { line in
        try line.netconv(
          "convert", Fixtures.sample("pytorch-lenet/lenet.pt"), "w.safetensors", "--weights-only",
          "--target", "mlx")
      },
      SilentError(
        "convert", "a name that ends like a model of PyTorch", 64,
        "'m.pt' ends in .pt"
      ) { line in
        try line.netconv("convert", Fixtures.sample("deep-mnist/deep-mnist.h5"), "m.pt")
      },
      SilentError(
        "convert", "a layout of inputs for a file that has no graph", 64, "none is written"
      ) { line in
        try line.netconv(
          "convert", Fixtures.sample("deep-mnist/deep-mnist.h5"), "m.npz", "--onnx-layout",
          "channels-first")
      },
      SilentError("convert", "a naming without roles", 64, "add {role} to it") { line in
        try line.netconv(
          "convert", Fixtures.sample("deep-mnist/deep-mnist.h5"), "out", "--naming", "{layer}")
      },
      SilentError(
        "convert", "a bias whose file is there, and that model.json does not list", 0,
        "1 file or tensor is not named in model.json"
      ) { line in
        try line.writeLeNet()
        try line.leaveOutLastBias()
        return try line.netconv("convert", "lenet", "out")
      },
      edited("an operator that does not exist", "MaxPooling2D", "MaxPool2D", 65, "MaxPool2D"),
      edited(
        "an attribute that does not exist", "\"dilation\"", "\"dilatation\"", 65, "dilatation"),
      edited("an activation that does not exist", "\"relu\"", "\"reul\"", 65, "reul"),
      edited("a reader of nothing", "\"conv1\"\n      ],", "\"conv0\"\n      ],", 65, "conv0"),
      edited("a kernel of another rank", "\"OIHW\"", "\"OIH\"", 65, "OIH"),
      edited(
        "a window that is too large", "\"poolSize\": [\n          2",
        "\"poolSize\": [\n          99", 65, "pool1"),
      edited(
        "an output that is not a layer", "\"outputs\": [\n    \"fc2\"",
        "\"outputs\": [\n    \"fc3\"",
        65, "fc3"),
      edited("a role that the operator does not have", "\"bias\"", "\"gamma\"", 65, "gamma"),
      edited("two layers of one name", "\"name\": \"pool2\"", "\"name\": \"pool1\"", 65, "pool1"),
      edited("more units than weights", "\"units\": 64", "\"units\": 65", 65, "fc1"),
      edited("another input size", "28,\n        28", "28,\n        30", 65, "fc1"),
      source("values that half precision cannot hold", 65, "fc1", options: "--dtype", "float16") {
        try $0.change("lenet/fc1_W.bin") { $0[9] = 1e6 }
      },
      source(
        "values that int8 cannot hold", 65, "fc1", options: "--target", "source", "--dtype", "int8"
      ) {
        try $0.change("lenet/fc1_W.bin") { $0[9] = .infinity }
      },
      source(
        "an outlier that leaves int8 no steps", 0, "'fc1' kernel", options: "--target", "source",
        "--dtype",
        "int8"
      ) {
        try $0.change("lenet/fc1_W.bin") { $0[9] = 1e6 }
      },
      SilentError("convert", "the destination is the source", 73, "which netconv did not write") {
        line in
        try line.writeLeNet()
        return try line.netconv("convert", "lenet", "lenet", "--force")
      },
      SilentError("convert", "the destination holds a user's files", 73, "mine.txt") { line in
        try line.folder.write("mine", to: "out/mine.txt")
        return try line.netconv("convert", Fixtures.sample("lenet-blobs"), "out", "--force")
      },
      SilentError("convert", "weights without their architecture", 65, "--model") { line in
        try line.netconv("convert", Fixtures.path("keras/keras2-weights-only.h5"), "out")
      },
      SilentError("convert", "layers that cannot be converted", 65, "--weights-only") { line in
        try line.netconv("convert", Fixtures.path("keras/keras2-unsupported.h5"), "out")
      },
      SilentError("convert", "a checkpoint whose weight is missing", 65, "there is no such dataset")
      { line in
        try line.netconv("convert", Fixtures.path("keras/missing-weight.h5"), "out")
      },
      SilentError(
        "convert", "a checkpoint with a weight of another shape", 65, "expected [3, 2, 2, 4]"
      ) { line in
        try line.netconv("convert", Fixtures.path("keras/wrong-shape.h5"), "out")
      },
      SilentError(
        "convert", "a checkpoint with a weight too many", 65,
        "a weight 'scale' that the layer does not have"
      ) { line in
        try line.netconv("convert", Fixtures.path("keras/extra-weight.h5"), "out")
      },
      SilentError(
        "convert", "a checkpoint without a layer's group", 65, "the weight 'kernel' is missing"
      ) { line in
        try line.netconv("convert", Fixtures.path("keras/missing-layer.h5"), "out")
      },
      SilentError("convert", "weights that are not finite in a checkpoint", 0, "infinite or NaN") {
        try $0.netconv("convert", Fixtures.path("keras/not-finite.h5"), "out")
      },
    ]

  private static func edited(
    _ mistake: String, _ text: String, _ other: String, _ status: Int32, _ words: String
  ) -> SilentError {
    source(mistake, status, words) { line in
      try line.replace(text, with: other, in: "lenet/model.json")
    }
  }

  private static func source(
    _ mistake: String, _ status: Int32, _ words: String, options: String...,
    change: @escaping @Sendable (CommandLine) throws -> Void
  ) -> SilentError {
    SilentError("convert", mistake, status, words) { line in
      try line.writeLeNet()
      try change(line)
      return try NetconvProcess.run(["convert", "lenet", "out"] + options, in: line.folder.path)
    }
  }
}
