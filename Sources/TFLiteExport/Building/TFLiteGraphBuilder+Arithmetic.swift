import FlatBuffers
import ModelIR

/// Operators that compute values; the axes of their arguments include the batch.
extension TFLiteGraphBuilder {
  /// Applies an operator of one input to each value.
  mutating func unary(
    _ type: TFLiteBuiltin, _ x: TFLiteValue, _ options: Options? = nil
  ) -> TFLiteValue {
    add(type, [x], options, sizes: x.sizes)
  }

  /// Applies an operator of two inputs, which are broadcast.
  ///
  /// Source: tensorflow/lite/kernels: `add.cc`, `sub.cc`, `mul.cc`, `div.cc` (6, 5, 6 and 5 axes), `maximum_minimum.cc`,
  /// `pow.cc`, `floor_mod.cc`, `logical.cc`, `comparisons.cc` (4), `squared_difference.cc`; kernels of equal shapes take
  /// any number of axes.
  mutating func binary(
    _ type: TFLiteBuiltin, _ a: TFLiteValue, _ b: TFLiteValue, as number: TFLiteNumber = .float32
  ) throws(NetconvError) -> TFLiteValue {
    let sizes = Self.broadcast(a.sizes, b.sizes)
    if a.sizes != b.sizes {
      try check(type, sizes.count, most: Self.mostBroadcastAxes[type] ?? 4)
    }
    return add(type, [a, b], Self.options[type], sizes: sizes, as: number)
  }

  private static let mostBroadcastAxes: [TFLiteBuiltin: Int] = [
    .add: 5, .sub: 5, .mul: 5, .div: 5, .maximum: 5, .minimum: 5,
  ]

  /// The options of operators whose kernels require them.
  private static let options: [TFLiteBuiltin: Options] = [
    .add: (11, [:]), .sub: (28, [:]), .mul: (21, [:]), .div: (29, [:]),
  ]

  /// The sizes of values that are broadcast.
  static func broadcast(_ a: [TFLiteSize], _ b: [TFLiteSize]) -> [TFLiteSize] {
    let rank = max(a.count, b.count)
    let one = [TFLiteSize](repeating: .fixed(1), count: rank - a.count) + a
    let other = [TFLiteSize](repeating: .fixed(1), count: rank - b.count) + b
    return zip(one, other).map {
      $0 == .fixed(1) ? $1 : $1 == .fixed(1) ? $0 : $0.known == nil ? $1 : $0
    }
  }

  /// Selects values by truth values.
  ///
  /// Source: tensorflow/lite/kernels/select.cc: at most 5 axes where values are broadcast.
  mutating func choose(
    _ condition: TFLiteValue, _ a: TFLiteValue, _ b: TFLiteValue
  ) throws(NetconvError) -> TFLiteValue {
    let sizes = Self.broadcast(Self.broadcast(a.sizes, b.sizes), condition.sizes)
    if Set([a.sizes, b.sizes, condition.sizes]).count > 1 {
      try check(.selectV2, sizes.count, most: 5)
    }
    return add(.selectV2, [condition, a, b], (98, [:]), sizes: sizes)
  }

  /// Compares values, which are broadcast.
  mutating func compare(
    _ type: TFLiteBuiltin, _ a: TFLiteValue, _ b: TFLiteValue
  ) throws(NetconvError) -> TFLiteValue { try binary(type, a, b, as: .truth) }

  /// Converts values to another type.
  mutating func cast(_ x: TFLiteValue, to type: TFLiteNumber) -> TFLiteValue {
    guard x.type != type else { return x }
    let result = add(
      .cast, [x], (37, [0: .byte(x.type.rawValue), 1: .byte(type.rawValue)]), sizes: x.sizes,
      as: type)
    if x.type == .truth { truths[result.name] = x }
    return result
  }

  /// Converts numbers to truth values, which are true for numbers other than 0.
  mutating func truth(of x: TFLiteValue) throws(NetconvError) -> TFLiteValue {
    if let known = truths[x.name] { return known }
    return try compare(.notEqual, x, float(0))
  }

  /// Reduces a value along axes.
  mutating func reduce(
    _ type: TFLiteBuiltin, _ x: TFLiteValue, along axes: [Int], keeps: Bool = true
  ) -> TFLiteValue {
    guard !axes.isEmpty else { return x }
    let sizes = x.sizes.enumerated().compactMap { axis, size -> TFLiteSize? in
      axes.contains(axis) ? keeps ? .fixed(1) : nil : size
    }
    return add(type, [x, ints(axes.sorted())], (27, [0: .flag(keeps)]), sizes: sizes)
  }

  /// Multiplies matrices; axes in front of them are broadcast.
  ///
  /// Source: tensorflow/lite/kernels/batch_matmul.cc: at most 5 axes.
  mutating func multiply(
    _ a: TFLiteValue, _ b: TFLiteValue, transposes: (first: Bool, second: Bool) = (false, false)
  ) throws(NetconvError) -> TFLiteValue {
    let (one, other) = (a.sizes.suffix(2), b.sizes.suffix(2))
    guard let rows = transposes.first ? one.last : one.first,
      let columns = transposes.second ? other.first : other.last
    else { throw .openSizeForTFLite }
    let stack = Self.broadcast(Array(a.sizes.dropLast(2)), Array(b.sizes.dropLast(2)))
    try check(.batchMatMul, stack.count + 2, most: 5)
    return add(
      .batchMatMul, [a, b],
      (101, [0: .flag(transposes.first), 1: .flag(transposes.second)]),
      sizes: stack + [rows, columns])
  }

  /// Multiplies rows by a kernel of shape (out, in), and adds a bias.
  mutating func product(
    _ x: TFLiteValue, _ kernel: TFLiteValue, _ bias: TFLiteValue?, isMain: Bool = false
  ) -> TFLiteValue {
    add(
      .fullyConnected, [x, kernel] + (bias.map { [$0] } ?? []),
      (8, x.sizes.count == 2 ? [:] : [2: .flag(true)]),
      sizes: x.sizes.dropLast() + [kernel.sizes[0]], isMain: isMain)
  }
}
