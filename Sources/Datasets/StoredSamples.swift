import Files
import ModelIR
import Numpy

/// The values of an array in a file, read a few samples at a time.
struct StoredSamples: Sendable {
  /// The file.
  let file: RandomAccessFile
  /// The offset of the first value.
  private let offset: Int
  private let elementType: ElementType
  private let byteOrder: ByteOrder
  private let shape: [Int]
  /// The sizes of a sample's axes in Fortran order; `nil` for C order.
  private let fortranAxes: [Int]?

  /// Creates the values after the header of an `.npy` file at `start`.
  init(_ header: NumpyHeader, in file: RandomAccessFile, at start: Int) {
    self.file = file
    offset = start + header.dataOffset
    elementType = header.elementType
    byteOrder = header.byteOrder
    shape = header.shape
    // An array with one axis has the same order in both conventions.
    fortranAxes = header.isFortran && shape.count > 1 ? Array(shape.dropFirst()) : nil
  }

  /// Creates an array of bytes with `shape` at `offset`.
  init(bytesAt offset: Int, in file: RandomAccessFile, shape: [Int]) {
    (self.file, self.offset, self.shape) = (file, offset, shape)
    (elementType, byteOrder, fortranAxes) = (.uint8, .little, nil)
  }

  /// Reads some samples into `values`, in C order.
  ///
  /// - Throws: `inputOutput`, or `badData` if the file was truncated.
  func read(
    _ samples: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    let sampleSize = shape.dropFirst().reduce(1, *)
    guard let fortranAxes else {
      return try read(
        values: samples.lowerBound * sampleSize..<samples.upperBound * sampleSize, into: values)
    }
    // In Fortran order, an element of all samples is contiguous.
    let run = UnsafeMutableBufferPointer<Float>.allocate(capacity: samples.count)
    defer { run.deallocate() }
    for place in 0..<sampleSize {
      let first = shape[0] * place + samples.lowerBound
      try read(values: first..<first + samples.count, into: run)
      let target = Self.inCOrder(place, fortranAxes)
      for sample in 0..<samples.count { values[sample * sampleSize + target] = run[sample] }
    }
  }

  /// The index in C order of an index in Fortran order.
  private static func inCOrder(_ place: Int, _ axes: [Int]) -> Int {
    var rest = place
    var (target, stride) = (0, axes.reduce(1, *))
    for size in axes {
      stride /= size
      target += rest % size * stride
      rest /= size
    }
    return target
  }

  /// Reads a contiguous range of values from the file.
  private func read(
    values range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    let size = elementType.byteCount
    var done = 0
    let bytes = offset + range.lowerBound * size..<offset + range.upperBound * size
    // Chunks contain whole values.
    try file.forEachChunk(in: bytes) { chunk throws(NetconvError) in
      let part = done..<done + chunk.count / size
      elementType.decode(
        chunk, byteOrder, into: UnsafeMutableBufferPointer(rebasing: values[part]))
      done = part.upperBound
    }
  }
}
