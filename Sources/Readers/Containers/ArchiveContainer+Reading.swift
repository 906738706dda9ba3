import Documents
import Files
import ModelIR
import Zlib

extension ArchiveContainer: ReadableContainerFile {
  static func recognizes(_ prefix: [UInt8]) -> Bool { ZipArchive.isZip(prefix) }

  static func open(_ file: RandomAccessFile) throws(NetconvError) -> any OpenContainer {
    OpenArchive(archive: try ZipArchive(file))
  }

  static func open(_ probe: SourceProbe) throws(NetconvError) -> any OpenContainer {
    OpenArchive(archive: try probe.openedArchive())
  }
}

/// An archive whose directory has been read.
private struct OpenArchive: OpenContainer {
  let archive: ZipArchive

  func copies(_ wanted: ConvertedCopies) throws(NetconvError) -> [ConvertedSource.Copy] {
    var byName: [String: ZipArchive.Entry] = [:]
    for entry in archive.entries { byName[entry.name] = entry }
    return try wanted.copies { place, _ throws(NetconvError) in
      let name = place.tensor ?? place.file
      guard let entry = byName[name], entry.method == 0, entry.storedSize == place.length else {
        throw NetconvError.missingEntry(name, length: place.length).inFile(archive.file.path)
      }
      return (archive.file, entry.dataOffset)
    }
  }

  func manifest() throws(NetconvError) -> [UInt8]? {
    guard let bytes = try companion(Manifest.fileName, limit: JSONDocument.sizeLimit) else {
      throw NetconvError.noManifest.inFile(archive.file.path)
    }
    return bytes
  }

  func companion(_ name: String, limit: Int) throws(NetconvError) -> [UInt8]? {
    guard let entry = archive.entry(named: name) else { return nil }
    return try archive.contents(of: entry, limit: limit)
  }
}
