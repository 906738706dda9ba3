import Benchmark
import Execution
import ModelDSL

/// Layers that the fast engine runs on one core, against the most that the core can do.
struct KernelCase: Sendable {
  let name: String
  let bound: Bound
  let layers: [LayerCase]

  /// What the layers are measured against.
  enum Bound {
    /// Multiplications and additions in registers only, with the same vector instructions.
    case arithmetic
    /// memcpy that reads and writes as many bytes in all.
    case memory
  }

  static let all = [
    KernelCase(
      name: "Deep MNIST", bound: .arithmetic,
      layers: [
        LayerCase(28, 28, 1, images: 64, convolution(5, 32)),
        LayerCase(14, 14, 32, images: 64, convolution(5, 64)),
        LayerCase(7, 7, 64, images: 64, dense(1024)),
      ]),
    KernelCase(
      name: "Deep MNIST poolings", bound: .memory,
      layers: [
        LayerCase(28, 28, 32, images: 64, MaxPooling(kernel: (2, 2))),
        LayerCase(14, 14, 64, images: 64, MaxPooling(kernel: (2, 2))),
      ]),
    KernelCase(
      name: "convolution 3x3", bound: .arithmetic,
      layers: [LayerCase(56, 56, 128, convolution(3, 128))]),
    KernelCase(
      name: "deep convolution 3x3", bound: .arithmetic,
      layers: [LayerCase(14, 14, 512, convolution(3, 512))]),
    KernelCase(
      name: "pointwise convolution", bound: .arithmetic,
      layers: [LayerCase(28, 28, 256, convolution(1, 512))]),
    KernelCase(
      name: "dense", bound: .arithmetic, layers: [LayerCase(1, 1, 2048, images: 64, dense(2048))]),
    KernelCase(
      name: "dense of one image", bound: .memory, layers: [LayerCase(1, 1, 4096, dense(4096))]),
    KernelCase(
      name: "depthwise convolution 3x3", bound: .arithmetic,
      layers: [LayerCase(56, 56, 144, DepthwiseConvolution(kernel: (3, 3), name: "layer"))]),
    KernelCase(
      name: "max pooling 2x2", bound: .memory,
      layers: [LayerCase(112, 112, 64, MaxPooling(kernel: (2, 2)))]),
    KernelCase(
      name: "average pooling 2x2", bound: .memory,
      layers: [LayerCase(112, 112, 64, AveragePooling(kernel: (2, 2)))]),
    KernelCase(
      name: "global average pooling", bound: .memory,
      layers: [LayerCase(7, 7, 2048, images: 8, GlobalAveragePooling())]),
  ]

  private static func convolution(_ size: Int, _ channels: Int) -> Convolution {
    Convolution(kernel: (size, size), channels: channels, activation: .relu, name: "layer")
  }

  private static func dense(_ neurons: Int) -> Dense {
    Dense(neurons: neurons, activation: .relu, name: "layer")
  }

  func add(on level: CPULevel) {
    Benchmark("\(name) \(level.name)") { (benchmark, kernel: PreparedKernel) in
      benchmark.measure {
        try kernel.run()
      } against: {
        kernel.runBound()
      }
    } setup: {
      try PreparedKernel(self, level)
    }
  }
}
