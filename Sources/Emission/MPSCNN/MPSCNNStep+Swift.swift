import Operators

extension MPSCNNStep.Kernel {
  /// The class.
  var type: String {
    switch self {
    case .convolution: "MPSCNNConvolution"
    case .fullyConnected: "MPSCNNFullyConnected"
    case .pooling(let pooling): pooling.isMaximum ? "MPSCNNPoolingMax" : "MPSCNNPoolingAverage"
    case .neuron: "MPSCNNNeuron"
    case .softMax: "MPSCNNSoftMax"
    case .logSoftMax: "MPSCNNLogSoftMax"
    case .normalization: "MPSCNNBatchNormalization"
    case .add: "MPSCNNAdd"
    case .concatenation: "NAMEConcatenation"
    }
  }

  /// The function of `NAMEKernels` that makes it, if there is one.
  var function: String? {
    switch self {
    case .convolution(let convolution):
      convolution.isDepthwise ? "depthwiseConvolution" : "convolution"
    case .fullyConnected: "fullyConnected"
    case .pooling(let pooling): pooling.isMaximum ? "maxPooling" : "averagePooling"
    default: nil
    }
  }

  /// Whether it reads a kernel and a bias.
  var readsWeights: Bool {
    switch self {
    case .convolution, .fullyConnected: true
    default: false
    }
  }

  /// What makes it, and with which arguments; `layer` is a literal.
  func making(layer: String) -> (function: String, arguments: [String?]) {
    switch self {
    case .convolution(let convolution):
      return ("try kernels." + (function ?? ""), convolution.arguments(layer))
    case .fullyConnected(let connected):
      let image = connected.image
      return (
        "try kernels.fullyConnected",
        [
          layer,
          "image: (height: \(image.height), width: \(image.width), channels: \(image.channels))",
          "to: \(connected.outputs)", connected.hasBias ? nil : "bias: false",
          connected.neuron.map { "neuron: " + $0 },
        ]
      )
    case .pooling(let pooling): return ("kernels." + (function ?? ""), pooling.arguments)
    case .neuron(let text): return (type, ["device: device", "neuronDescriptor: \(text)"])
    case .normalization(let channels, let epsilon):
      return (
        type,
        [
          "device: device",
          "dataSource: try NAMENormalization(\(layer), channels: \(channels), "
            + "epsilon: \(Float(epsilon)), archive)",
        ]
      )
    case .concatenation(let channels):
      return (type, ["device: device", "channels: \(channels)"])
    case .softMax, .logSoftMax, .add: return (type, ["device: device"])
    }
  }
}

extension MPSCNNStep.Convolution {
  fileprivate func arguments(_ layer: String) -> [String?] {
    [
      layer, "kernel: \(size(window.size))",
      isDepthwise ? "channels: \(channels)" : "channels: (from: \(channels), to: \(outputs))",
      window.strides == .one ? nil : "stride: \(distance(window.strides))",
      window.dilation == .one ? nil : "dilation: \(distance(window.dilation))",
      groups == 1 ? nil : "groups: \(groups)", padding.argument, hasBias ? nil : "bias: false",
      neuron.map { "neuron: " + $0 },
    ]
  }
}

extension MPSCNNStep.Pooling {
  fileprivate var arguments: [String?] {
    [
      "window: \(size(window.size))", "stride: \(distance(window.strides))", padding.argument,
      countsZeros && reachesOutside ? "edge: .zero" : nil,
    ]
  }
}

extension MPSCNNStep.Corner {
  fileprivate var argument: String? {
    left == 0 && top == 0 ? nil : "padding: (left: \(left), top: \(top))"
  }
}

private func size(_ size: Size2D) -> String { "(width: \(size.width), height: \(size.height))" }

private func distance(_ size: Size2D) -> String { "(x: \(size.width), y: \(size.height))" }
