import Documents
import Files
import ModelIR
import Numpy
import Zlib

/// An `.npz` file whose stored arrays are read in place.
struct NpzFile: Sendable {
  struct Array: Sendable {
    /// The header of the array.
    let header: NumpyHeader
    /// The file that contains the values: the archive, or an unnamed temporary file if they were deflated.
    let file: RandomAccessFile
    /// The byte range of the values in `file`.
    let range: Range<Int>
    /// The bytes whose checksum has yet to be verified; `nil` if they were inflated.
    let unchecked: UncheckedPart?

    /// The values, in stored order.
    var values: FileTensorSource {
      FileTensorSource(
        file: file, offset: range.lowerBound, elementType: header.elementType,
        count: range.count / header.elementType.byteCount, byteOrder: header.byteOrder)
    }
  }

  /// The archive that contains the arrays.
  let archive: ZipArchive

  /// The names of the arrays, in archive order.
  var names: [String] {
    archive.entries.map(\.name).filter { $0.hasSuffix(Self.ending) }
      .map { String($0.dropLast(Self.ending.count)) }
  }

  /// The extension of array names in the archive.
  private static let ending = ".npy"

  /// Returns the array named `name`.
  ///
  /// - Throws: `badData` if there is none, it is not numeric, or its size does not agree with its header.
  func array(_ name: String) throws(NetconvError) -> Array {
    guard let entry = archive.entry(named: name + Self.ending) else {
      throw NetconvError.noSuchTensor(name, found: names).inFile(archive.file.path)
    }
    return try array(entry, called: name)
  }

  /// Returns the array in an entry.
  ///
  /// - Throws: `badData` if it is not numeric, or its size does not agree with its header.
  func array(_ entry: ZipArchive.Entry, called name: String) throws(NetconvError) -> Array {
    do throws(NetconvError) {
      let bytes = try archive.bytes(of: entry)
      return try Self.array(in: bytes.file, bytes.range, bytes.unchecked)
    } catch {
      throw error.inTensor(name).inFile(archive.file.path)
    }
  }

  private static func header(
    in file: RandomAccessFile, _ range: Range<Int>, most count: Int
  ) throws(NetconvError) -> NumpyHeader? {
    try NumpyHeader(file.bytes(at: range.lowerBound, count: min(range.count, count)))
  }

  /// Returns the array in a range of a file.
  ///
  /// - Throws: `badData` if it is not numeric, or its size does not agree with its header.
  static func array(
    in file: RandomAccessFile, _ range: Range<Int>, _ unchecked: UncheckedPart?
  ) throws(NetconvError) -> Array {
    // Nearly all headers fit in 256 bytes.
    var known = try header(in: file, range, most: 256)
    if known == nil { known = try header(in: file, range, most: NumpyHeader.sizeLimit + 12) }
    guard let header = known else { throw .notNumpy }
    let expected = try product(header.shape + [header.elementType.byteCount])
    let found = range.count - header.dataOffset
    guard found == expected else {
      throw .wrongArraySize(found, expected: expected, shape: header.shape, header.elementType)
    }
    return Array(
      header: header, file: file, range: range.upperBound - found..<range.upperBound,
      unchecked: unchecked)
  }
}

extension NetconvError {
  fileprivate static func wrongArraySize(
    _ found: Int, expected: Int, shape: [Int], _ type: ElementType
  ) -> NetconvError {
    NetconvError(
      .badData,
      "holds \(found) bytes of values, expected \(expected) (\(shape) of \(type.rawValue))")
  }
}
