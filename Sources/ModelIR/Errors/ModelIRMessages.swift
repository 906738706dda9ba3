internal import Memory

/// The texts of all errors that this module throws.
extension NetconvError {
  @usableFromInline
  static func sizeOverflow(_ sizes: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "sizes \(sizes) are negative or multiply to more than this machine can count; "
        + "the file is damaged or invalid")
  }

  static func wrongShape(
    _ shape: [Int], expected: [Int], layout: Layout, wayOn: String?
  ) -> NetconvError {
    let names = layout.dimensions.map(\.description).joined(separator: ", ")
    let found =
      shape.count == expected.count
      ? "shape is \(shape), expected \(expected) (\(names))"
      : "shape \(shape) has rank \(shape.count), expected rank \(expected.count): "
        + "\(expected) (\(names))"
    return NetconvError(.badData, "\(found); \(wayOn ?? "correct the layer or its weights")")
  }

  package static var noInputs: NetconvError {
    NetconvError(.badData, "the model has no input; it needs at least one")
  }

  package static var noOutputs: NetconvError {
    NetconvError(.badData, "the model has no output; name at least one layer")
  }

  package static var emptyName: NetconvError {
    NetconvError(.badData, "a layer or an input has an empty name; each needs a unique name")
  }

  package static func duplicateName(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "the name \(quoted(name)) is used twice; each layer and input needs a unique name")
  }

  static func unknownInput(_ name: String, known: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "reads \(quoted(name)), which is neither a layer nor an input of the model"
        + wayOn(name, known))
  }

  static func unknownOutput(_ name: String, known: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "the output \(quoted(name)) is not a layer of the model" + wayOn(name, known))
  }

  /// A suggestion of a similar name, unless there are too many candidates.
  private static func wayOn(_ name: String, _ known: [String]) -> String {
    let hint = known.count > 1000 ? "" : didYouMean(name, among: known)
    return hint.isEmpty ? "; name an existing output" : hint
  }

  static func emptyOutput(_ shape: Shape, inputs: [Shape]) -> NetconvError {
    let texts = inputs.map(\.description).joined(separator: " and ")
    return NetconvError(
      .badData,
      "the output would have shape \(shape), which is empty; the input \(texts) is "
        + "smaller than the window" + (inputs.count == 1 ? channelsFirstHint(inputs[0]) : ""))
  }

  /// A hint for a shape that looks like a channels-first image.
  private static func channelsFirstHint(_ shape: Shape) -> String {
    guard let sizes = shape.known, sizes.count > 2, [1, 3, 4].contains(sizes[0]),
      sizes.dropFirst().allSatisfy({ $0 > sizes[0] })
    else { return "" }
    let channelsLast = Shape(Array(sizes.dropFirst()) + [sizes[0]])
    return "; channels are last here: if it is an image with channels first, its shape is "
      + "\(channelsLast)"
  }

  /// `1 sample` or `2 samples`.
  package static func samples(_ count: Int) -> String {
    count == 1 ? "1 sample" : "\(count) samples"
  }

  static var tooManyValues: NetconvError {
    NetconvError(
      .badData,
      "with this layer, the parameters of the model have more values than this machine can count; "
        + "the file is damaged or invalid")
  }

  package static func missingParameter(_ spec: ParameterSpec) -> NetconvError {
    let shape = spec.layout.dimensions.map { dimension in
      dimension.axes.reduce(1) { $0 * (spec.sizes[$1] ?? 1) }
    }
    return NetconvError(
      .badData, "the \(spec.role) is missing; expected shape \(shape) (\(spec.layout))")
  }

  package static func severalProblems(_ problems: [NetconvError]) -> NetconvError {
    NetconvError(
      .badData, text: "\(problems.count) problems in the model", list: problems.flatMap(\.lines))
  }
}

extension Shape {
  /// A hint that names the numpy call that converts an array to this shape, if only the position of its channels
  /// differs; otherwise an empty string.
  ///
  /// - Parameter found: the shape of one sample.
  package func channelsHint(for found: [Int]) -> String {
    guard found.count == 3, rank == 3, !Shape(found).isCompatible(with: self) else { return "" }
    if Shape([found[1], found[2], found[0]]).isCompatible(with: self) {
      return "; the channels are first: move them last with numpy.moveaxis(x, 1, -1)"
    }
    if Shape([found[2], found[0], found[1]]).isCompatible(with: self) {
      return "; the channels are last: move them first with numpy.moveaxis(x, -1, 1)"
    }
    return ""
  }
}
