import Documents
import Files
import ModelIR

extension SafetensorsContainer: ReadableContainerFile {
  static func recognizes(_ prefix: [UInt8]) -> Bool { SafetensorsHeader.recognizes(prefix) }

  static func open(_ file: RandomAccessFile) throws(NetconvError) -> any OpenContainer {
    try SafetensorsFile(file)
  }
}

extension SafetensorsFile: OpenContainer {
  func copies(_ wanted: ConvertedCopies) throws(NetconvError) -> [ConvertedSource.Copy] {
    try wanted.copies { place, record throws(NetconvError) in
      let name = place.tensor ?? place.file
      guard let tensor = self[name], tensor.range.count == place.length else {
        throw NetconvError.missingEntry(name, length: place.length).inFile(file.path)
      }
      try record.check(tensor.type.name, tensor.shape, in: file)
      return (file, dataOffset + tensor.range.lowerBound)
    }
  }
}
