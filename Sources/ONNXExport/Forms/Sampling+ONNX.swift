import ModelIR
import Operators

extension SpatialUpSampling: ONNXForm {
  static var onnxOperations: String {
    "`Resize`; other than nearest and bilinear `MatMul` along each axis"
  }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let mode: [ONNXAttribute]
    switch interpolation {
    case .nearest: mode = .nearestByFactors
    case .bilinear where Space.axes.count == 2: mode = .linear(.halfPixel)
    default:
      let depth = Space.axes.count == 3 ? depthTaps(of: try x[0].shape.sizes()) : nil
      return [try graph.sample(x[0], self, layer, depth: depth)]
    }
    let factors = graph.floats(([1, 1] + size.sizes).map { Double($0) }, [2 + size.sizes.count])
    return [graph.resize(x[0], ["", factors], mode, layer)]
  }
}

extension Resizing: ONNXForm {
  static var onnxOperations: String { "`Resize`; other than bilinear of whole images two `MatMul`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    guard interpolation == .bilinear, !antialias, proportion == .stretch else {
      return [try graph.sample(x[0], self, layer)]
    }
    let input = graph.name(x[0], .first)
    let sizes = graph.add(
      "Concat",
      [
        graph.add("Shape", [input], .int("start", 0), .int("end", 2)),
        graph.ints([size.height, size.width]),
      ], .int("axis", 0))
    return [graph.resize(x[0], ["", "", sizes], .linear(coordinates), layer)]
  }
}

extension CenterCrop: ONNXForm {
  static var onnxOperations: String { "two `MatMul`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] { [try graph.sample(x[0], self, layer)] }
}

extension SpatialAdaptiveAveragePooling: ONNXForm {
  static var onnxOperations: String { "`MatMul` along each axis" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let lengths = try Shape(Array(x[0].shape.dimensions.dropLast())).sizes()
    let taps = zip(outputSize.sizes, lengths).map { count, length in
      adaptiveWindows(count, over: length).map { window in
        window.map { (pixel: $0, share: 1 / Double(window.count)) }
      }
    }
    return [try graph.mix(x[0], taps, lengths, layer)]
  }
}

/// The weights of pixels for each position along an axis.
private typealias Shares = [[(pixel: Int, share: Double)]]

extension [ONNXAttribute] {
  /// Repetition of each pixel.
  fileprivate static var nearestByFactors: [ONNXAttribute] {
    [
      .string("mode", "nearest"), .string("coordinate_transformation_mode", "asymmetric"),
      .string("nearest_mode", "floor"),
    ]
  }

  /// Linear interpolation between neighbours.
  fileprivate static func linear(_ coordinates: SamplingCoordinates) -> [ONNXAttribute] {
    let mode =
      switch coordinates {
      case .halfPixel: "half_pixel"
      case .asymmetric: "asymmetric"
      case .alignCorners: "align_corners"
      }
    return [.string("mode", "linear"), .string("coordinate_transformation_mode", mode)]
  }
}

extension ONNXGraphBuilder {
  fileprivate mutating func resize(
    _ x: ONNXValue, _ others: [String], _ mode: [ONNXAttribute], _ layer: ONNXLayer
  ) -> ONNXValue {
    let name = add("Resize", [name(x, .first)] + others, mode, outputs: 1, isMain: true)[0]
    return ONNXValue(name: name, order: .first, shape: layer.shape)
  }

  /// Resamples an image with the weights of an operator.
  fileprivate mutating func sample(
    _ x: ONNXValue, _ operation: some SamplingOperator, _ layer: ONNXLayer,
    depth: [[ImageTap]]? = nil
  ) throws(NetconvError) -> ONNXValue {
    let shape = try x.shape.sizes()
    let sampling = operation.sampling(of: shape)
    let taps = [sampling.rows, sampling.columns].map(Self.shares)
    let axes = shape.count - 1
    let mixed = try mix(
      x, Array(([depth.map(Self.shares)].compactMap(\.self) + taps).suffix(axes)),
      Array(shape.dropLast()), layer)
    guard sampling.fill != 0 else { return mixed }
    let sums = taps.map { axis in axis.map { $0.reduce(0) { $0 + $1.share } } }
    let fill = sums[0].flatMap { row in sums[1].map { (1 - row * $0) * sampling.fill } }
    let name = add("Add", [mixed.name, floats(fill, [sums[0].count, sums[1].count])])
    return ONNXValue(name: name, order: .first, shape: layer.shape)
  }

  private static func shares(_ taps: [[ImageTap]]) -> Shares {
    taps.map { $0.map { (pixel: $0.pixel, share: $0.share) } }
  }

  /// Multiplies by a matrix for each spatial axis.
  fileprivate mutating func mix(
    _ x: ONNXValue, _ taps: [Shares], _ lengths: [Int], _ layer: ONNXLayer
  ) throws(NetconvError) -> ONNXValue {
    let counts = zip(taps, lengths).map { $0.count * $1 }
    guard counts.allSatisfy({ $0 <= Self.largestMatrix }) else { throw .largeMatrixForONNX }
    var name = name(x, .first)
    let last = taps.count - 1
    if taps.count == 3 {
      // The depth takes the place of the rows.
      let depth = floats(Self.matrix(taps[0], lengths[0]), [taps[0].count, lengths[0]])
      let moved = add("Transpose", [name], .ints("perm", [0, 1, 3, 2, 4]))
      let mixed = add("MatMul", [depth, moved])
      name = add("Transpose", [mixed], .ints("perm", [0, 1, 3, 2, 4]))
    }
    if last > 0 {
      let (own, length) = (taps[last - 1], lengths[last - 1])
      name = add("MatMul", [floats(Self.matrix(own, length), [own.count, length]), name])
    }
    let columns = Self.matrix(taps[last], lengths[last], isTransposed: true)
    name = add("MatMul", [name, floats(columns, [lengths[last], taps[last].count])], isMain: true)
    return ONNXValue(name: name, order: .first, shape: layer.shape)
  }

  /// The maximum number of elements of a matrix that is stored for a resize.
  private static var largestMatrix: Int { 1 << 22 }

  private static func matrix(
    _ taps: Shares, _ length: Int, isTransposed: Bool = false
  ) -> [Double] {
    var matrix = [Double](repeating: 0, count: taps.count * length)
    for (place, shares) in taps.enumerated() {
      for (pixel, share) in shares {
        matrix[isTransposed ? pixel * taps.count + place : place * length + pixel] += share
      }
    }
    return matrix
  }
}

extension Shape {
  /// Returns the sizes.
  ///
  /// - Throws: `badData` if one is open.
  fileprivate func sizes() throws(NetconvError) -> [Int] {
    guard let known else { throw .openSizeForONNX }
    return known
  }
}
