import ModelIR
import Operators

// Layers with kernels, and normalisations.
extension DSLPhrase {
  static func sum(
    _ operation: any SummingOperator, _ layer: Layer, rank: Int
  ) throws(NetconvError) -> DSLPhrase {
    let end = [
      operation.activation.isLinear ? nil : "activation: " + operation.activation.swiftText,
      layer.parameter(.bias) == nil ? "useBias: false" : nil,
    ]
    switch operation {
    case let operation as Convolution2D: return convolution(operation, end)
    case let operation as Convolution1D: return convolution(operation, end)
    case let operation as DepthwiseConvolution2D: return depthwise(operation, end)
    case let operation as DepthwiseConvolution1D: return depthwise(operation, end)
    case let operation as SeparableConvolution2D: return separable(operation, end)
    case let operation as SeparableConvolution1D: return separable(operation, end)
    case let operation as TransposedConvolution2D: return transposed(operation, end)
    case let operation as TransposedConvolution1D: return transposed(operation, end)
    case let operation as Dense:
      return DSLPhrase(
        "Dense",
        ["neurons: \(operation.units)"] + end + [rank == 1 ? nil : "flattens: false"])
    default: throw .noWord(type(of: operation).name)
    }
  }

  private static func convolution<Space: DSLAxes>(
    _ operation: SpatialConvolution<Space>, _ end: [String?]
  ) -> DSLPhrase {
    DSLPhrase(
      "Convolution" + Space.ending,
      [
        "kernel: \(operation.kernelSize.spoken)", "channels: \(operation.outputChannels)",
        steps("stride", operation.strides), steps("dilation", operation.dilation),
        operation.groups == 1 ? nil : "groups: \(operation.groups)", padding(operation.padding),
      ] + end)
  }

  private static func depthwise<Space: DSLAxes>(
    _ operation: SpatialDepthwiseConvolution<Space>, _ end: [String?]
  ) -> DSLPhrase {
    DSLPhrase(
      "DepthwiseConvolution" + Space.ending,
      [
        "kernel: \(operation.kernelSize.spoken)", multiplier(operation.depthMultiplier),
        steps("stride", operation.strides), steps("dilation", operation.dilation),
        padding(operation.padding),
      ] + end)
  }

  private static func separable<Space: DSLAxes>(
    _ operation: SpatialSeparableConvolution<Space>, _ end: [String?]
  ) -> DSLPhrase {
    DSLPhrase(
      "SeparableConvolution" + Space.ending,
      [
        "kernel: \(operation.kernelSize.spoken)", "channels: \(operation.outputChannels)",
        multiplier(operation.depthMultiplier), steps("stride", operation.strides),
        steps("dilation", operation.dilation), padding(operation.padding),
      ] + end)
  }

  private static func transposed<Space: DSLAxes>(
    _ operation: SpatialTransposedConvolution<Space>, _ end: [String?]
  ) -> DSLPhrase {
    DSLPhrase(
      "TransposedConvolution" + Space.ending,
      [
        "kernel: \(operation.kernelSize.spoken)", "channels: \(operation.outputChannels)",
        steps("stride", operation.strides), steps("dilation", operation.dilation),
        padding(operation.padding), operation.outputPadding.map { "outputPadding: \($0.spoken)" },
      ] + end)
  }

  /// A locally connected layer: a convolution with a separate kernel at each output position.
  static func local<Space: DSLAxes>(
    _ operation: SpatialLocallyConnected<Space>, _ layer: Layer
  ) -> DSLPhrase {
    DSLPhrase(
      "LocallyConnected" + Space.ending,
      [
        "kernel: \(operation.kernelSize.spoken)", "channels: \(operation.outputChannels)",
        steps("stride", operation.strides),
        operation.activation.isLinear ? nil : "activation: " + operation.activation.swiftText,
        layer.parameter(.bias) == nil ? "useBias: false" : nil,
      ])
  }

  static func steps<Space: DSLAxes>(
    _ label: String, _ size: SpatialSize<Space>
  ) -> String? {
    size == .one ? nil : "\(label): \(size.spoken)"
  }

  static func padding(_ padding: Padding) -> String? {
    padding == .same ? nil : "padding: .\(padding.swiftText)"
  }

  private static func multiplier(_ multiplier: Int) -> String? {
    multiplier == 1 ? nil : "multiplier: \(multiplier)"
  }

  /// A normalisation, with or without scale and offset.
  static func normalization(
    _ operation: any VarianceOperator, _ layer: Layer
  ) throws(NetconvError) -> DSLPhrase {
    let end = [
      layer.parameter(.gamma) == nil ? "useScale: false" : nil,
      layer.parameter(.beta) == nil ? "useOffset: false" : nil,
    ]
    let epsilon = operation.epsilon == 0.001 ? nil : "epsilon: \(operation.epsilon)"
    switch operation {
    case let operation as BatchNormalization:
      return DSLPhrase(
        "BatchNormalization",
        [epsilon, operation.axis == -1 ? nil : "axis: \(operation.axis)"] + end)
    case let operation as LayerNormalization where operation.subtractsMean:
      return DSLPhrase(
        "LayerNormalization",
        [epsilon, operation.axis == -1 ? nil : "axis: \(operation.axis.swiftText)"] + end)
    default: throw .noWord(type(of: operation).name)
    }
  }
}

/// Spatial axes, with the spelling of their types and sizes in the model language.
protocol DSLAxes: SpatialAxes {
  /// The suffix of a layer's type name.
  static var ending: String { get }
  /// The source text of a size along each axis.
  static func spoken(_ size: SpatialSize<Self>) -> String
}

extension Plane: DSLAxes {
  static var ending: String { "" }
  /// `(width, height)`.
  static func spoken(_ size: Size2D) -> String { "(\(size.width), \(size.height))" }
}

extension Line: DSLAxes {
  static var ending: String { "1D" }
  static func spoken(_ size: Size1D) -> String { "\(size.length)" }
}

extension SpatialSize where Space: DSLAxes {
  /// The source text in the model language.
  var spoken: String { Space.spoken(self) }
}

extension Padding {
  /// The Swift source text of the case.
  var swiftText: String {
    if case .amounts(let amounts) = self { "amounts(\(amounts))" } else { "\(self)" }
  }
}
