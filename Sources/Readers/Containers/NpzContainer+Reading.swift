import Documents
import Files
import ModelIR
import Numpy
import Zlib

extension NpzContainer: ReadableContainerFile {
  static func recognizes(_ prefix: [UInt8]) -> Bool { ZipArchive.isZip(prefix) }

  static func open(_ file: RandomAccessFile) throws(NetconvError) -> any OpenContainer {
    NpzFile(archive: try ZipArchive(file))
  }
}

extension NpzFile: OpenContainer {
  func copies(_ wanted: ConvertedCopies) throws(NetconvError) -> [ConvertedSource.Copy] {
    try wanted.copies { place, record throws(NetconvError) in
      let array = try array(place.tensor ?? place.file)
      let header = array.header
      guard array.unchecked != nil, array.range.count == place.length,
        header.byteOrder == .little, !header.isFortran || header.shape.count == 1
      else {
        throw NetconvError.missingEntry(place.tensor ?? place.file, length: place.length)
          .inFile(archive.file.path)
      }
      try record.check(header.elementType.rawValue, header.shape, in: array.file)
      return (array.file, array.range.lowerBound)
    }
  }
}
