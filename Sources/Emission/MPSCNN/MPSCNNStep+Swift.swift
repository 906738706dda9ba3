import Operators

extension MPSCNNStep.Kernel {
  /// The class.
  ///
  /// - Parameter name: what the package is called.
  func type(in name: PackageName) -> String {
    switch self {
    case .convolution: "MPSCNNConvolution"
    case .transposedConvolution: "MPSCNNConvolutionTranspose"
    case .fullyConnected: "MPSCNNFullyConnected"
    case .pooling(let pooling): pooling.isMaximum ? "MPSCNNPoolingMax" : "MPSCNNPoolingAverage"
    case .neuron, .slopes, .crop: "MPSCNNNeuron"
    case .softMax: "MPSCNNSoftMax"
    case .logSoftMax: "MPSCNNLogSoftMax"
    case .normalization: "MPSCNNBatchNormalization"
    case .upsampling: "MPSCNNUpsamplingNearest"
    case .arithmetic(let arithmetic): "MPSCNN" + arithmetic.function.rawValue
    case .concatenation: "\(name)Concatenation"
    }
  }

  /// The function of the package that makes it, if there is one.
  var function: String? {
    switch self {
    case .convolution(let convolution):
      convolution.isDepthwise ? "depthwiseConvolution" : "convolution"
    case .transposedConvolution: "transposedConvolution"
    case .fullyConnected: "fullyConnected"
    case .slopes: "rectifier"
    case .pooling(let pooling): pooling.isMaximum ? "maxPooling" : "averagePooling"
    default: nil
    }
  }

  /// Whether it reads a kernel and a bias.
  var readsWeights: Bool {
    switch self {
    case .convolution, .transposedConvolution, .fullyConnected: true
    default: false
    }
  }

  /// What makes it, and with which arguments; `layer` is a literal.
  func making(
    layer: String, in name: PackageName
  ) -> (function: String, arguments: [String?]) {
    let type = type(in: name)
    switch self {
    case .convolution(let convolution), .transposedConvolution(let convolution):
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
          "dataSource: try \(name)Normalization(\(layer), channels: \(channels), "
            + "epsilon: \(Float(epsilon)), archive)",
        ]
      )
    case .concatenation(let channels):
      return (type, ["device: device", "channels: \(channels)"])
    case .slopes(let channels):
      return ("try kernels.rectifier", [layer, "channels: \(channels)"])
    case .upsampling(let size):
      return (
        type,
        [
          "device: device", "integerScaleFactorX: \(size.width)",
          "integerScaleFactorY: \(size.height)",
        ]
      )
    case .crop:
      return (
        type,
        ["device: device", "neuronDescriptor: \(MPSCNNNeuron.descriptor(".none"))"]
      )
    case .softMax, .logSoftMax, .arithmetic: return (type, ["device: device"])
    }
  }

  /// Statements that follow when it is made, `kernel` being its property.
  func settings(_ kernel: String) -> [String] {
    switch self {
    case .arithmetic(let arithmetic): arithmetic.settings(kernel)
    case .crop(let corner):
      ["\(kernel).offset = MPSOffset(x: \(corner.left), y: \(corner.top), z: 0)"]
    default: []
    }
  }
}

extension MPSCNNStep.Arithmetic {
  fileprivate func settings(_ kernel: String) -> [String] {
    var settings: [String] = []
    if let scale {
      settings.append(
        "(\(kernel).primaryScale, \(kernel).secondaryScale) = (\(Float(scale)), \(Float(scale)))")
    }
    switch limit {
    case .atLeastZero: settings.append("\(kernel).minimumValue = 0")
    case .atMostZero: settings.append("\(kernel).maximumValue = 0")
    case nil: break
    }
    return settings + primary.settings("\(kernel).primary")
      + secondary.settings("\(kernel).secondary")
  }
}

extension MPSCNNStep.Convolution {
  fileprivate func arguments(_ layer: String) -> [String?] {
    [
      layer, role == "kernel" ? nil : "role: \(SwiftText.literal(role))",
      "kernel: \(size(window.size))",
      isDepthwise ? "channels: \(channels)" : "channels: (from: \(channels), to: \(outputs))",
      window.strides == .one ? nil : "stride: \(distance(window.strides))",
      window.dilation == .one ? nil : "dilation: \(distance(window.dilation))",
      groups == 1 ? nil : "groups: \(groups)", padding.argument, hasBias ? nil : "bias: false",
      neuron.map { "neuron: " + $0 },
    ]
  }
}

extension MPSCNNStep.Spread {
  /// A stride of 0 stays at the only value.
  fileprivate func settings(_ prefix: String) -> [String] {
    [
      columns ? "\(prefix)StrideInPixelsX = 0" : nil, rows ? "\(prefix)StrideInPixelsY = 0" : nil,
      channels ? "\(prefix)StrideInFeatureChannels = 0" : nil,
    ].compactMap(\.self)
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
