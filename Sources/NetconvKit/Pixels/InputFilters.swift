import ModelIR

/// Requested filters: `blur=2.5`, or `NAME:blur=2.5` for one of several inputs.
struct InputFilters: Sendable {
  private var steps: [String: [PixelStep]] = [:]

  /// Parses filters, in order, for the inputs of `model`.
  ///
  /// - Throws: `usage` if a text is not a filter, or does not name one of several inputs.
  init(_ texts: [String], for model: Model) throws(NetconvError) {
    for text in texts {
      let (input, step) = try Self.parse(text, inputs: model.inputs.map(\.name))
      steps[input, default: []].append(step)
    }
  }

  /// The filters for an input; `nil` if there are none.
  subscript(_ input: String) -> [PixelStep]? { steps[input] }

  /// True if there are no filters.
  var isEmpty: Bool { steps.isEmpty }

  private static func parse(
    _ text: String, inputs: [String]
  ) throws(NetconvError) -> (input: String, step: PixelStep) {
    // The names of inputs may contain colons; the longest match is used.
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
  /// True if a step depends on the training of a network rather than on the content of a picture: the range of
  /// values, and the order of channels and axes.
  var isOfTraining: Bool {
    switch self {
    case .scale, .offset, .mean, .deviation, .channels, .transpose, .axes: true
    case .invert, .saturation, .gray, .color, .opaque, .encoding, .boxBlur, .blur, .crop, .pad,
      .turn, .resize, .fit, .fill, .region:
      false
    }
  }
}

extension NetconvError {
  fileprivate static func filterOfWhichInput(_ text: String, _ inputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.filters) \(quoted(text)) does not say to which of the inputs \(inputs.quotedList) "
        + "it applies; put the name and a colon before it")
  }
}
