internal import Memory

/// The texts of all errors that this module throws.
extension NetconvError {
  static func repeatedAxis(in layout: String) -> NetconvError {
    NetconvError(
      .badData,
      "layout \(quoted(layout)) is empty or names an axis twice; write each axis once, as in HWIO")
  }

  @usableFromInline
  static func sizeOverflow(_ sizes: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "sizes \(sizes) are negative or multiply to more than this machine can count; "
        + "the file is damaged or invalid")
  }

  static func unmatchedAxis(
    _ axis: Axis, size: Int, source: Layout, target: Layout
  ) -> NetconvError {
    NetconvError(
      .badData,
      "axis \(axis) of size \(size) is in only one of the layouts \(source) and \(target); "
        + "only axes of size 1 can be left out")
  }

  static func wrongGates(_ gates: GateOrder, count: Int) -> NetconvError {
    NetconvError(
      .badData,
      "gates \(quoted(gates.description)) are \(gates.count), expected \(count); "
        + "write a letter for each gate, as in G[ifco]")
  }

  static func otherGates(_ gates: GateOrder, expected: GateOrder) -> NetconvError {
    NetconvError(
      .badData,
      "gates \(quoted(gates.description)) are not those of this layer, "
        + "\(quoted(expected.description)); write the same letters in the order of the file")
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

  static func wrongLayout(_ layout: Layout, expected spec: ParameterSpec) -> NetconvError {
    let axes = spec.layout.axes.map { "\($0)=\(spec.sizes[$0] ?? 1)" }.joined(separator: " ")
    return NetconvError(
      .badData,
      "layout \(layout) does not have the axes of this parameter, \(axes); "
        + "write them in the order of the file, for example \(spec.layout)")
  }

  package static var noInputs: NetconvError {
    NetconvError(.badData, "the model has no input; it needs at least one")
  }

  package static var noOutputs: NetconvError {
    NetconvError(.badData, "the model has no output; name at least one layer")
  }

  static func wrongInput(
    _ name: String, _ shape: Shape, sizes: ClosedRange<Int>
  ) -> NetconvError {
    NetconvError(
      .badData,
      "input \(quoted(name)) has shape \(shape); each size must be from \(sizes.lowerBound) to "
        + "\(sizes.upperBound)")
  }

  package static var emptyName: NetconvError {
    NetconvError(.badData, "a layer or an input has an empty name; each needs a unique name")
  }

  package static func duplicateName(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "the name \(quoted(name)) is used twice; each layer and input needs a unique name")
  }

  static func duplicateRole(_ role: ParameterRole) -> NetconvError {
    NetconvError(
      .badData, "the role \(quoted(role.rawValue)) occurs twice; each role must be unique")
  }

  static func tooManyAxes(_ shape: [Int], limit: Int) -> NetconvError {
    NetconvError(
      .badData, "shape \(shape) has \(shape.count) axes; netconv can name \(limit) of them")
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

  static func cycle(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData, "the layers form a cycle, so none of these can be computed first",
      details: names.map { quoted($0) })
  }

  static func wrongInputCount(_ count: Int, expected: ClosedRange<Int>) -> NetconvError {
    let range =
      switch (expected.lowerBound, expected.upperBound) {
      case (let lower, let upper) where lower == upper: "\(lower)"
      case (let lower, .max): "at least \(lower)"
      case (let lower, let upper): "\(lower) to \(upper)"
      }
    return NetconvError(.badData, "has \(count) inputs, expected \(range)")
  }

  static func wrongOutputCount(_ count: Int, expected: Int) -> NetconvError {
    NetconvError(.badData, "names \(count) outputs, expected \(expected)")
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

  static func changedShape(_ shape: Shape, from expected: Shape) -> NetconvError {
    NetconvError(.badData, "would now have shape \(shape), expected \(expected) as before")
  }

  static func hugeOutput(_ shape: Shape, limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the output would have shape \(shape); no size can be over \(limit), so the file is damaged "
        + "or invalid")
  }

  static func uncountableOutput(_ shape: Shape, limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the output would have shape \(shape); no sample can have over \(limit) values, so the file is "
        + "damaged or invalid")
  }

  static func uncountableInput(_ name: String, _ shape: Shape, limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "input \(quoted(name)) has shape \(shape); no sample can have over \(limit) values")
  }

  static func tooLarge(_ shape: [Int], samples count: Int, _ limit: MemoryLimit) -> NetconvError {
    NetconvError(
      .usage,
      "\(samples(count)) of shape \(Shape(shape)) need more than \(limit.words); run on smaller batches "
        + "or smaller inputs")
  }

  static func arrayTooLarge(_ shape: [Int], _ limit: MemoryLimit) -> NetconvError {
    NetconvError(
      .usage,
      "an array of shape \(Shape(shape)) needs more than \(limit.words); run on smaller batches or smaller "
        + "inputs")
  }

  static func fileTooLarge(_ bytes: Int, _ limit: MemoryLimit) -> NetconvError {
    NetconvError(
      .badData,
      "needs \(byteText(bytes)) of memory, more than \(limit.words); pass less, or use a machine with more"
    )
  }

  /// `1 sample` or `2 samples`.
  package static func samples(_ count: Int) -> String {
    count == 1 ? "1 sample" : "\(count) samples"
  }

  static var tooManyValuesOfLayers: NetconvError {
    NetconvError(
      .badData,
      "with this layer, a sample has more values in the model than this machine can count; the file is "
        + "damaged or invalid")
  }

  static var tooManyValues: NetconvError {
    NetconvError(
      .badData,
      "with this layer, the parameters of the model have more values than this machine can count; "
        + "the file is damaged or invalid")
  }

  static func unknownRole(_ role: String, expected specs: [ParameterSpec]) -> NetconvError {
    let roles = specs.map(\.role.rawValue).joined(separator: ", ")
    return NetconvError(
      .badData,
      "has a parameter \(quoted(role)) that it does not use; expected "
        + (roles.isEmpty ? "none" : roles))
  }

  package static func missingParameter(_ spec: ParameterSpec) -> NetconvError {
    let shape = spec.layout.dimensions.map { dimension in
      dimension.axes.reduce(1) { $0 * (spec.sizes[$1] ?? 1) }
    }
    return NetconvError(
      .badData, "the \(spec.role) is missing; expected shape \(shape) (\(spec.layout))")
  }

  static func conflictingFlattens(
    _ layout: Layout, _ plain: Layout, owner: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "is shared with layers that are not after a flatten of the same shape, for which layout "
        + "\(layout) means different values; store it as \(plain), or give each layer its own")
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
