import Documents
import Files
import ModelIR

extension BinContainer: ReadableContainer {
  static func open(in folder: String) -> any OpenContainer { OpenBlobs(folder: folder) }
}

/// A folder of blobs.
private struct OpenBlobs: OpenContainer {
  let folder: String

  func copies(_ wanted: ConvertedCopies) throws(NetconvError) -> [ConvertedSource.Copy] {
    try wanted.copies { place, _ throws(NetconvError) in
      let contained = try ContainedPath(place.file, in: folder)
      let path = "\(folder)/\(place.file)"
      guard try Directory.kind(of: path) != nil else { throw .missingBlob.inFile(path) }
      let file = try contained.open()
      guard file.size == place.length else {
        throw NetconvError.wrongFileSize(file.size, expected: place.length).inFile(file.path)
      }
      return (file, 0)
    }
  }
}
