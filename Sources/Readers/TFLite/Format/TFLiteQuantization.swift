import FlatBuffers
import ModelIR

/// What integers of a tensor stand for: scale · (integer - zero point), for the whole tensor or each index of an axis.
///
/// Source: tensorflow/lite/schema/schema.fbs, `QuantizationParameters`.
struct TFLiteQuantization: Sendable {
  private enum Field {
    static let scale = 2
    static let zeroPoint = 3
    static let detailsType = 4
    static let dimension = 6
  }

  /// One, or one for each index of ``axis``.
  let scales: [Float]
  /// As many as scales.
  let zeroPoints: [Int]
  let axis: Int

  /// Reads the scales of a tensor; `nil` if it has none.
  ///
  /// - Throws: `badData` if there are scales of another kind, or their number does not fit.
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

/// Integers as the numbers that their scales make of them.
///
/// A value is the product in Double, rounded to float32 once: a difference of 33 bits times a scale of 24 fits into
/// Double but for its last bits, and for integers of up to 16 bits the result is exact but for that rounding.
///
/// Source: tensorflow/lite/kernels/internal/reference/dequantize.h.
struct DequantizedTFLiteSource: TensorSource {
  private let integers: any TensorSource
  private let quantization: TFLiteQuantization
  /// The number of values that are next to each other and of one scale.
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
