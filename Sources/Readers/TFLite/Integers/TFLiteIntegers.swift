import ModelIR
import Operators

/// An operator whose inputs or outputs are quantised.
///
/// Values are the numbers that integers stand for. What moves or selects values does so with these numbers; what computes
/// becomes a `Quantized` layer.
struct TFLiteIntegers {
  let node: MappedTFLiteNode

  init(_ node: MappedTFLiteNode) { self.node = node }

  /// Operators that move, repeat or select values, which keep their scale.
  private static let moving: Set = [
    "ARG_MAX", "ARG_MIN", "BATCH_TO_SPACE_ND", "BROADCAST_TO", "CONCATENATION", "DEPTH_TO_SPACE",
    "EXPAND_DIMS", "GATHER", "MAXIMUM", "MINIMUM", "MIRROR_PAD", "PACK", "PAD", "PADV2",
    "REDUCE_MAX", "REDUCE_MIN", "RESHAPE", "RESIZE_NEAREST_NEIGHBOR", "REVERSE_V2", "SHAPE",
    "SLICE", "SPACE_TO_BATCH_ND", "SPACE_TO_DEPTH", "SPLIT", "SPLIT_V", "SQUEEZE",
    "STRIDED_SLICE", "TILE", "TRANSPOSE", "UNPACK",
  ]

  /// Returns the outputs of the operator.
  ///
  /// - Parameter kind: The mapping of the operator on real numbers.
  /// - Throws: `badData` if the operator is not supported on integers.
  func results(
    _ kind: any TFLiteOperation.Type, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let tensors = (node.inputTensors + node.outputTensors).compactMap(\.self)
    if let problem = tensors.compactMap(\.problem).first { throw problem }
    if Self.moving.contains(node.operation) {
      if let joined = try concatenated(&graph) { return [joined] }
      try checkScales()
      return try kind.results(of: node, &graph)
    }
    switch node.operation {
    case "QUANTIZE": return [try quantized(&graph)]
    case "DEQUANTIZE": return [try node.input(0)]
    case "CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV", "FULLY_CONNECTED":
      return [try sums(&graph)]
    case "ADD": return [try combined(Add(), options: 11, &graph)]
    case "SUB": return [try combined(Subtract(), options: 28, &graph)]
    case "MUL": return [try combined(Multiply(), options: 21, &graph)]
    case "MEAN": return [try mean(&graph)]
    case "AVERAGE_POOL_2D", "MAX_POOL_2D": return [try pooled(&graph)]
    case "RESIZE_BILINEAR": return [try resized(kind, &graph)]
    default:
      guard let (function, activation) = try activation() else {
        throw .computesWithIntegers(
          tensors.first(where: \.isQuantized)?.type.name ?? "", isHybrid: false)
      }
      return [try draft(Activation(function), &graph, limits: limits(activation))]
    }
  }

  // MARK: - Scales

  /// The quantisation of an input.
  func input(_ index: Int) throws(NetconvError) -> Quantization {
    guard node.inputTensors.indices.contains(index), let tensor = node.inputTensors[index] else {
      throw .missingOperand(index, node.operation)
    }
    return try tensor.valueQuantization()
  }

  /// The quantisation of the first output.
  func output() throws(NetconvError) -> Quantization {
    guard let tensor = node.outputTensors.first ?? nil else {
      throw .missingOperand(0, node.operation)
    }
    return try tensor.valueQuantization()
  }

  /// Checks that all quantised tensors have the same scale and zero point.
  private func checkScales() throws(NetconvError) {
    var scales: [Quantization] = []
    for tensor in node.inputTensors + node.outputTensors {
      guard let tensor, tensor.isQuantized else { continue }
      scales.append(try tensor.valueQuantization())
    }
    guard scales.allSatisfy({ $0 == scales[0] }) else { throw .scalesDiffer }
  }

  /// The integers to which a fused activation limits the output.
  ///
  /// Source: tensorflow/lite/kernels/kernel_util.cc, `CalculateActivationRangeQuantized`.
  func limits(_ activation: Int) throws(NetconvError) -> ClosedRange<Int> {
    let output = try output()
    func integer(_ number: Float) -> Int {
      let quotient = (number / output.scale).rounded(.toNearestOrAwayFromZero)
      return output.zeroPoint + Int(min(0x1p24, quotient))
    }
    let range = output.range
    switch activation {
    case 0: return range
    case 1: return max(range.lowerBound, integer(0))...range.upperBound
    case 2, 3, 4:
      let numbers: (Float, Float) = [(-1, 1), (0, 6), (0, 1)][activation - 2]
      let (lowest, highest) = (integer(numbers.0), integer(numbers.1))
      return max(range.lowerBound, lowest)...min(range.upperBound, highest)
    default: throw .fusedTFLiteActivation(activation)
    }
  }

  // MARK: - Drafting

