import Documents
import Files
import ModelIR
import Numpy
import Zlib

/// The tensors of a manifest in one of the formats that were written beside it.
struct ConvertedCopies {
  private let manifest: Manifest
  private let format: String

  /// The tensors of `manifest` in `format`, by its name in ``Manifest/formatNames``.
  init(_ manifest: Manifest, _ format: String) {
    self.manifest = manifest
    self.format = format
  }

  /// Every tensor in a file of its own in `folder`.
  ///
  /// - Throws: `cannotOpen`, or `badData` if a file has another size than the manifest says.
  func blobs(in folder: String) throws(NetconvError) -> [ConvertedSource.Copy] {
    try copies { place, _ throws(NetconvError) in
      let file = try ContainedPath(place.file, in: folder).open()
      guard file.size == place.length else {
        throw NetconvError.wrongFileSize(file.size, expected: place.length).inFile(file.path)
      }
      return (file, 0)
    }
  }

  /// Every tensor in a stored entry of `archive`.
  ///
  /// - Throws: `badData` if one is missing, compressed, or of another length or at another place than the
  ///   manifest says.
  func entries(of archive: ZipArchive) throws(NetconvError) -> [ConvertedSource.Copy] {
    var byName: [String: ZipArchive.Entry] = [:]
    for entry in archive.entries { byName[entry.name] = entry }
    return try copies { place, _ throws(NetconvError) in
      let name = place.tensor ?? place.file
      guard let entry = byName[name], entry.method == 0, entry.storedSize == place.length else {
        throw NetconvError.missingEntry(name, length: place.length).inFile(archive.file.path)
      }
      return (archive.file, entry.dataOffset)
    }
  }

  /// Every tensor in a safetensors file.
  ///
  /// - Throws: `badData` if one is missing, or another than the manifest says.
  func tensors(of container: SafetensorsFile) throws(NetconvError) -> [ConvertedSource.Copy] {
    try copies { place, record throws(NetconvError) in
      let name = place.tensor ?? place.file
      guard let tensor = container[name], tensor.range.count == place.length else {
        throw NetconvError.missingEntry(name, length: place.length).inFile(container.file.path)
      }
      try compare(tensor.elementType, tensor.shape, with: record, container.file)
      return (container.file, container.dataOffset + tensor.range.lowerBound)
    }
  }

  /// Every tensor in an `.npz` file.
  ///
  /// - Throws: `badData` if one is missing, or another than the manifest says.
  func arrays(of container: NpzFile) throws(NetconvError) -> [ConvertedSource.Copy] {
    try copies { place, record throws(NetconvError) in
      let array = try container.array(place.tensor ?? place.file)
      let header = array.header
      guard array.unchecked != nil, array.range.count == place.length,
        header.byteOrder == .little, !header.isFortran || header.shape.count == 1
      else {
        throw NetconvError.missingEntry(place.tensor ?? place.file, length: place.length)
          .inFile(container.archive.file.path)
      }
      try compare(header.elementType, header.shape, with: record, array.file)
      return (array.file, array.range.lowerBound)
    }
  }

  private func compare(
    _ type: ElementType, _ shape: [Int], with record: TensorRecord, _ file: RandomAccessFile
  ) throws(NetconvError) {
    guard type.rawValue == record.dtype, shape == record.shape else {
      throw NetconvError.differentContents(
        "\(type.rawValue) \(shape)", manifest: "\(record.dtype) \(record.shape)"
      ).inFile(file.path)
    }
  }

  /// Finds every tensor, and checks that it begins where the manifest says.
  private func copies(
    _ find: (TensorRecord.Place, TensorRecord) throws(NetconvError) -> (RandomAccessFile, Int)
  ) throws(NetconvError) -> [ConvertedSource.Copy] {
    var copies: [ConvertedSource.Copy] = []
    for record in manifest.tensors {
      do throws(NetconvError) {
        guard let place = record.places[format] else { throw .missingPlace(format) }
        let (file, offset) = try find(place, record)
        guard place.offset == offset else {
          throw NetconvError.wrongOffset(place.offset, found: offset).inFile(file.path)
        }
        copies.append(
          ConvertedSource.Copy(record: record, file: file, range: offset..<offset + place.length))
      } catch {
        throw error.inTensor(record.role).inLayer(record.layer)
      }
    }
    return copies
  }
}

extension Manifest {
  /// The bytes of the manifest in an archive.
  ///
  /// - Throws: `badData` if there is none or it is damaged.
  static func bytes(in archive: ZipArchive) throws(NetconvError) -> [UInt8] {
    guard let entry = archive.entry(named: Manifest.fileName) else {
      throw NetconvError.noManifest.inFile(archive.file.path)
    }
    return try archive.contents(of: entry, limit: JSONDocument.sizeLimit)
  }
}
