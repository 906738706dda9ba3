import ModelIR

/// The values of a dataset, to be read in part or whole.
public struct HDF5Dataset: TensorSource {
  /// What the dataset is like.
  public let entry: HDF5DatasetEntry
  /// How one value is stored.
  public let elementType: ElementType
  /// The number of values.
  public let count: Int
  private let window: HDF5Window
  private let reader: any ValueReader

  /// Checks that the values of `entry` can be read.
  ///
  /// - Parameter opaqueType: what opaque values are, little-endian, if the caller knows.
  /// - Throws: `badData` saying what is in the way.
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

  /// The sizes of its dimensions, slowest first; empty for a scalar.
  public var shape: [Int] { entry.shape }

  /// Where the values are.
  public var storage: HDF5Storage { entry.storage }

  /// Where the values are in the file, if they lie there one after the other.
  private var offset: Int? {
    if case .contiguous(let offset) = storage { offset } else { nil }
  }

  /// The order of the bytes of a value that was read; libhdf5 puts those that it knows into this machine's.
  private var byteOrder: ByteOrder {
    if case .number(_, let order) = entry.type { offset == nil ? .native : order } else { .little }
  }

  /// Whether they have to be read through libhdf5, which looks up every part and unpacks whole chunks.
  public var isSequential: Bool { offset == nil }

  /// Reads the values at `range`, in stored order, as float32.
  ///
  /// Contiguous values are read from the file at their place, by any number of threads at once; everything
  /// else through libhdf5, one at a time, and fastest from front to back.
  /// - Throws: `inputOutput` if the system cannot read; `badData` if what it reads is damaged.
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

  /// Reads the values at `range`, in stored order, as float64.
  ///
  /// - Throws: as for float32.
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

  /// Counts the values at `range` that float64 can hold, but not float32.
  ///
  /// - Throws: as ``read(_:into:)``.
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

  /// Reads the values at `range` as they are stored, but in ``byteOrder``.
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

  /// Reads and converts; libhdf5 only swaps bytes, since the way in which it rounds depends on the byte
  /// order in the file.
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

  /// Reads a piece at a time, so that no copy of the whole is needed.
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
