import Documents
import Files
import ModelIR

extension JoinedContainer: ReadableContainer {
  static func open(in folder: String) throws(NetconvError) -> any OpenContainer {
    OpenJoined(file: try ContainedPath(file, in: folder).open())
  }
}

private struct OpenJoined: OpenContainer {
  let file: RandomAccessFile

  func copies(_ wanted: ConvertedCopies) throws(NetconvError) -> [ConvertedSource.Copy] {
    try wanted.copies { place, _ in (file, place.offset) }
  }
}
