import FlatBuffers
import ModelIR
import Operators

extension SpatialUpSampling: TFLiteForm where Space: PlanarAxes {
  static var tfliteOperations: String {
    "`RESIZE_NEAREST_NEIGHBOR`, `RESIZE_BILINEAR`; others two `BATCH_MATMUL`"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let image = graph.planar(try graph.expanded(x[0]), Space.self)
    let isLinear = interpolation == .bilinear && Space.axes.count == 2
    let sampled = try graph.sample(
      image, sampling(of: x[0].known()), linear: isLinear ? .halfPixel : nil)
    return [graph.lines(sampled, Space.self)]
  }
}

extension Resizing: TFLiteForm {
  static var tfliteOperations: String {
    "`RESIZE_NEAREST_NEIGHBOR`, `RESIZE_BILINEAR`; others two `BATCH_MATMUL`"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let isLinear = interpolation == .bilinear && !antialias && proportion == .stretch
    let image = try graph.expanded(x[0])
    return [
      try graph.sample(image, sampling(of: image.known()), linear: isLinear ? coordinates : nil)
    ]
  }
}

extension CenterCrop: TFLiteForm {
  static var tfliteOperations: String { "`RESIZE_NEAREST_NEIGHBOR` or two `BATCH_MATMUL`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let image = try graph.expanded(x[0])
    return [try graph.sample(image, sampling(of: image.known()), linear: nil)]
  }
}

extension SpatialAdaptiveAveragePooling: TFLiteForm where Space: PlanarAxes {
  static var tfliteOperations: String { "two `BATCH_MATMUL`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let lengths = try x[0].known().dropLast()
    var taps = zip(outputSize.sizes, lengths).map { count, length in
      adaptiveWindows(count, over: length).map { window in
        window.map { (pixel: $0, share: 1 / Double(window.count)) }
      }
    }
    if taps.count == 1 { taps.insert([[(pixel: 0, share: 1)]], at: 0) }
    let image = graph.planar(try graph.expanded(x[0]), Space.self)
    return [graph.lines(try graph.mix(image, taps), Space.self)]
  }
}

/// The weights of pixels for each position along an axis.
private typealias Shares = [[(pixel: Int, share: Double)]]

extension TFLiteGraphBuilder {
  /// Resamples images with the weights of an operator.
  ///
  /// - Parameter linear: the coordinates of an interpolation that the kernel has; `nil` for others.
  fileprivate mutating func sample(
    _ x: TFLiteValue, _ sampling: ImageSampling, linear: SamplingCoordinates?
  ) throws(NetconvError) -> TFLiteValue {
    let counts = [sampling.rows.count, sampling.columns.count]
    if let linear {
      return resize(
        .resizeBilinear, x, counts,
        (15, [2: .flag(linear == .alignCorners), 3: .flag(linear == .halfPixel)]))
    }
    let lengths = try x.known()
    if let mode = NearestMode(sampling, lengths) {
      return resize(
        .resizeNearestNeighbor, x, counts,
        (74, [0: .flag(mode == .alignCorners), 1: .flag(mode == .halfPixel)]))
    }
    let taps = [sampling.rows, sampling.columns].map { axis in
      axis.map { $0.map { (pixel: $0.pixel, share: $0.share) } }
    }
    let mixed = try mix(x, taps)
    guard sampling.fill != 0 else { return mixed }
    let sums = taps.map { axis in axis.map { $0.reduce(0) { $0 + $1.share } } }
    let fill = sums[0].flatMap { row in sums[1].map { (1 - row * $0) * sampling.fill } }
    return try binary(.add, mixed, floats(fill, [1, counts[0], counts[1], 1]))
  }

  private mutating func resize(
    _ type: TFLiteBuiltin, _ x: TFLiteValue, _ counts: [Int], _ options: Options
  ) -> TFLiteValue {
    add(
      type, [x, ints(counts)], options,
      sizes: [x.sizes[0], .fixed(counts[0]), .fixed(counts[1]), x.sizes[3]])
  }

  /// Multiplies images by a matrix for the rows and one for the columns.
  fileprivate mutating func mix(
    _ x: TFLiteValue, _ taps: [[[(pixel: Int, share: Double)]]]
  ) throws(NetconvError) -> TFLiteValue {
    let shape = try x.known()
    guard zip(taps, shape).allSatisfy({ $0.count * $1 <= Self.largestMatrix }) else {
      throw .largeMatrixForTFLite
    }
    var value = x
    if shape[0] > 1 || taps[0].count > 1 {
      let rows = floats(Self.matrix(taps[0], shape[0]), [1, taps[0].count, shape[0]])
      let flat = try reshape(x, samples: [shape[0], shape[1] * shape[2]])
      value = try reshape(
        multiply(rows, flat), samples: [taps[0].count, shape[1], shape[2]], batch: x.sizes[0])
    }
    let columns = floats(Self.matrix(taps[1], shape[1]), [1, 1, taps[1].count, shape[1]])
    return try multiply(columns, value)
  }

  /// The maximum number of elements of a matrix that is stored for a resize.
  private static var largestMatrix: Int { 1 << 22 }

  private static func matrix(_ taps: Shares, _ length: Int) -> [Double] {
    var matrix = [Double](repeating: 0, count: taps.count * length)
    for (place, shares) in taps.enumerated() {
      for (pixel, share) in shares { matrix[place * length + pixel] += share }
    }
    return matrix
  }
}

/// The coordinates with which `RESIZE_NEAREST_NEIGHBOR` selects the pixels of a sampling.
private enum NearestMode: CaseIterable {
  case halfPixel
  case asymmetric
  case alignCorners

  /// Finds the mode in which the kernel selects the same pixels; `nil` if there is none.
  init?(_ sampling: ImageSampling, _ lengths: [Int]) {
    let axes = [sampling.rows, sampling.columns]
    guard axes.allSatisfy({ $0.allSatisfy { $0.count == 1 && $0[0].share == 1 } }) else {
      return nil
    }
    let mode = Self.allCases.first { mode in
      zip(axes, lengths).allSatisfy { taps, length in
        taps.enumerated().allSatisfy { index, tap in
          mode.pixel(index, of: taps.count, from: length) == tap[0].pixel
        }
      }
    }
    guard let mode else { return nil }
    self = mode
  }

  /// Returns the pixel that the kernel selects.
  ///
  /// Source: tensorflow/lite/kernels/internal/reference/resize_nearest_neighbor.h, `GetNearestNeighbor`.
  private func pixel(_ index: Int, of count: Int, from length: Int) -> Int {
    let scale =
      self == .alignCorners && count > 1
      ? Float(length - 1) / Float(count - 1) : Float(length) / Float(count)
    let position = (Float(index) + (self == .halfPixel ? 0.5 : 0)) * scale
    let pixel = self == .alignCorners ? position.rounded() : position.rounded(.down)
    return max(0, min(Int(pixel), length - 1))
  }
}
