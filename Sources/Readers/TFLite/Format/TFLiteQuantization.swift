import FlatBuffers
import ModelIR

/// The quantisation of a tensor: value = scale · (integer - zero point), per tensor or per index of an axis.
///
/// Source: tensorflow/lite/schema/schema.fbs, `QuantizationParameters`.
struct TFLiteQuantization: Sendable {
  private enum Field {
    static let scale = 2
    static let zeroPoint = 3
    static let detailsType = 4
    static let dimension = 6
  }

  /// The scales: one for the tensor, or one per index of ``axis``.
  let scales: [Float]
  /// The zero points, one per scale.
  let zeroPoints: [Int]
  let axis: Int

  /// Reads the scales of a tensor; `nil` if it has none.
  ///
  /// - Throws: `badData` if the quantisation is not affine, or the number of scales does not match the shape.
  init?(_ table: FlatTable?, shape: [Int]) throws(NetconvError) {
    guard let table else { return nil }
    guard try table.unsigned(Field.detailsType, width: 1) == 0 else { throw .blockwiseScales }
    guard let scales = try table.numbers(Field.scale), !scales.isEmpty else { return nil }
    let points = try table.integers(Field.zeroPoint, Int64.self) ?? []
    axis = try table.integer(Field.dimension)
    guard scales.count == 1 || shape.indices.contains(axis) && shape[axis] == scales.count,
      [0, 1, scales.count].contains(points.count)
    else {
      throw .wrongTFLiteScales(scales.count, points.count, axis: axis, shape)
    }
    if let index = scales.firstIndex(where: { !$0.isFinite }) {
      throw .wrongScale(scales[index], channel: index)
    }
    guard points.allSatisfy({ abs(Double($0)) <= 0x1p32 }) else {
      throw .wrongTFLiteScales(scales.count, points.count, axis: axis, shape)
    }
    self.scales = scales
    zeroPoints =
      points.count == scales.count
      ? points : [Int](repeating: points.first ?? 0, count: scales.count)
  }
}

/// Dequantised values.
///
/// Products are computed in float64 and rounded to float32 once. For integers of up to 16 bits the product is exact
/// before that rounding; for wider ones, a 33-bit difference times a 24-bit scale may lose its last bits.
///
/// Source: tensorflow/lite/kernels/internal/reference/dequantize.h.
struct DequantizedTFLiteSource: TensorSource {
  /// The stored integers.
  let integers: any TensorSource
  private let quantization: TFLiteQuantization
  /// The number of consecutive values that share a scale.
  private let run: Int

  init(_ integers: any TensorSource, _ quantization: TFLiteQuantization, shape: [Int]) {
    self.integers = integers
    self.quantization = quantization
    run =
      quantization.scales.count == 1
      ? max(1, integers.count) : shape[(quantization.axis + 1)...].reduce(1, *)
  }

  var elementType: ElementType { .float32 }
  var count: Int { integers.count }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    let numbers = UnsafeMutableBufferPointer<Double>.allocate(capacity: range.count)
    defer { numbers.deallocate() }
    try integers.read(range, into: numbers)
    var index = range.lowerBound
    while index < range.upperBound {
      let end = min(range.upperBound, (index / run + 1) * run)
      let channel = index / run % quantization.scales.count
      let scale = Double(quantization.scales[channel])
      let zero = Double(quantization.zeroPoints[channel])
      for place in index - range.lowerBound..<end - range.lowerBound {
        values[place] = Float(scale * (numbers[place] - zero))
      }
      index = end
    }
  }
}

extension NetconvError {
  fileprivate static var blockwiseScales: NetconvError {
    NetconvError(
      .badData, "the scales are for blocks of values, or a program's own, which is not read")
  }

  fileprivate static func wrongTFLiteScales(
    _ scales: Int, _ points: Int, axis: Int, _ shape: [Int]
  ) -> NetconvError {
    NetconvError(
      .badData,
      "there are \(scales) scales and \(points) zero points along the axis \(axis) of the shape \(shape), which do not fit"
    )
  }
}
