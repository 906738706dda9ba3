import ModelIR

/// Filters that were asked for: `blur=2.5`, or `NAME:blur=2.5` for one of several inputs.
struct InputFilters: Sendable {
  private var steps: [String: [PixelStep]] = [:]

  /// The filters that texts describe, in their order, for the inputs of `model`.
  ///
  /// - Throws: `usage` if a text is no filter, or does not say for which of several inputs it is.
  init(_ texts: [String], for model: Model) throws(NetconvError) {
    for text in texts {
      let (input, step) = try Self.parse(text, inputs: model.inputs.map(\.name))
      steps[input, default: []].append(step)
    }
  }

  /// The filters of an input; `nil` if none were asked for.
  subscript(_ input: String) -> [PixelStep]? { steps[input] }

  /// Whether none were asked for.
  var isEmpty: Bool { steps.isEmpty }

  private static func parse(
    _ text: String, inputs: [String]
  ) throws(NetconvError) -> (input: String, step: PixelStep) {
    // Names of inputs may have colons in them: the longest that fits is meant.
    let named = inputs.filter { text.hasPrefix($0 + ":") }.max { $0.count < $1.count }
    if let named {
      return (named, try PixelStep(text: String(text.dropFirst(named.count + 1))))
    }
    let step = try PixelStep(text: text)
    guard let input = inputs.first, inputs.count == 1 else {
      throw .filterOfWhichInput(text, inputs)
    }
    return (input, step)
  }
}

extension PixelStep {
  /// Whether a step belongs to how a network was trained, and not to what a picture looks like: the range of values, and the
  /// order of channels and axes.
  var isOfTraining: Bool {
    switch self {
    case .scale, .offset, .mean, .deviation, .channels, .transpose, .axes: true
    case .invert, .saturation, .gray, .color, .opaque, .encoding, .boxBlur, .blur, .crop, .pad,
      .turn, .resize, .fit, .fill, .region:
      false
    }
  }
}
