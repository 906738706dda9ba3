import ModelIR
import TestSupport

/// Weights that are read in a way in which they were not written, held against the source.
extension SilentError {
  /// Other layouts with as many values as the right one, for each kernel.
  static let inDeclaredLayouts: [SilentError] =
    others(than: "OIHW").map { declared("conv2", "OIHW", $0) }
    // With one channel, only the order of the other axes counts.
    + ["OIWH", "HOIW", "HIWO", "WIOH", "WHOI"].map { declared("conv1", "OIHW", $0) }
    + ["(HWI)O", "(HIW)O", "(WHI)O", "(IWH)O", "(WIH)O", "O(IHW)", "O(HWI)", "O(WHI)"].map {
      declared("fc1", "(IHW)O", $0)
    }
    + [declared("fc2", "OI", "IO")]

  private static func others(than layout: String) -> [String] {
    permutations(Array(layout)).map { String($0) }.filter { $0 != layout }
  }

  private static func declared(_ layer: String, _ right: String, _ wrong: String) -> SilentError {
    against("\(layer)'s kernel, \(right), declared as \(wrong)", layer) { line in
      let file = "\"file\": \"\(layer)_W.bin\",\n          \"dtype\": \"float32\",\n          "
      try line.replace(
        "\(file)\"layout\": \"\(right)\"", with: "\(file)\"layout\": \"\(wrong)\"",
        in: "lenet/model.json")
    }
  }

  /// A copy of LeNet with a mistake, verified against the correct one.
  static func against(
    _ mistake: String, _ layer: String, change: @escaping @Sendable (CommandLine) throws -> Void
  ) -> SilentError {
    SilentError("verify --against", mistake, 1, "'\(layer)' is the first layer") { line in
      try line.writeLeNet()
      try change(line)
      return try line.netconv(
        "verify", "lenet", "--against", Fixtures.sample("lenet-blobs"), "--limit", "50")
    }
  }

  static let inValues: [SilentError] =
    CommandLine.lenetFiles.flatMap { file -> [SilentError] in
      let layer = String(file.dropLast(2))
      return [
        against("\(file) in the other byte order", layer) { line in
          try line.change("lenet/\(file).bin") {
            $0 = $0.map { Float(bitPattern: $0.bitPattern.byteSwapped) }
          }
        },
        against("\(file) begins one value too late", layer) { line in
          try line.change("lenet/\(file).bin") { $0 = $0.dropFirst() + [0] }
        },
        against("\(file) of another network of the same sizes", layer) { line in
          try line.writeOtherWeights([file])
        },
        against("\(file) is zero", layer) { line in
          try line.change("lenet/\(file).bin") { $0 = $0.map { _ in 0 } }
        },
        against("\(file) holds a NaN value", layer) { line in
          try line.change("lenet/\(file).bin") { $0[$0.count / 3] = .nan }
        },
      ]
    } + [
      kernel("turned upside down", "conv2", [16, 8, 5, 3], along: [2]),
      kernel("mirrored", "conv2", [16, 8, 5, 3], along: [3]),
      kernel("rotated", "conv2", [16, 8, 5, 3], along: [2, 3]),
      kernel("turned upside down", "conv1", [8, 1, 5, 3], along: [2]),
      kernel("mirrored", "conv1", [8, 1, 5, 3], along: [3]),
      kernel("rotated", "conv1", [8, 1, 5, 3], along: [2, 3]),
    ]

  private static func kernel(
    _ mistake: String, _ layer: String, _ sizes: [Int], along axes: Set<Int>
  ) -> SilentError {
    against("\(layer)'s kernel \(mistake)", layer) { line in
      try line.change("lenet/\(layer)_W.bin") { values in
        values = values.indices.map { index in
          var (rest, source, stride) = (index, 0, 1)
          for axis in sizes.indices.reversed() {
            let place = rest % sizes[axis]
            source += (axes.contains(axis) ? sizes[axis] - 1 - place : place) * stride
            stride *= sizes[axis]
            rest /= sizes[axis]
          }
          return values[source]
        }
      }
    }
  }

  static let inAttributes: [SilentError] = [
    attribute("the first activation is missing", "conv1", "\"activation\": \"relu\"", "linear"),
    attribute("another first activation", "conv1", "\"activation\": \"relu\"", "tanh"),
    attribute("softmax is missing", "fc2", "\"activation\": \"softmax\"", "linear"),
    attribute("softmax is a sigmoid", "fc2", "\"activation\": \"softmax\"", "sigmoid"),
    against("a pooling takes the mean instead of the maximum", "pool1") { line in
      try line.replace("MaxPooling2D", with: "AveragePooling2D", in: "lenet/model.json")
    },
    against("height and width of every window are swapped, so that shapes differ", "conv1") {
      line in
      try line.replace(
        "5,\n          3\n        ]", with: "3,\n          5\n        ]", in: "lenet/model.json")
    },
    against("the bias of the last layer is left out", "fc2") { line in
      try line.leaveOutLastBias()
    },
    against("the pixels' scale is that of bytes that were scaled before", "image") { line in
      try line.replace("0.00392156862745098", with: "1", in: "lenet/model.json")
    },
    against("the pixels' scale is applied twice", "image") { line in
      try line.replace("0.00392156862745098", with: "0.0000153787", in: "lenet/model.json")
    },
    against("the pixels have an offset", "image") { line in
      try line.replace("\"offset\": 0", with: "\"offset\": -0.5", in: "lenet/model.json")
    },
  ]

  private static func attribute(
    _ mistake: String, _ layer: String, _ text: String, _ activation: String
  ) -> SilentError {
    against(mistake, layer) { line in
      try line.replace(
        text, with: "\"activation\": \"\(activation)\"", in: "lenet/model.json")
    }
  }
}
