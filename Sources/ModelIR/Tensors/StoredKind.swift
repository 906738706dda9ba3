/// The stored form of a tensor without an element type: codes that are decoded by a table or by scales.
public struct StoredKind: Sendable, Equatable {
  /// The name in the format, such as `F8_E4M3` or `Q4_K`.
  public let name: String
  /// The size in the file in bytes, including scales that belong to the tensor.
  public let byteCount: Int

  /// Creates a stored form with its size in bytes.
  public init(_ name: String, byteCount: Int) {
    self.name = name
    self.byteCount = byteCount
  }
}

/// Values that netconv lists but cannot decode.
public struct UnreadValues: TensorSource {
  /// The name of the stored form in the format.
  public let kind: String
  /// The number of values.
  public let count: Int

  /// Creates a placeholder for `count` values.
  public init(kind: String, count: Int) {
    self.kind = kind
    self.count = count
  }

  /// float32.
  public var elementType: ElementType { .float32 }

  /// - Throws: `badData`, always.
  public func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    throw NetconvError(.badData, "is of the type \(kind), which netconv lists and does not read")
  }
}

/// 8-bit codes that are decoded by a table.
public struct CodedValues: TensorSource {
  let codes: any TensorSource
  let table: [Float]

  /// Creates values from codes and the value of each code.
  ///
  /// - Precondition: The codes are uint8, and the table has 256 values.
  public init(_ codes: any TensorSource, _ table: [Float]) {
    precondition(codes.elementType == .uint8 && table.count == 256, "\(codes.elementType)")
    self.codes = codes
    self.table = table
  }

  /// float32.
  public var elementType: ElementType { .float32 }
  /// The number of codes.
  public var count: Int { codes.count }
  /// True if the codes must be read in order.
  public var isSequential: Bool { codes.isSequential }

  /// Reads and decodes codes.
  public func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try codes.read(range, into: values)
    table.withUnsafeBufferPointer { table in
      for index in 0..<range.count { values[index] = table[Int(values[index])] }
    }
  }
}
