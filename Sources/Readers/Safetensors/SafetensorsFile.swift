import Documents
import Files
import ModelIR

/// A safetensors file whose header has been read and checked.
struct SafetensorsFile: Sendable {
  let file: RandomAccessFile
  let header: SafetensorsHeader
  /// Where the values begin, in bytes.
  let dataOffset: Int
  private let byName: [String: SafetensorsHeader.Tensor]

  /// Reads the header of `file`.
  ///
  /// - Throws: `badData` if it lies about sizes or places, or is damaged.
  init(_ file: RandomAccessFile) throws(NetconvError) {
    self.file = file
    do throws(NetconvError) {
      let length = try SafetensorsHeader.length(file.prefix(8), fileSize: file.size)
      dataOffset = 8 + length
      header = try SafetensorsHeader(
        file.bytes(at: 8, count: length), dataSize: file.size - dataOffset)
    } catch {
      throw error.inFile(file.path)
    }
    byName = Dictionary(header.tensors.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  /// What the header says of a tensor.
  subscript(name: String) -> SafetensorsHeader.Tensor? { byName[name] }

  /// The values of a tensor, where they lie.
  func values(of tensor: SafetensorsHeader.Tensor) -> FileTensorSource {
    FileTensorSource(
      file: file, offset: dataOffset + tensor.range.lowerBound, elementType: tensor.elementType,
      count: tensor.range.count / tensor.elementType.byteCount)
  }

  /// Every tensor by its name, without a layout.
  var stored: [(name: String, stored: StoredTensor)] {
    header.tensors.map { tensor in
      let stored = StoredTensor(
        source: values(of: tensor), layout: nil, shape: tensor.shape, path: tensor.name)
      return (tensor.name, stored)
    }
  }

  /// The layouts that netconv has written into the header; `nil` if it has not.
  ///
  /// - Throws: `badData` if they cannot be read.
  func layouts() throws(NetconvError) -> WeightsDocument? {
    guard let text = header.metadata[WeightsDocument.metadataKey] else { return nil }
    do throws(NetconvError) {
      return try JSONDocument.decode(WeightsDocument.self, from: Array(text.utf8))
    } catch {
      throw NetconvError.wrongLayoutMetadata(error).inFile(file.path)
    }
  }
}
