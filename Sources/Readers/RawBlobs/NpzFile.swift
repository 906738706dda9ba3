import Documents
import Files
import ModelIR
import Numpy
import Zlib

/// An `.npz` file whose arrays are read where they lie.
struct NpzFile: Sendable {
  /// An array of the file.
  struct Array: Sendable {
    /// What stands before its values.
    let header: NumpyHeader
    /// The file that holds its values; a nameless one if they were deflated.
    let file: RandomAccessFile
    /// The bytes of its values in that file.
    let range: Range<Int>
    /// What of the archive still has to be compared with its checksum; `nil` if it was inflated.
    let unchecked: UncheckedPart?

    /// The values in the order in which they are stored.
    var values: FileTensorSource {
      FileTensorSource(
        file: file, offset: range.lowerBound, elementType: header.elementType,
        count: range.count / header.elementType.byteCount, byteOrder: header.byteOrder)
    }
  }

  /// The archive that the arrays are the entries of.
  let archive: ZipArchive

  /// The names of the arrays, in the order of the archive.
  var names: [String] {
    archive.entries.map(\.name).filter { $0.hasSuffix(Self.ending) }
      .map { String($0.dropLast(Self.ending.count)) }
  }

  /// What the name of an array has in the archive.
  private static let ending = ".npy"

  /// The array called `name`.
  ///
  /// - Throws: `badData` if there is none, it holds no numbers, or not as many as it says.
  func array(_ name: String) throws(NetconvError) -> Array {
    guard let entry = archive.entry(named: name + Self.ending) else {
      throw NetconvError.noSuchTensor(name, found: names).inFile(archive.file.path)
    }
    return try array(entry, called: name)
  }

  /// The array that an entry is.
  ///
  /// - Throws: `badData` if it holds no numbers, or not as many as it says.
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

  /// The array that a part of a file is.
  ///
  /// - Throws: `badData` if it holds no numbers, or not as many as it says.
  static func array(
    in file: RandomAccessFile, _ range: Range<Int>, _ unchecked: UncheckedPart?
  ) throws(NetconvError) -> Array {
    // Nearly all headers are that short.
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
