import ModelIR
import Operators

extension CStep {
  /// A step that computes each value of the first input by itself.
  fileprivate static func values(_ layer: CLayer, _ pass: CPass?) -> CStep? {
    guard let pass else { return nil }
    let count = layer.outputCount
    return CStep([.copy] + pass.functions, inPlace: [0]) { places in
      (places.input == places.output
        ? [] : ["copy_values(\(places.input), \(count), \(places.output));"])
        + pass.statements(places.output)
    }
  }

  /// A step of scales and shifts, of which each `period` values have their own.
  fileprivate static func affine(
    _ layer: CLayer, mean: [Float]? = nil, scale: [Float], shift: [Float]? = nil
  ) -> CStep {
    let count = layer.outputCount
    return CStep(
      [.affine],
      parameters: Parameter.optional("mean", mean) + Parameter.optional("scale", scale)
        + Parameter.optional("shift", shift), inPlace: [0]
    ) { places in
      [
        "scale_and_shift(\(places.input), \(count), \(scale.count), \(places["mean"]), \(places["scale"]), \(places["shift"]), \(places.output));"
      ]
    }
  }
}

extension Activation: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    .values(layer, try function.cPass(layer.output))
  }
}

extension Elementwise: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    .values(layer, scalar.pass(layer.outputCount))
  }

  private var scalar: CScalarFunction {
    let expression =
      switch function {
      case .absolute: "fabsf(v)"
      case .arcCosine: "acosf(v)"
      case .arcSine: "asinf(v)"
      case .arcTangent: "atanf(v)"
      case .ceiling: "ceilf(v)"
      case .cosine: "cosf(v)"
      case .errorFunction: "erff(v)"
      case .complementaryErrorFunction: "erfcf(v)"
      case .exponentialMinusOne: "expm1f(v)"
      case .floor: "floorf(v)"
      case .hyperbolicCosine: "coshf(v)"
      case .hyperbolicSine: "sinhf(v)"
      case .inverseHyperbolicCosine: "acoshf(v)"
      case .inverseHyperbolicSine: "asinhf(v)"
      case .inverseHyperbolicTangent: "atanhf(v)"
      case .logarithm: "logf(v)"
      case .logarithmOfOnePlus: "log1pf(v)"
      case .not: "v == 0.0f ? 1.0f : 0.0f"
      case .power: "powf(v, exponent)"
      case .reciprocal: "1.0f / v"
      case .reciprocalSquareRoot: "1.0f / sqrtf(v)"
      case .round: "nearbyintf(v)"
      case .sign: "v > 0.0f ? 1.0f : v < 0.0f ? -1.0f : v"
      case .sine: "sinf(v)"
      case .squareRoot: "sqrtf(v)"
      case .tangent: "tanf(v)"
      case .truncate: "truncf(v)"
      }
    let words = function.rawValue.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }
    return CScalarFunction(
      name: "compute_" + words.joined(), expression: expression,
      settings: exponent.map { [("exponent", $0)] } ?? [])
  }
}

extension BatchNormalization: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let shape = layer.output
    let axis = axis < 0 ? axis + shape.count : axis
    let outer = shape[..<axis].reduce(1, *)
    let inner = shape[(axis + 1)...].reduce(1, *)
    let channels = channelScale(layer.parameters)
    return CStep(
      [.affineOfChannels],
      parameters: [
        .init(name: "mean", values: channels.mean.map { Float($0) }),
        .init(name: "scale", values: channels.scale.map { Float($0) }),
        .init(name: "shift", values: channels.shift.map { Float($0) }),
      ], inPlace: [0]
    ) { places in
      [
        "scale_and_shift_channels(\(places.input), \(outer), \(shape[axis]), \(inner), \(places["mean"]), \(places["scale"]), \(places["shift"]), \(places.output));"
      ]
    }
  }
}

extension Scale: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    .affine(layer, scale: layer.values(.gamma) ?? [1])
  }
}

extension Rescaling: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let count = max(scale.count, offset.count)
    func all(_ numbers: [Double]) -> [Float] {
      (0..<count).map { Float(numbers[numbers.count == 1 ? 0 : $0]) }
    }
    return .affine(layer, scale: all(scale), shift: all(offset))
  }
}

extension Normalization: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let (mean, deviation) = try measures(of: layer.output, layer.parameters)
    let period = max(mean.period, deviation.period)
    let (means, deviations) = (mean.prefix(period), deviation.prefix(period))
    return invert
      ? .affine(layer, scale: deviations.map { Float($0) }, shift: means.map { Float($0) })
      : .affine(layer, mean: means.map { Float($0) }, scale: deviations.map { Float(1 / $0) })
  }
}

