import Files
import ModelIR

/// An array of samples along its first axis, in memory or, if it is too large, in its file.
public struct SampleArray: Sendable {
  /// The storage of the values.
  enum Storage: Sendable {
    /// Bytes.
    case bytes(ArraySlice<UInt8>)
    /// Float32 values in C order.
    case floats([Float])
    /// A file that is read on request.
    case file(StoredSamples)
  }

  /// The largest array that is held in memory, in bytes of float32.
  public static let heldSize = 32 << 20

  /// The size of each axis.
  public let shape: [Int]
  /// The dtype of the stored values.
  public let elementType: ElementType
  private let storage: Storage

  /// - Precondition: The storage has as many values as the shape.
  init(shape: [Int], elementType: ElementType, _ storage: Storage) {
    (self.shape, self.elementType, self.storage) = (shape, elementType, storage)
  }

  /// The number of samples.
  public var count: Int { shape.first ?? 1 }

  /// The number of values per sample.
  public var sampleSize: Int {
    // The product of the other sizes of an empty array may overflow.
    shape.contains(0) ? 0 : shape.dropFirst().reduce(1, *)
  }

  /// True if the values are in memory.
  package var isHeld: Bool { if case .file = storage { false } else { true } }

  /// The values of an array of bytes in memory; `nil` for others.
  package var bytes: ArraySlice<UInt8>? {
    if case .bytes(let bytes) = storage { bytes } else { nil }
  }

  /// Reads some samples into `values`, in C order.
  ///
  /// - Precondition: `values` has room for ``sampleSize`` values per sample.
  /// - Throws: `inputOutput` if the file cannot be read, `badData` if it was truncated.
  public func read(
    _ samples: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    let range = samples.lowerBound * sampleSize..<samples.upperBound * sampleSize
    switch storage {
    case .bytes(let bytes):
      bytes[(bytes.startIndex + range.lowerBound)..<(bytes.startIndex + range.upperBound)]
        .withUnsafeBytes { source in
          ElementType.uint8.decode(
            source, .native, into: UnsafeMutableBufferPointer(rebasing: values[..<source.count]))
        }
    case .floats(let floats):
      _ = values.update(fromContentsOf: floats[range])
    case .file(let stored): try stored.read(samples, into: values)
    }
  }

  /// The values of some samples.
  ///
  /// - Throws: Any error that ``read(_:into:)`` throws.
  public func values(of samples: Range<Int>) throws(NetconvError) -> [Float] {
    if samples == 0..<count, case .floats(let floats) = storage { return floats }
    return try [Float](count: samples.count * sampleSize) { buffer throws(NetconvError) in
      try read(samples, into: buffer)
    }
  }

  /// Some samples as an array.
  ///
  /// - Throws: `badData` if the memory is insufficient, or any error that ``read(_:into:)`` throws.
  package func samples(_ samples: Range<Int>) throws(NetconvError) -> NDArray<Float> {
    if !isHeld {
      try MemoryBound.check(file: product([samples.count, sampleSize, MemoryLayout<Float>.size]))
    }
    return NDArray(shape: [samples.count] + shape.dropFirst(), values: try values(of: samples))
  }

  /// Passes all values to `body`, a few samples at a time, with the index of the first value.
  ///
  /// - Throws: Any error that ``read(_:into:)`` or `body` throws.
  public func forEachPiece(
    _ body: (Int, UnsafeBufferPointer<Float>) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    let step = max(1, (1 << 16) / max(1, sampleSize))
    let piece = UnsafeMutableBufferPointer<Float>.allocate(
      capacity: min(step, count) * sampleSize)
    defer { piece.deallocate() }
    for first in stride(from: 0, to: count, by: step) {
      let samples = first..<min(first + step, count)
      let part = UnsafeMutableBufferPointer(rebasing: piece[..<(samples.count * sampleSize)])
      try read(samples, into: part)
      try body(first * sampleSize, UnsafeBufferPointer(part))
    }
  }

  /// Some samples, in memory.
  ///
  /// - Throws: Any error that ``read(_:into:)`` throws.
  func chosen(_ samples: [Int]) throws(NetconvError) -> SampleArray {
    let shape = [samples.count] + self.shape.dropFirst()
    if case .bytes(let bytes) = storage {
      let chosen = samples.flatMap { bytes.dropFirst($0 * sampleSize).prefix(sampleSize) }
      return SampleArray(shape: shape, elementType: elementType, .bytes(chosen[...]))
    }
    let values = try [Float](count: samples.count * sampleSize) { buffer throws(NetconvError) in
      for (place, sample) in samples.enumerated() {
        try read(
          sample..<sample + 1,
          into: UnsafeMutableBufferPointer(rebasing: buffer[(place * sampleSize)...]))
      }
    }
    return SampleArray(shape: shape, elementType: elementType, .floats(values))
  }

  /// Checks that the file of the values has not changed.
  ///
  /// - Throws: `inputOutput`.
  package func checkUnchanged() throws(NetconvError) {
    if case .file(let stored) = storage { try stored.file.checkUnchanged() }
  }
}

extension [Float] {
  /// Creates an array with a function that may fail.
  ///
  /// - Throws: Any error that `fill` throws.
  init(
    count: Int, _ fill: (UnsafeMutableBufferPointer<Float>) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    var failure: NetconvError?
    self.init(unsafeUninitializedCapacity: count) { buffer, initializedCount in
      do throws(NetconvError) {
        try fill(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
        initializedCount = count
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
