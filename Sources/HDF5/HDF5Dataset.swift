import ModelIR

/// The values of a dataset, for reading in part or completely.
public struct HDF5Dataset: TensorSource {
  /// The metadata of the dataset.
  public let entry: HDF5DatasetEntry
  /// The element type of the stored values.
  public let elementType: ElementType
  /// The number of values.
  public let count: Int
  private let window: HDF5Window
  private let reader: any ValueReader

  /// Checks that the values of `entry` can be read.
  ///
  /// - Parameter opaqueType: The type of opaque little-endian values, if the caller knows it.
  /// - Throws: `badData` with the reason why they cannot be read.
  init(
    _ entry: HDF5DatasetEntry, in window: HDF5Window, _ reader: any ValueReader,
    opaqueType: ElementType? = nil
  ) throws(NetconvError) {
    switch entry.storage {
    case .external(let name): throw .valuesInOtherFile(name)
    case .virtual(let name): throw .virtualDataset(name)
    default: break
    }
    switch entry.type {
    case .number(let type, _): elementType = type
    case .opaque(let byteCount):
      guard let opaqueType, opaqueType.byteCount == byteCount else {
        throw .unsupportedType("opaque value of \(byteCount) bytes")
      }
      elementType = opaqueType
    case .unsupported(let words): throw .unsupportedType(words)
    }
    if let filter = entry.filters.first(where: { !$0.isSupported }) {
      throw .unsupportedFilter(filter)
    }
    self.entry = entry
    self.window = window
    self.reader = reader
    count = try product(entry.shape)
    let byteCount = try product([count, elementType.byteCount])
    if case .contiguous(let offset) = entry.storage {
      let (end, overflow) = offset.addingReportingOverflow(byteCount)
      guard !overflow, end <= window.size else {
        throw .truncatedValues(
          offset: offset, byteCount: byteCount, fileSize: window.size)
      }
    }
  }

  /// The dataset's shortest absolute path.
  public var path: String { entry.path }

  /// The sizes of the axes, slowest first; empty for a scalar.
  public var shape: [Int] { entry.shape }

  /// The storage of the values.
  public var storage: HDF5Storage { entry.storage }

  /// The offset of the values in the file, if they are contiguous.
  private var offset: Int? {
    if case .contiguous(let offset) = storage { offset } else { nil }
  }

  /// The byte order of values after reading; libhdf5 converts known types to native order.
  private var byteOrder: ByteOrder {
    if case .number(_, let order) = entry.type { offset == nil ? .native : order } else { .little }
  }

  /// True if the values must be read through libhdf5, which decodes whole chunks.
  public var isSequential: Bool { offset == nil }

  /// Reads the values in `range`, in stored order, as float32.
  ///
  /// Contiguous values are read from the file directly and from any number of threads. All others are read through
  /// libhdf5, one thread at a time and fastest from front to back.
  /// - Throws: `inputOutput` if the file cannot be read; `badData` if it is damaged.
  public func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    check(range, places: values.count)
    guard !range.isEmpty else { return }
    try placing(tensor: path, file: window.file.path) { () throws(NetconvError) in
      if elementType == .float32, byteOrder == .native {
        try readStored(range, into: UnsafeMutableRawBufferPointer(values))
      } else {
        try readConverting(range, into: values)
      }
    }
  }

  /// Reads the values in `range`, in stored order, as float64.
  ///
  /// - Throws: The same errors as for float32.
  public func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    check(range, places: values.count)
    guard !range.isEmpty else { return }
    try placing(tensor: path, file: window.file.path) { () throws(NetconvError) in
      try forEachPiece(of: range) { bytes, part in
        let places = part.lowerBound - range.lowerBound..<part.upperBound - range.lowerBound
        elementType.decode(
          bytes, byteOrder, into: UnsafeMutableBufferPointer(rebasing: values[places]))
      }
    }
  }

  private func check(_ range: Range<Int>, places: Int) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the dataset")
    precondition(places == range.count, "one place for each value")
  }

  /// Counts the values in `range` that overflow float32 but not float64.
  ///
  /// - Throws: The errors of ``read(_:into:)``.
  public func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
    var overflow = Overflow()
    guard elementType == .float64 else { return overflow }
    try placing(tensor: path, file: window.file.path) { () throws(NetconvError) in
      try forEachPiece(of: range) { bytes, part in
        overflow.add(Overflow(ofFloat64: bytes, byteOrder, from: part.lowerBound))
      }
    }
    return overflow
  }

  /// Reads the values in `range` without conversion, in ``byteOrder``.
  private func readStored(
    _ range: Range<Int>, into buffer: UnsafeMutableRawBufferPointer
  ) throws(NetconvError) {
    guard let offset else {
      return try reader.read(range, of: StoredValues(entry), into: buffer)
    }
    let place = offset + elementType.byteCount * range.lowerBound
    let count = try window.read(at: place, into: buffer)
    guard count == buffer.count else {
      throw .truncatedValues(offset: place, byteCount: buffer.count, fileSize: place + count)
    }
  }

  /// Reads and converts values; libhdf5 only swaps bytes, because its rounding depends on the byte order in the file.
  private func readConverting(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try forEachPiece(of: range) { bytes, part in
      let first = part.lowerBound - range.lowerBound
      elementType.decode(
        bytes, byteOrder,
        into: UnsafeMutableBufferPointer(rebasing: values[first..<(first + part.count)]))
    }
  }

  /// Reads the values piece by piece, without a copy of the whole.
  private func forEachPiece(
    of range: Range<Int>, _ body: (UnsafeRawBufferPointer, Range<Int>) -> Void
  ) throws(NetconvError) {
    let pieceCount = min(range.count, 1 << 16)
    let size = elementType.byteCount
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceCount * size, alignment: 8)
    defer { piece.deallocate() }
    for start in stride(from: range.lowerBound, to: range.upperBound, by: pieceCount) {
      let part = start..<min(start + pieceCount, range.upperBound)
      let bytes = UnsafeMutableRawBufferPointer(rebasing: piece[..<(part.count * size)])
      try readStored(part, into: bytes)
      body(UnsafeRawBufferPointer(bytes), part)
    }
  }
}

extension NetconvError {
  fileprivate static func valuesInOtherFile(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "its values are in the file \(quoted(name)) (external storage), but netconv opens no other "
        + "file; write the dataset into this one")
  }

  fileprivate static func virtualDataset(_ name: String?) -> NetconvError {
    NetconvError(
      .badData,
      "is a virtual dataset, composed of "
        + (name.map { "the file \(quoted($0)), but netconv opens no other file" }
          ?? "others of this file, which netconv does not read")
        + "; write it as an ordinary dataset")
  }

  fileprivate static func unsupportedFilter(_ filter: HDF5Filter) -> NetconvError {
    NetconvError(
      .badData,
      "is compressed with the filter \(quoted(filter.name)) (id \(filter.id)), expected deflate, "
        + "shuffle or fletcher32; write it again with one of these, or h5repack -f NONE")
  }

  fileprivate static func truncatedValues(offset: Int, byteCount: Int, fileSize: Int)
    -> NetconvError
  {
    NetconvError(
      .badData,
      "the file is truncated: the values take \(byteCount) bytes from byte \(offset) on, and the "
        + "file ends after \(fileSize); copy or download it again")
  }
}
