import ModelIR
import Operators

/// Attributes that several operators have, and the same operators with others.
extension Operator {
  /// The function that is applied to the result, if the operator can have one.
  var activationFunction: ActivationFunction? {
    switch self {
    case let layer as Convolution2D: layer.activation
    case let layer as DepthwiseConvolution2D: layer.activation
    case let layer as SeparableConvolution2D: layer.activation
    case let layer as TransposedConvolution2D: layer.activation
    case let layer as Dense: layer.activation
    case let layer as Activation: layer.function
    default: nil
    }
  }

  /// The operator with another function applied to the result; itself if it has none.
  func with(activation: ActivationFunction) -> any Operator {
    switch self {
    case let layer as Convolution2D:
      Convolution2D(
        outputChannels: layer.outputChannels, kernelSize: layer.kernelSize, strides: layer.strides,
        dilation: layer.dilation, groups: layer.groups, padding: layer.padding,
        activation: activation)
    case let layer as DepthwiseConvolution2D:
      DepthwiseConvolution2D(
        kernelSize: layer.kernelSize, depthMultiplier: layer.depthMultiplier,
        strides: layer.strides, dilation: layer.dilation, padding: layer.padding,
        activation: activation)
    case let layer as SeparableConvolution2D:
      SeparableConvolution2D(
        outputChannels: layer.outputChannels, kernelSize: layer.kernelSize,
        depthMultiplier: layer.depthMultiplier, strides: layer.strides, dilation: layer.dilation,
        padding: layer.padding, activation: activation)
    case let layer as TransposedConvolution2D:
      TransposedConvolution2D(
        outputChannels: layer.outputChannels, kernelSize: layer.kernelSize, strides: layer.strides,
        dilation: layer.dilation, padding: layer.padding, outputPadding: layer.outputPadding,
        activation: activation)
    case let layer as Dense: Dense(units: layer.units, activation: activation)
    case is Activation: Activation(activation)
    default: self
    }
  }

  /// What is added to a variance, if the operator does that.
  var varianceEpsilon: Double? {
    switch self {
    case let layer as BatchNormalization: layer.epsilon
    case let layer as LayerNormalization: layer.epsilon
    case let layer as GroupNormalization: layer.epsilon
    case let layer as RMSNormalization: layer.epsilon
    default: nil
    }
  }

  /// The operator with another number added to its variance; itself if it adds none.
  func with(varianceEpsilon: Double) -> any Operator {
    switch self {
    case let layer as BatchNormalization:
      BatchNormalization(epsilon: varianceEpsilon, axis: layer.axis)
    case let layer as LayerNormalization:
      LayerNormalization(
        epsilon: varianceEpsilon, axis: layer.axis, subtractsMean: layer.subtractsMean)
    case let layer as GroupNormalization:
      GroupNormalization(groups: layer.groups, epsilon: varianceEpsilon, axis: layer.axis)
    case let layer as RMSNormalization: RMSNormalization(epsilon: varianceEpsilon, axis: layer.axis)
    default: self
    }
  }

  /// The sliding window, if the operator has one that moves over its input.
  var slidingWindow: Window2D? {
    switch self {
    case let layer as Convolution2D: layer.window
    case let layer as DepthwiseConvolution2D: layer.window
    case let layer as SeparableConvolution2D:
      Window2D(
        size: layer.kernelSize, strides: layer.strides, dilation: layer.dilation,
        padding: layer.padding)
    case let layer as MaxPooling2D: layer.window
    case let layer as AveragePooling2D: layer.window
    default: nil
    }
  }

  /// The operator with another window; itself if it has none that moves over its input.
  func with(window: Window2D) -> any Operator {
    switch self {
    case let layer as Convolution2D:
      Convolution2D(
        outputChannels: layer.outputChannels, kernelSize: window.size, strides: window.strides,
        dilation: window.dilation, groups: layer.groups, padding: window.padding,
        activation: layer.activation)
    case let layer as DepthwiseConvolution2D:
      DepthwiseConvolution2D(
        kernelSize: window.size, depthMultiplier: layer.depthMultiplier, strides: window.strides,
        dilation: window.dilation, padding: window.padding, activation: layer.activation)
    case let layer as SeparableConvolution2D:
      SeparableConvolution2D(
        outputChannels: layer.outputChannels, kernelSize: window.size,
        depthMultiplier: layer.depthMultiplier, strides: window.strides, dilation: window.dilation,
        padding: window.padding, activation: layer.activation)
    case is MaxPooling2D:
      MaxPooling2D(poolSize: window.size, strides: window.strides, padding: window.padding)
    case is AveragePooling2D:
      AveragePooling2D(poolSize: window.size, strides: window.strides, padding: window.padding)
    default: self
    }
  }
}

extension ActivationFunction {
  /// What people call it: `relu`, `leakyReLU(0.2)`.
  var text: String {
    switch self {
    case .linear: "linear"
    case .relu(let most, let slope, let threshold):
      self == .relu
        ? "relu"
        : self == .relu6
          ? "relu6"
          : "relu(max \(most.map { "\($0)" } ?? "none"), slope \(slope), threshold \(threshold))"
    case .leakyReLU(let slope): "leakyReLU(\(slope))"
    case .elu(let alpha): alpha == 1 ? "elu" : "elu(\(alpha))"
    case .softmax: "softmax"
    case .logSoftmax: "logSoftmax"
    case .hardSigmoid(let slope): "hardSigmoid(slope \(slope))"
    case .gelu(let approximate): approximate ? "gelu (with tanh)" : "gelu"
    case .celu(let alpha): "celu(\(alpha))"
    case .hardShrink(let threshold): "hardShrink(\(threshold))"
    case .softShrink(let threshold): "softShrink(\(threshold))"
    case .squareplus(let b): "squareplus(\(b))"
    case .threshold(let threshold, let value): "threshold(\(threshold), \(value))"
    case .sigmoid, .tanh, .exponential, .softplus, .softsign, .hardTanh, .silu, .hardSilu, .selu,
      .mish, .logSigmoid, .tanhShrink, .sparsePlus, .sparseSigmoid:
      "\(self)"
    }
  }
}
