import ModelIR

/// Constants that are stored in fewer bits.
///
/// Source: coremltools, converters/mil/mil/ops/defs/iOS16/constexpr_ops.py.
enum CoreMLConstants {
  /// Returns the shape and the values of a constant.
  ///
  /// - Throws: `badData` for a form that is not read, or if parts of it do not fit together.
  static func constant(
    _ operation: CoreMLOperation
  ) throws(NetconvError) -> (shape: [Int], source: any TensorSource) {
    let parts = Parts(operation)
    switch operation.type {
    case "constexpr_cast":
      let value = try parts.value("source_val")
      return (value.shape, try parts.source("source_val"))
    case "constexpr_affine_dequantize": return try affine(parts)
    case "constexpr_lut_to_dense" where operation.inputs["lut"] == nil: return try palette(parts)
    case "constexpr_sparse_to_dense" where operation.inputs["mask"] == nil:
      return try sparse(parts)
    default: throw .unreadUse("\(operation.type) of this form")
    }
  }

  /// The parts of a constant by name.
  private struct Parts {
    let operation: CoreMLOperation

    init(_ operation: CoreMLOperation) { self.operation = operation }

    func value(_ name: String) throws(NetconvError) -> CoreMLValue {
      if let value = operation.attributes[name] { return value }
      if case .value(let value)? = operation.inputs[name]?.first { return value }
      throw .missingAttribute(name)
    }

    func source(_ name: String) throws(NetconvError) -> any TensorSource {
      guard case .numbers(let source) = try value(name).content else {
        throw .missingAttribute(name)
      }
      return source
    }

    func numbers(_ name: String) throws(NetconvError) -> [Float] {
      guard let numbers = try value(name).numbers() else { throw .missingAttribute(name) }
      return numbers.map { Float($0) }
    }

    /// The shape that a part states.
    func shape() throws(NetconvError) -> [Int] {
      let sizes = try numbers("shape").map { Int(exactly: $0) ?? -1 }
      guard sizes.allSatisfy({ $0 >= 0 }) else { throw .wrongParts(operation.type) }
      return sizes
    }
  }

  private static func affine(
    _ parts: Parts
  ) throws(NetconvError) -> (shape: [Int], source: any TensorSource) {
    let shape = try parts.value("quantized_data").shape
    let codes = try parts.source("quantized_data")
    let (scales, zeros) = (try parts.numbers("scale"), try parts.numbers("zero_point"))
    let stated = try parts.numbers("axis").first.flatMap { Int(exactly: $0) } ?? 0
    let axis = stated < 0 ? stated + shape.count : stated
    guard shape.indices.contains(axis),
      [scales, zeros].allSatisfy({ $0.count == 1 || $0.count == shape[axis] })
    else { throw .wrongParts(parts.operation.type) }
    let repeated = { (values: [Float]) in
      values.count == 1 ? [Float](repeating: values[0], count: shape[axis]) : values
    }
    return (
      shape,
      DequantizedIntegers(
        integers: codes, scales: repeated(scales), zeroPoints: repeated(zeros),
        inner: shape[(axis + 1)...].reduce(1, *))
    )
  }

  private static func palette(
    _ parts: Parts
  ) throws(NetconvError) -> (shape: [Int], source: any TensorSource) {
    let (shape, table) = (try parts.shape(), try parts.numbers("lut"))
    let codes = try parts.source("indices")
    let count = try product(shape)
    let bits = table.count.trailingZeroBitCount
    guard [1, 2, 4, 6, 8].contains(bits), table.count == 1 << bits,
      codes.count == (try product([count, bits]) + 7) / 8
    else { throw .wrongParts(parts.operation.type) }
    let indices = BitCodes(bytes: codes, bits: bits, count: count, startsHigh: false)
    return (shape, TableValues(indices: indices, table: table))
  }

  private static func sparse(
    _ parts: Parts
  ) throws(NetconvError) -> (shape: [Int], source: any TensorSource) {
    let shape = try parts.shape()
    let count = try product(shape)
    let mask = try parts.source("mask")
    guard mask.count == (count + 7) / 8 else { throw .wrongParts(parts.operation.type) }
    let source = try SparseValues(
      values: parts.source("nonzero_data"), mask: mask, count: count)
    guard source.starts.last == source.values.count else {
      throw .wrongParts(parts.operation.type)
    }
    return (shape, source)
  }
}

/// Values where a mask has a bit, the first in the lowest, and zeros elsewhere.
private struct SparseValues: TensorSource {
  let values: any TensorSource
  let mask: any TensorSource
  let count: Int
  /// The number of values before each block of the mask, and at its end.
  let starts: [Int]

  /// The number of bytes of a block of the mask.
  private static let block = 4096

  var elementType: ElementType { .float32 }

  init(values: any TensorSource, mask: any TensorSource, count: Int) throws(NetconvError) {
    (self.values, self.mask, self.count) = (values, mask, count)
    var starts = [0]
    for start in stride(from: 0, to: mask.count, by: Self.block) {
      let bytes = try mask.bytes(start..<min(start + Self.block, mask.count))
      starts.append(starts[starts.count - 1] + bytes.reduce(0) { $0 + $1.nonzeroBitCount })
    }
    self.starts = starts
  }

  func read(
    _ range: Range<Int>, into result: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    guard !range.isEmpty else { return }
    let block = range.lowerBound / 8 / Self.block
    let first = block * Self.block
    let bytes = try mask.bytes(first..<(range.upperBound + 7) / 8)
    let isSet = { (index: Int) in bytes[index / 8 - first] >> (index % 8) & 1 == 1 }
    let start = (first * 8..<range.lowerBound).reduce(starts[block]) { $0 + (isSet($1) ? 1 : 0) }
    let number = range.reduce(0) { $0 + (isSet($1) ? 1 : 0) }
    guard start + number <= values.count else {
      throw NetconvError.wrongParts("constexpr_sparse_to_dense")
    }
    var own = [Float](repeating: 0, count: number)
    var failure: NetconvError?
    own.withUnsafeMutableBufferPointer { buffer in
      do throws(NetconvError) {
        try values.read(start..<start + number, into: buffer)
      } catch { failure = error }
    }
    if let failure { throw failure }
    var next = 0
    for (place, index) in range.enumerated() {
      result[place] = isSet(index) ? own[next] : 0
      if isSet(index) { next += 1 }
    }
  }
}

extension NetconvError {
  fileprivate static func wrongParts(_ operation: String) -> NetconvError {
    NetconvError(.badData, "the parts of \(operation) do not fit together")
  }
}
