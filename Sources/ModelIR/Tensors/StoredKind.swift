/// How a file stores a tensor whose values are no element type: as codes that a table or scales turn into numbers.
public struct StoredKind: Sendable, Equatable {
  /// The format's name for it: `F8_E4M3`, `Q4_K`.
  public let name: String
  /// Bytes as stored, with scales where they belong to the tensor.
  public let byteCount: Int

  /// A kind with its size in a file.
  public init(_ name: String, byteCount: Int) {
    self.name = name
    self.byteCount = byteCount
  }
}

/// Values that are listed and cannot be read.
public struct UnreadValues: TensorSource {
  /// The name of their kind, as the format has it.
  public let kind: String
  /// The number of values.
  public let count: Int

  /// So many values of a kind.
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

/// Codes of 8 bits that a table turns into numbers as they are read.
public struct CodedValues: TensorSource {
  private let codes: any TensorSource
  private let table: [Float]

  /// The number of each code.
  ///
  /// - Precondition: the codes are uint8, and the table has 256 numbers.
  public init(_ codes: any TensorSource, _ table: [Float]) {
    precondition(codes.elementType == .uint8 && table.count == 256, "\(codes.elementType)")
    self.codes = codes
    self.table = table
  }

  /// float32.
  public var elementType: ElementType { .float32 }
  /// The number of codes.
  public var count: Int { codes.count }
  /// As the source of the codes.
  public var isSequential: Bool { codes.isSequential }

  /// Reads codes, and puts the number of each in its place.
  public func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try codes.read(range, into: values)
    table.withUnsafeBufferPointer { table in
      for index in 0..<range.count { values[index] = table[Int(values[index])] }
    }
  }
}
