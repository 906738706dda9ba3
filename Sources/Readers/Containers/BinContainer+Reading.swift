import Documents
import Files
import ModelIR

extension BinContainer: ReadableContainer {
  static func open(in folder: String) -> any OpenContainer { OpenBlobs(folder: folder) }
}

/// A folder of raw tensor files.
private struct OpenBlobs: OpenContainer {
  let folder: String

  func copies(_ wanted: ConvertedCopies) throws(NetconvError) -> [ConvertedSource.Copy] {
    try wanted.copies { place, _ throws(NetconvError) in
      let path = try ContainedPath(place.file, in: folder)
      guard path.kind != nil else { throw .missingBlob.inFile("\(folder)/\(place.file)") }
      let file = try path.open()
      guard file.size == place.length else {
        throw NetconvError.wrongFileSize(file.size, expected: place.length).inFile(file.path)
      }
      return (file, 0)
    }
  }
}

extension NetconvError {
  fileprivate static let missingBlob = NetconvError(
    .cannotOpen, "there is no such file, though the manifest lists it; convert the model again")

  fileprivate static func wrongFileSize(_ found: Int, expected: Int) -> NetconvError {
    NetconvError(
      .badData, "holds \(found) bytes, the manifest says \(expected); convert the model again")
  }
}