extension [Double] {
  /// The length of the shortest part that the list repeats.
  ///
  /// Parts of all axes behind one are the only candidates, so that the larger of two periods is a multiple of the smaller.
  fileprivate var period: Int {
    (1...Swift.max(1, count)).first { length in
      count % length == 0 && indices.allSatisfy { self[$0] == self[$0 % length] }
    } ?? count
  }
}

extension PReLU: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let count = layer.outputCount
    guard let alpha = layer.parameters[.alpha] else { return nil }
    let places = BroadcastPlaces(of: alpha.shape, in: layer.output)
    let slopes = (0..<count).map { Double(alpha.values[places[$0]]) }
    let period = slopes.period
    let pass = CPass(functions: [.slopes]) { _ in [] }
    guard let step = CStep.values(layer, pass) else { return nil }
    return CStep(
      step.functions,
      parameters: [.init(name: "slopes", values: slopes.prefix(period).map { Float($0) })],
      inPlace: [0]
    ) { places in
      step.statements(places) + [
        "apply_slopes(\(places.output), \(count), \(period), \(places["slopes"]));"
      ]
    }
  }
}

extension Masking: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let channels = layer.output.last ?? 1
    let steps = layer.outputCount / channels
    return .values(
      layer,
      CPass(functions: [.zeroSteps]) {
        ["zero_masked_steps(\($0), \(steps), \(channels), \(CText.literal(value)));"]
      })
  }
}

extension StepMask: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let channels = isPerValue ? 1 : layer.inputs[0].last ?? 1
    let steps = layer.inputCount / channels
    return CStep([.maskSteps]) { places in
      [
        "mark_steps(\(places.input), \(steps), \(channels), \(CText.literal(value)), \(places.output));"
      ]
    }
  }
}

extension MaskedAverage: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let (steps, channels) = (layer.inputs[0][0], layer.inputs[0][1])
    return CStep([.maskedMean]) { places in
      [
        "average_masked(\(places.inputs[0]), \(places.inputs[1]), \(steps), \(channels), \(places.output));"
      ]
    }
  }
}

extension GatedLinearUnit: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let axis = axis < 0 ? axis + layer.output.count : axis
    let half = layer.output[axis...].reduce(1, *)
    let blocks = layer.outputCount / max(1, half)
    return CStep([.gate]) { places in
      ["gate_halves(\(places.input), \(blocks), \(half), \(places.output));"]
    }
  }
}

extension LayerNormalization: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let axes = try CAxes(axis, of: layer.output)
    return .normalizing(layer) { places in
      "normalize(\(places.output), \(axes.outer), \(axes.count), \(axes.inner), \(CText.literal(epsilon)), \(subtractsMean ? 1 : 0), \(places["gamma"]), \(places["beta"]));"
    }
  }
}

extension CStep {
  fileprivate static func normalizing(
    _ layer: CLayer, _ function: CFunction = .layerNorm, call: @escaping (CPlaces) -> String
  ) -> CStep? {
    guard let copy = values(layer, CPass(functions: [function]) { _ in [] }) else { return nil }
    return CStep(
      copy.functions,
      parameters: Parameter.optional("gamma", layer.values(.gamma))
        + Parameter.optional("beta", layer.values(.beta)), inPlace: [0]
    ) { copy.statements($0) + [call($0)] }
  }
}

extension GroupNormalization: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let shape = layer.output
    let axis = axis < 0 ? axis + shape.count : axis
    let outer = shape[..<axis].reduce(1, *)
    let inner = shape[(axis + 1)...].reduce(1, *)
    let count = groups == -1 ? shape[axis] : groups
    return .normalizing(layer, .groupNorm) { places in
      "normalize_groups(\(places.output), \(outer), \(count), \(shape[axis] / count), \(inner), \(CText.literal(epsilon)), \(places["gamma"]), \(places["beta"]));"
    }
  }
}

extension RMSNormalization: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let axes = try CAxes(axis, of: layer.output)
    return .normalizing(layer, .rootMeanSquare) { places in
      "divide_by_root_mean_square(\(places.output), \(axes.outer), \(axes.count), \(CText.literal(epsilon)), \(places["gamma"]));"
    }
  }
}

extension UnitNormalization: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let axes = try CAxes(axis, of: layer.output)
    return .normalizing(layer, .unitNorm) { places in
      "divide_by_norm(\(places.output), \(axes.outer), \(axes.count), \(axes.inner), \(CText.literal(smallestNorm)));"
    }
  }
}
