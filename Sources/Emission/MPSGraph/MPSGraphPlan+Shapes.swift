import ModelIR
import Operators

// Operators that rearrange values.
extension MPSGraphPlan {
  /// - Throws: `badData` for an operator that MPSGraph has no operation for.
  mutating func rearranged(
    _ inputs: [Value], _ layer: Layer, _ shape: [Int]
  ) throws(NetconvError) -> Value {
    let input = inputs[0]
    switch layer.operation {
    case is Flatten, is Reshape:
      return input.shape == shape ? input : reshaped(input, layer, shape)
    case let operation as Permute: return permuted(input, operation.order, layer)
    case let operation as Concatenate:
      let axis = operation.axis < 0 ? operation.axis + shape.count : operation.axis
      let names = inputs.map(\.name)
      let list = Value(
        name: "[\(names.joined(separator: ", "))]", shape: shape, elements: names)
      return add(
        .graph("concatTensors", "dimension: \(axis + 1)"), list, of: layer, shape: shape)
    case let operation as ZeroPadding2D: return padded(input, operation.padding, layer, shape)
    case let operation as ZeroPadding1D: return padded(input, operation.padding, layer, shape)
    case let operation as Cropping2D:
      return try cropped(input, from: operation.cropping.map { $0[0] }, layer, shape)
    case let operation as Cropping1D:
      return try cropped(input, from: operation.cropping.map { $0[0] }, layer, shape)
    case let operation as CenterCrop:
      let (height, width) = (input.shape[0] - shape[0], input.shape[1] - shape[1])
      guard height >= 0, width >= 0 else { throw .cropEnlarges(operation.size) }
      return try cropped(input, from: [height / 2, width / 2], layer, shape)
    case let operation as RepeatVector:
      let row = add(
        .graph("reshape", "shape: \([1, shape[1]].batched)"), input, part: "Row", of: layer,
        shape: [1, shape[1]])
      let list = Value(
        name: "Array(repeating: \(row.name), count: \(operation.count))", shape: shape,
        elements: [row.name])
      return add(.graph("concatTensors", "dimension: 1"), list, of: layer, shape: shape)
    case let operation as Resizing:
      guard operation.proportion == .stretch, !operation.antialias else {
        throw .noResizing(antialias: operation.antialias)
      }
      guard operation.coordinates == .halfPixel else { throw .noCorners(operation.coordinates) }
      return try resized(input, operation.interpolation, layer, shape)
    case let operation as UpSampling2D:
      return try resized(input, operation.interpolation, layer, shape)
    case let operation as UpSampling1D:
      return try resized(row(input, layer), operation.interpolation, layer, shape)
    default: throw .noOperation(layer)
    }
  }

  /// Adds zero padding of the spatial axes.
  private mutating func padded(
    _ input: Value, _ sides: [[Int]], _ layer: Layer, _ shape: [Int]
  ) -> Value {
    let (before, after) = (sides.map { $0[0] }, sides.map { $0[1] })
    return add(
      .graph(
        "padTensor", "with: .constant", "leftPadding: \([0] + before + [0])",
        "rightPadding: \([0] + after + [0])", "constantValue: 0"), input, of: layer, shape: shape)
  }

  mutating func reshaped(_ input: Value, _ layer: Layer, _ shape: [Int]) -> Value {
    add(.graph("reshape", "shape: \(shape.batched)"), input, of: layer, shape: shape)
  }

  /// Adds transpositions of two axes each, because older systems lack a permutation of all axes.
  private mutating func permuted(_ input: Value, _ order: [Int], _ layer: Layer) -> Value {
    var axes = Array(order.indices)
    var swaps: [(Int, Int)] = []
    for (place, axis) in order.enumerated() {
      guard let found = axes.firstIndex(of: axis), found != place else { continue }
      axes.swapAt(place, found)
      swaps.append((place, found))
    }
    var value = input
    for (index, swap) in swaps.enumerated() {
      value.shape.swapAt(swap.0, swap.1)
      value = add(
        .graph(
          "transposeTensor", "dimension: \(swap.0 + 1)", "withDimension: \(swap.1 + 1)"), value,
        part: index == swaps.count - 1 ? "" : "Swapped", of: layer, shape: value.shape)
    }
    return value
  }

  /// Adds a crop of the rows, then of the columns.
  private mutating func cropped(
    _ input: Value, from starts: [Int], _ layer: Layer, _ shape: [Int]
  ) throws(NetconvError) -> Value {
    guard !shape.contains(0) else { throw .nothingLeft }
    var value = input
    let axes = starts.indices.filter { input.shape[$0] != shape[$0] }
    for axis in axes {
      value.shape[axis] = shape[axis]
      value = add(
        .graph(
          "sliceTensor", "dimension: \(axis + 1)", "start: \(starts[axis])",
          "length: \(shape[axis])"), value, part: axis == axes.last ? "" : "Rows", of: layer,
        shape: value.shape)
    }
    return value
  }

  /// Adds a resize with half-pixel centres, as in TensorFlow.
  private mutating func resized(
    _ input: Value, _ interpolation: Interpolation, _ layer: Layer, _ shape: [Int]
  ) throws(NetconvError) -> Value {
    guard interpolation == .nearest || interpolation == .bilinear else {
      throw .noInterpolation(interpolation)
    }
    return added(
      .graph(
        "resize", "size: \(Array(shape.planar.prefix(2)))", "mode: .\(interpolation.rawValue)",
        "centerResult: true", "alignCorners: false", "layout: .NHWC"), input, of: layer,
      shape: shape)
  }
}

extension NetconvError {
  fileprivate static func noInterpolation(_ interpolation: Interpolation) -> NetconvError {
    NetconvError(
      .badData,
      "there is no \(interpolation.rawValue) interpolation; supported are nearest and bilinear")
  }

  fileprivate static func noResizing(antialias: Bool) -> NetconvError {
    NetconvError(
      .badData,
      antialias
        ? "images are resized without antialiasing"
        : "images of another proportion are stretched, without cropping or padding"
    )
  }

  fileprivate static func noCorners(_ coordinates: SamplingCoordinates) -> NetconvError {
    NetconvError(
      .badData,
      "pixels are measured from their centres, without coordinates \(coordinates.rawValue)")
  }

  fileprivate static func cropEnlarges(_ size: Size2D) -> NetconvError {
    NetconvError(
      .badData, "the image is smaller than the \(size.height) by \(size.width) pixels of its middle"
    )
  }

  fileprivate static var nothingLeft: NetconvError {
    NetconvError(.badData, "the image would be empty")
  }
}
