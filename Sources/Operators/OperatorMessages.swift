import ModelIR

/// The texts of all errors that this module throws.
extension NetconvError {
  static func attributeOutOfRange(
    _ name: String, _ value: Int, _ range: ClosedRange<Int>
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(name) is \(value), expected a number from \(range.lowerBound) to \(range.upperBound)")
  }

  static func indicesBeyondFloat(_ count: Int) -> NetconvError {
    NetconvError(.badData, "\(count) values along the axis, whose indices are not exact as float32")
  }

  static func wrongRank(_ shape: Shape, expected: String) -> NetconvError {
    NetconvError(.badData, "the input has shape \(shape), expected \(expected)")
  }

  static func unknownSize(_ shape: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "the input has shape \(shape); this layer needs every size that it mixes to be known, so fix "
        + "the size of the model's input")
  }

  static func axisOutOfRange(_ axis: Int, rank: Int) -> NetconvError {
    NetconvError(
      .badData,
      "axis \(axis) does not exist in an input of rank \(rank) (the batch is not counted)")
  }

  static func wrongPaddingAmounts(_ amounts: [[Int]], axes extents: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "padding is \(amounts); expected two numbers for each axis, from 0 to less than the window, "
        + extents.map { "\($0)" }.joined(separator: " x "))
  }

  static func wrongOutputPadding<Space>(
    _ padding: SpatialSize<Space>, strides: SpatialSize<Space>
  ) -> NetconvError {
    func text(_ size: SpatialSize<Space>) -> String {
      size.sizes.map { "\($0)" }.joined(separator: " x ")
    }
    return NetconvError(
      .badData,
      "outputPadding is \(text(padding)), expected less than the strides, \(text(strides))")
  }

  static func noCell(_ name: String) -> NetconvError {
    NetconvError(.badData, "recurrence returns a cell, but \(name) has none")
  }

  static func wrongState(_ shape: Shape, units: Int) -> NetconvError {
    NetconvError(
      .badData, "the state has shape \(shape), expected \(Shape([units])), as many as units")
  }

  static func wrongState(_ shape: Shape, expected: Shape) -> NetconvError {
    NetconvError(
      .badData, "the state has shape \(shape), expected \(expected), as the output of a step")
  }

  static func noStatefulBatch(_ count: Int) -> NetconvError {
    NetconvError(.badData, "statefulBatch is \(count), expected 1 or more")
  }

  static let twoBeginnings = NetconvError(
    .badData,
    "recurrence reads its first state from an input and from the previous sequence, expected one of them"
  )

  static func statefulSteps(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(name) is stateful in a layer that applies it to each step, which netconv does not run")
  }

  static func noMask(_ name: String) -> NetconvError {
    NetconvError(.badData, "recurrence has a mask, but \(name) reads none")
  }

  static func severalInputsPerStep(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "\(name) has several inputs, so it cannot be applied step by step")
  }

  static func noEmbedding(_ value: Double, count: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the input has the value \(numeral(value)), but there are vectors for 0 to \(count - 1)")
  }

  static func causalPadding(axes: Int) -> NetconvError {
    NetconvError(
      .badData, "padding is causal, which is for sequences; the window has \(axes) spatial axes")
  }

  static var causalTransposedConvolution: NetconvError {
    NetconvError(
      .badData,
      "padding is causal, which a transposed convolution does not have; expected same, valid or a list of sides"
    )
  }

  static func noTransposedConvolution(
    _ length: Int, windows: Int, stride: Int
  ) -> NetconvError {
    NetconvError(
      .badData,
      "the output would have a side of \(length), which \(windows) windows with a stride of "
        + "\(stride) do not cover; a larger outputPadding would")
  }

  static func wrongSlice(axes counts: [Int], of input: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "has \(counts[0]) starts, \(counts[1]) counts and \(counts[2]) steps for an input of shape \(input); expected one "
        + "for each axis")
  }

  static func partOfAll(_ axis: Int) -> NetconvError {
    NetconvError(
      .badData, "takes all of axis \(axis), expected a start of 0 and steps of 1")
  }

  static func sliceOutside(_ axis: Int, of input: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "selects indices of axis \(axis) outside an input of shape \(input), or the same index at each step"
    )
  }

  static func wrongGroups(_ groups: Int, input: Int, output: Int) -> NetconvError {
    NetconvError(
      .badData,
      "\(groups) groups do not divide \(input) input and \(output) output channels")
  }

  static func cannotReshape(_ shape: Shape, to target: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "cannot give the shape \(target) to an input of shape \(shape); the number of values must "
        + "stay the same, and one size at most may be -1")
  }

  static func wrongOrder(_ order: [Int], _ shape: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "order is \(order), expected each axis of the input \(shape) once, counted from 0")
  }

  static func wrongCount(_ name: String, _ count: Int, channels: Int) -> NetconvError {
    NetconvError(
      .badData,
      "\(name) has \(count) numbers, expected one, or one for each of \(channels) channels")
  }

  static func differentShapes(_ shapes: [Shape]) -> NetconvError {
    NetconvError(
      .badData,
      "the inputs have shapes " + shapes.map(\.description).joined(separator: " and ")
        + ", which do not fit together")
  }

  static func wrongAxes(_ axes: [Int]) -> NetconvError {
    NetconvError(.badData, "axis is \(axes), expected one axis or several, each once")
  }

  static func wrongGroups(_ groups: Int, channels: Int) -> NetconvError {
    NetconvError(.badData, "\(groups) groups do not divide \(channels) channels")
  }

  static func wrongStatistics(_ count: Int, places: [Int?]) -> NetconvError {
    NetconvError(
      .badData,
      "mean has \(count) numbers, expected the size of its axes: \(Shape(places))")
  }

  static func oddSize(_ size: Int) -> NetconvError {
    NetconvError(.badData, "the axis has the size \(size), which cannot be halved")
  }

  static func notLastAxes(_ axes: [Int]) -> NetconvError {
    NetconvError(.badData, "axis is \(axes), expected the last axis, or several up to it")
  }

  static func wrongDotAxes(_ axes: [Int]) -> NetconvError {
    NetconvError(.badData, "axis is \(axes), expected one axis for each of two inputs")
  }

  static func wrongCoordinates(
    _ coordinates: SamplingCoordinates, _ interpolation: Interpolation
  ) -> NetconvError {
    NetconvError(
      .badData,
      "coordinates are \(coordinates.rawValue) with \(interpolation.rawValue) interpolation; supported are "
        + "nearest and bilinear, of images that are stretched without antialiasing")
  }
}
