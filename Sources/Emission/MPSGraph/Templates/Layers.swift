extension MPSGraphTemplates {
  /// What adds layers to the graph: the functions in `helpers`.
  func layers(_ helpers: Set<MPSGraphHelper>, storesHalves: Bool) -> String {
    let functions = MPSGraphHelper.allCases.filter(helpers.contains).map {
      text(of: $0, storesHalves: storesHalves)
    }
    return """
      import Foundation
      import MetalPerformanceShadersGraph

      \(storesHalves ? halfLayers : floatLayers)
      struct \(name)Layers {
        let graph: MPSGraph
        let archive: \(name)Archive

      \(functions.joined(separator: "\n\n"))
      }
      """
  }

  /// What is said about images and numbers.
  private var halfLayers: String {
    #"""
    /// Adds layers to the graph, with their parameters from the archive.
    ///
    /// The batch is in front; images are NHWC, that is batch, height, width and channels.
    ///
    /// A graph rounds what each operation gives to the type of its tensors. Convolutions and matrix products of halves
    /// are what a device does fastest, and MPSGraph leaves no choice of what they add up in; the bias and the rectifier
    /// behind them lose little. All of these stay halves. What takes several operations, or needs parameters that
    /// halves do not hold, is computed in floats, and is rounded when it is complete.
    """#
  }

  private var floatLayers: String {
    #"""
    /// Adds layers to the graph, with their parameters from the archive.
    ///
    /// The batch is in front; images are NHWC, that is batch, height, width and channels.
    """#
  }

  private var inFloats: String {
    #"""
      /// Computes in floats, and rounds the result.
      func inFloats(
        _ source: MPSGraphTensor, name: String? = nil,
        _ function: (MPSGraphTensor) throws -> MPSGraphTensor
      ) rethrows -> MPSGraphTensor {
        let result = try function(graph.cast(source, to: .float32, name: nil))
        return graph.cast(result, to: \#(name).format, name: name)
      }
    """#
  }

  private func text(of helper: MPSGraphHelper, storesHalves: Bool) -> String {
    switch helper {
    case .inFloats: inFloats
    case .kernel: kernel
    case .parameter: parameter
    case .bias: storesHalves ? halfBias : floatBias
    case .convolution: convolution
    case .depthwiseConvolution: depthwiseConvolution
    case .fullyConnected: fullyConnected
    case .poolingDescriptor: poolingDescriptor
    case .maxPooling: maxPooling
    case .averagePooling: averagePooling
    case .normalization: normalization
    case .layerNormalization: layerNormalization
    case .rescaled: rescaled
    case .number: number
    case .clamp: clamp
    case .rectifier: rectifier
    case .elu: elu
    case .celu: celu
    case .softPlus: softPlus
    case .logSigmoid: logSigmoid
    case .softSign: softSign
    case .hardSigmoid: hardSigmoid
    case .silu: silu
    case .hardSilu: hardSilu
    case .gelu: gelu
    case .geluTanh: geluTanh
    case .mish: mish
    case .softShrink: softShrink
    case .tanhShrink: tanhShrink
    case .squarePlus: squarePlus
    case .sparsePlus: sparsePlus
    case .logSoftMax: logSoftMax
    case .softMax: softMax
    }
  }

  // MARK: - Parameters

  /// How constants read a tensor's values.
  var tensorValues: String {
    #"""
      /// The values where they lie; whoever holds them keeps the archive mapped.
      var data: Data {
        Data(
          bytesNoCopy: pointer, count: count * (isHalf ? 2 : 4),
          deallocator: .custom { _, _ in withExtendedLifetime(archive) {} })
      }
    """#
  }

  private var kernel: String {
    #"""
      /// A kernel where it lies in the archive, which stays mapped for as long as the graph has the data.
      func kernel(_ layer: String, _ role: String, shape: [Int]) throws -> MPSGraphTensor {
        guard let kernel = archive.tensor(layer, role), kernel.shape == shape,
          kernel.isHalf == (\#(name).format == .float16)
        else { throw \#(name)Error("the \(role) of \(layer) is missing, or is no \(shape)") }
        return graph.constant(
          kernel.data, shape: shape.map { NSNumber(value: $0) }, dataType: \#(name).format)
      }
    """#
  }

  private var parameter: String {
    #"""
      /// Floats of the archive, whatever kernels are.
      ///
      /// - Parameter shape: that of tensors of the network; where it is 1, all values get the same number.
      func parameter(_ layer: String, _ role: String, shape: [Int]) throws -> MPSGraphTensor {
        guard let parameter = archive.tensor(layer, role), !parameter.isHalf,
          parameter.count == shape.reduce(1, *)
        else { throw \#(name)Error("the \(role) of \(layer) is missing, or is no \(shape)") }
        return graph.constant(
          parameter.data, shape: shape.map { NSNumber(value: $0) }, dataType: .float32)
      }
    """#
  }

  private var halfBias: String {
    #"""
      /// Adds a bias, one number for each channel; it is rounded once, when the graph is compiled.
      func bias(_ layer: String, channels: Int, to sums: MPSGraphTensor) throws -> MPSGraphTensor {
        let bias = try parameter(layer, "bias", shape: [channels])
        return graph.addition(
          sums, graph.cast(bias, to: \#(name).format, name: nil), name: "\(layer)_bias")
      }
    """#
  }

  private var floatBias: String {
    #"""
      /// Adds a bias, one number for each channel.
      func bias(_ layer: String, channels: Int, to sums: MPSGraphTensor) throws -> MPSGraphTensor {
        graph.addition(
          sums, try parameter(layer, "bias", shape: [channels]), name: "\(layer)_bias")
      }
    """#
  }
}
