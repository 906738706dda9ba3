import Datasets
import ModelIR
import TestSupport
import Testing

/// Loaders that read the probe's weights in a wrong way.
extension SilentError {
  static let inProbes: [SilentError] =
    permutations([0, 1, 2, 3]).filter { $0 != [0, 1, 2, 3] }.map { order in
      let axes = order.map { Array("OHWI")[$0] }.map { String($0) }.joined()
      return probe("the convolution's kernel put in the order \(axes)", "conv kernel") { seen in
        seen["conv_W"] = transposed(seen["conv_W"] ?? [], [5, 3, 4, 2], order)
      }
    } + [
      probe("OHWI mistaken for HWIO, saved with its shape", "conv kernel", shape: [3, 4, 2, 5]) {
        _ in
      },
      probe("OHWI mistaken for OIHW, saved with its shape", "conv kernel", shape: [5, 2, 3, 4]) {
        _ in
      },
      probe("OHWI mistaken for OWHI, saved with its shape", "conv kernel", shape: [5, 4, 3, 2]) {
        _ in
      },
      probe("OHWI flattened to a matrix of the wrong sides", "conv kernel", shape: [24, 5]) { _ in
      },
      probe("a kernel rotated", "depthwise kernel") { seen in
        let values = seen["depthwise_W"] ?? []
        seen["depthwise_W"] = stride(from: 0, to: values.count, by: 6).flatMap {
          values[$0..<$0 + 6].reversed()
        }
      },
      probe("a matrix transposed", "dense kernel") { seen in
        seen["dense_W"] = transposed(seen["dense_W"] ?? [], [4, 30], [1, 0])
      },
      probe("values that begin too late", "dense kernel") { seen in
        seen["dense_W"] = (seen["dense_W"] ?? []).dropFirst() + [0]
      },
      probe("values in the other byte order", "dense kernel") { seen in
        seen["dense_W"] = (seen["dense_W"] ?? []).map {
          Float(bitPattern: $0.bitPattern.byteSwapped)
        }
      },
      probe("gamma and beta swapped", "norm gamma") { seen in
        (seen["norm_gamma"], seen["norm_beta"]) = (seen["norm_beta"], seen["norm_gamma"])
      },
      probe("a bias that is zero", "conv bias") { seen in
        seen["conv_b"] = seen["conv_b"]?.map { _ in 0 }
      },
      probe("values that are not numbers", "conv bias") { seen in
        seen["conv_b"] = seen["conv_b"]?.map { _ in .nan }
      },
      probe("a tensor of no values", "conv bias") { seen in seen["conv_b"] = [] },
      SilentError("probe --check", "a tensor was left out", 65, "dense_b") { line in
        try line.check { $0["dense_b"] = nil }
      },
      SilentError("probe --check", "a name that is not the probe's", 65, "dense_bias") { line in
        try line.check { $0["dense_bias"] = $0.removeValue(forKey: "dense_b") }
      },
    ]

  private static func probe(
    _ mistake: String, _ words: String, shape: [Int]? = nil,
    change: @escaping @Sendable (inout [String: [Float]]) -> Void
  ) -> SilentError {
    SilentError("probe --check", mistake, 1, words) { line in
      try line.check(shape: shape, change)
    }
  }
}

extension CommandLine {
  /// Writes a probe and a loader's answer, and checks it; `shape` is that of the convolution's kernel.
  func check(
    shape: [Int]? = nil, _ change: (inout [String: [Float]]) -> Void
  ) throws -> NetconvProcess.Result {
    try prepare("probe", "probe", "-q")
    let document = try jsonObject(try folder.bytes("probe/probe.json"))
    var seen: [String: [Float]] = [:]
    for tensor in document["tensors"] as? [[String: Any]] ?? [] {
      guard let name = tensor["name"] as? String, let file = tensor["file"] as? String else {
        continue
      }
      seen[name] = try floats("probe/" + file)
    }
    change(&seen)
    try writeArchive(
      seen.sorted { $0.key < $1.key }.map { name, values in
        let own = name == "conv_W" ? shape : nil
        return (name, NDArray(shape: own ?? [values.count], values: values))
      }, to: folder.file("probe/seen.npz"))
    return try netconv("probe", "--check", "probe/seen.npz")
  }
}
