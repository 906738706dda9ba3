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
      try self.place(of: place.tensor ?? place.file, place.length, record)
    }
  }

  /// Locates a tensor of a manifest.
  ///
  /// - Throws: `badData` if it is missing or differs from its record.
  func place(
    of name: String, _ length: Int, _ record: TensorRecord
  ) throws(NetconvError) -> (RandomAccessFile, Int) {
    guard let tensor = self[name], tensor.range.count == length else {
      throw NetconvError.missingEntry(name, length: length).inFile(file.path)
    }
    try record.check(tensor.type.name, tensor.shape, in: file)
    return (file, dataOffset + tensor.range.lowerBound)
  }
}
