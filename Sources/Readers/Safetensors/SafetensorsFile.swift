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
  /// - Parameter allowsHoles: whether bytes that are in no tensor will do, as to tell what is in a file.
  /// - Throws: `badData` if it lies about sizes or places, or is damaged.
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

  /// What the header says of a tensor.
  subscript(name: String) -> SafetensorsHeader.Tensor? { byName[name] }

  /// The values of a tensor, where they lie.
  func values(of tensor: SafetensorsHeader.Tensor) -> any TensorSource {
    if let type = tensor.type.elementType { return plain(tensor, as: type) }
    if let float8 = tensor.type.float8 {
      return CodedValues(plain(tensor, as: .uint8), float8.numbers)
    }
    return UnreadValues(
      kind: tensor.type.rawValue, count: tensor.range.count * 8 / tensor.type.bitCount)
  }

  /// The values of a tensor as numbers of a type that has its size.
  func plain(
    _ tensor: SafetensorsHeader.Tensor, as type: ElementType
  ) -> FileTensorSource {
    FileTensorSource(
      file: file, offset: dataOffset + tensor.range.lowerBound, elementType: type,
      count: tensor.range.count / type.byteCount)
  }

  /// Every tensor by its name, without a layout.
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

  /// That there are holes, where that will do; `nil` if there are none.
  var holeProblem: NetconvError? {
    do throws(NetconvError) {
      try header.checkCoverage()
      return nil
    } catch {
      return error.inFile(file.path)
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

extension NetconvError {
  fileprivate static func wrongLayoutMetadata(_ reason: NetconvError) -> NetconvError {
    NetconvError(.badData, "'netconv' in '__metadata__' cannot be read: \(reason.message)")
  }
}
