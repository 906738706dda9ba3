import Documents
import Files
import ModelIR

/// A safetensors file whose header has been read and checked.
struct SafetensorsFile: Sendable {
  let file: RandomAccessFile
  let header: SafetensorsHeader
  /// The offset of the values in the file.
  let dataOffset: Int
  private let byName: [String: SafetensorsHeader.Tensor]

  /// Reads the header of `file`.
  ///
  /// - Parameter allowsHoles: True to accept bytes that belong to no tensor, for inspection.
  /// - Throws: `badData` if a size or offset is invalid, or the file is damaged.
  init(_ file: RandomAccessFile, allowsHoles: Bool = false) throws(NetconvError) {
    self.file = file
    do throws(NetconvError) {
      let length = try SafetensorsHeader.length(file.prefix(8), fileSize: file.size)
      dataOffset = 8 + length
      header = try SafetensorsHeader(
        file.bytes(at: 8, count: length), dataSize: file.size - dataOffset)
      if !allowsHoles { try header.checkCoverage() }
    } catch {
      throw error.inFile(file.path)
    }
    byName = Dictionary(header.tensors.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  /// The header entry of a tensor; `nil` if there is none.
  subscript(name: String) -> SafetensorsHeader.Tensor? { byName[name] }

  /// Returns the values of a tensor, which remain in the file.
  func values(of tensor: SafetensorsHeader.Tensor) -> any TensorSource {
    if let type = tensor.type.elementType { return plain(tensor, as: type) }
    if let float8 = tensor.type.float8 {
      return CodedValues(plain(tensor, as: .uint8), float8.numbers)
    }
    return UnreadValues(
      kind: tensor.type.rawValue, count: tensor.range.count * 8 / tensor.type.bitCount)
  }

  /// Returns the values of a tensor, reinterpreted as a type of the same size.
  func plain(
    _ tensor: SafetensorsHeader.Tensor, as type: ElementType
  ) -> FileTensorSource {
    FileTensorSource(
      file: file, offset: dataOffset + tensor.range.lowerBound, elementType: type,
      count: tensor.range.count / type.byteCount)
  }

  /// All tensors by name, without layouts.
  var stored: [(name: String, stored: StoredTensor)] {
    header.tensors.map { tensor in
      var stored = StoredTensor(
        source: values(of: tensor), layout: nil, shape: tensor.shape, path: tensor.name)
      if tensor.type.elementType == nil {
        stored.kind = StoredKind(tensor.type.rawValue, byteCount: tensor.range.count)
      }
      return (tensor.name, stored)
    }
  }

  /// The error about bytes that belong to no tensor; `nil` if there are none.
  var holeProblem: NetconvError? {
    do throws(NetconvError) {
      try header.checkCoverage()
      return nil
    } catch {
      return error.inFile(file.path)
    }
  }

  /// Returns the layouts that netconv wrote to the header; `nil` for other files.
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

extension NetconvError {
  fileprivate static func wrongLayoutMetadata(_ reason: NetconvError) -> NetconvError {
    NetconvError(.badData, "'netconv' in '__metadata__' cannot be read: \(reason.message)")
  }
}