  /// Drafts a layer that computes `operation` on the first input.
  func draft(
    _ operation: any Operator, _ graph: inout GraphBuilder, limits: ClosedRange<Int>? = nil
  ) throws(NetconvError) -> GraphResult {
    let value = try node.value(0)
    let layer = try quantized(operation, [input(0)], limits: limits)
    return .value(
      try graph.draft(layer, [value], axes: .counted(moved: nil), batch: value.batch))
  }

  /// The operator on integers of one type.
  func quantized(
    _ operation: any Operator, _ inputs: [Quantization], limits: ClosedRange<Int>? = nil
  ) throws(NetconvError) -> Quantized {
    let output = try output()
    guard inputs.allSatisfy({ $0.type == output.type }) else { throw .typesDiffer }
    return Quantized(operation, inputs: inputs, output: output, limits: limits)
  }

  /// Quantises real numbers, or changes the scale of integers.
  private func quantized(_ graph: inout GraphBuilder) throws(NetconvError) -> GraphResult {
    let value = try node.value(0)
    guard let tensor = node.inputTensors[0], tensor.isQuantized else {
      return .value(try graph.quantize(value, to: output()))
    }
    return .value(
      try graph.draft(
        Quantized(Identity(), inputs: [input(0)], output: output()), [value], batch: value.batch))
  }

  /// Checks that the output has the scale of shares, which kernels do not look at: from 0 to 1, or of 16 bits from -1.
  private func checkUnits() throws(NetconvError) {
    let output = try output()
    guard
      output.scale == (output.type == .int16 ? 0x1p-15 : 0x1p-8),
      output.zeroPoint == (output.type == .int8 ? -128 : 0)
    else { throw .otherScaleOfShares }
  }

  /// The function of an operator, and the activation that limits its output.
  private func activation() throws(NetconvError) -> (ActivationFunction, Int)? {
    let is16 = try output().type == .int16
    switch node.operation {
    case "LEAKY_RELU":
      return (.leakyReLU(negativeSlope: Double(try node.options(75).number(0))), 0)
    case "LOGISTIC":
      try checkUnits()
      return (.sigmoid, 0)
    case "RELU": return (.relu, 1)
    case "RELU_N1_TO_1": return (.hardTanh, 2)
    case "RELU6": return (.relu6, 3)
    case "RELU_0_TO_1": return (.relu(maxValue: 1, negativeSlope: 0, threshold: 0), 4)
    case "SOFTMAX":
      let beta = try node.options(9).number(0)
      guard beta == 1 else { throw .unknownSetting("beta", "\(beta)", known: ["1"]) }
      _ = try node.value(0).sampleAxis(-1)
      try checkUnits()
      return (.softmax(axis: [-1]), 0)
    case "TANH":
      if is16 { try checkUnits() }
      return (.tanh, 0)
    case "ELU" where !is16: return (.elu(alpha: 1), 0)
    case "HARD_SWISH" where !is16: return (.hardSilu, 0)
    default: return nil
    }
  }
}

extension GraphBuilder {
  /// Drafts a layer that quantises real numbers.
  mutating func quantize(
    _ value: GraphValue, to quantization: Quantization, as name: String? = nil
  ) throws(NetconvError) -> GraphValue {
    try draft(
      Quantized(Identity(), inputs: [], output: quantization), [value], batch: value.batch,
      node: name.map { ($0, "QUANTIZE") })
  }
}

extension TFLiteTensor {
  /// The quantisation of a tensor of values.
  ///
  /// - Throws: `badData` if it has several scales, or a type that values do not have.
  func valueQuantization() throws(NetconvError) -> Quantization {
    do throws(NetconvError) {
      if let problem { throw problem }
      guard let quantization, let type = type.element?.storedType, !isQuantizedPerChannel else {
        throw .computesWithIntegers(type.name, isHybrid: false)
      }
      let found = try Quantization(
        type: type, scale: quantization.scales[0], zeroPoint: quantization.zeroPoints[0])
      guard type != .int16 || found.zeroPoint == 0 else { throw .zeroPointOf16Bits }
      return found
    } catch {
      throw error.inTensor(name)
    }
  }

  private var isQuantizedPerChannel: Bool { quantization?.scales.count ?? 1 > 1 }
}

extension NetconvError {
  fileprivate static var scalesDiffer: NetconvError {
    NetconvError(
      .badData, "moves integers from one scale to another without rescaling them, which is not read"
    )
  }

  fileprivate static var otherScaleOfShares: NetconvError {
    NetconvError(
      .badData, "the output has another scale than the kernel assumes, which is not read")
  }

  fileprivate static var typesDiffer: NetconvError {
    NetconvError(
      .badData, "computes integers of another type than its inputs have, which is not read")
  }

  fileprivate static var zeroPointOf16Bits: NetconvError {
    NetconvError(.badData, "has 16 bits and a zero point other than 0, which kernels ignore")
  }
}
