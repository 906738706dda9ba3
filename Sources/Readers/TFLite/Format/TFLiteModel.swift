import Files
import FlatBuffers
import ModelIR

/// A TensorFlow Lite file: subgraphs, and buffers with their constants.
///
/// Source: tensorflow/lite/schema/schema.fbs, `Model`.
struct TFLiteModel {
  private enum Field {
    static let version = 0
    static let codes = 1
    static let subgraphs = 2
    static let description = 3
    static let buffers = 4
    static let signatures = 7
  }

  private enum BufferField {
    static let data = 0
    static let offset = 1
    static let size = 2
  }

  /// The subgraphs; the first one is the main graph.
  let subgraphs: [TFLiteSubgraph]
  /// The description of the model, usually the converter's name.
  let description: String
  /// The byte range of each buffer in the file; `nil` for empty buffers.
  private let buffers: [Range<Int>?]
  private let file: RandomAccessFile

  /// Reads a model without the values of its tensors.
  ///
  /// - Throws: `badData` if the file is truncated or damaged.
  init(_ file: RandomAccessFile) throws(NetconvError) {
    let root = try FlatTable(rootOf: FlatBufferBytes(file), "Model")
    let version = try root.unsigned(Field.version, width: 4)
    guard version == 3 else { throw .wrongTFLiteVersion(version) }
    let codes = try root.tables(Field.codes, "OperatorCode").map {
      table throws(NetconvError) in try TFLiteOperator.code(table)
    }
    description = try root.text(Field.description)
    let buffers = try root.tables(Field.buffers, "Buffer").map { table throws(NetconvError) in
      try Self.bytes(of: table, in: file)
    }
    var signatures: [Int: TFLiteSignature] = [:]
    for table in try root.tables(Field.signatures, "SignatureDef") {
      let signature = try TFLiteSignature(table)
      if signatures[signature.subgraph] == nil { signatures[signature.subgraph] = signature }
    }
    var subgraphs: [TFLiteSubgraph] = []
    for (index, table) in try root.tables(Field.subgraphs, "SubGraph").enumerated() {
      subgraphs.append(try TFLiteSubgraph(table, codes, signatures[index]))
    }
    guard !subgraphs.isEmpty else { throw .noGraphInFile }
    self.subgraphs = subgraphs
    self.buffers = buffers
    self.file = file
  }

  /// The byte range of a buffer: within the FlatBuffer, or after it in files of more than 2 GB.
  private static func bytes(
    of table: FlatTable, in file: RandomAccessFile
  ) throws(NetconvError) -> Range<Int>? {
    let offset = try table.unsigned(BufferField.offset, width: 8)
    guard offset > 1 else {
      guard let data = try table.vector(BufferField.data, width: 1), !data.isEmpty else {
        return nil
      }
      return data
    }
    let size = try table.unsigned(BufferField.size, width: 8)
    guard offset <= file.size, size <= file.size - offset else {
      throw .wrongTFLiteBuffer(offset: offset, size: size, fileSize: file.size)
    }
    return size == 0 ? nil : offset..<offset + size
  }

  // MARK: - Values

  /// Returns true if the file stores values for a tensor.
  func hasValues(_ tensor: TFLiteTensor) -> Bool {
    buffers.indices.contains(tensor.buffer) && buffers[tensor.buffer] != nil
  }

  /// Returns the values of a tensor as stored.
  ///
  /// - Throws: `badData` if there are none, or their size does not match the type and shape.
  func source(of tensor: TFLiteTensor) throws(NetconvError) -> any TensorSource {
    do throws(NetconvError) {
      if let problem = tensor.problem { throw problem }
      guard let type = tensor.type.element?.storedType else { throw .noNumbers(tensor.type.name) }
      let count = try product(tensor.shape)
      guard hasValues(tensor), let bytes = buffers[tensor.buffer] else {
        throw .noSuchTFLitePart("buffer", tensor.buffer)
      }
      guard bytes.count == (try product([count, type.byteCount])) else {
        throw .wrongTensorLength(bytes.count, tensor.type.name, tensor.shape)
      }
      return FileTensorSource(
        file: file, offset: bytes.lowerBound, elementType: type, count: count)
    } catch {
      throw error.inTensor(tensor.name)
    }
  }

  /// Returns the values of a tensor, dequantised if it is quantised.
  ///
  /// - Throws: The errors of ``source(of:)``.
  func numbers(of tensor: TFLiteTensor) throws(NetconvError) -> any TensorSource {
    let stored = try source(of: tensor)
    guard tensor.isQuantized, let quantization = tensor.quantization else { return stored }
    return DequantizedTFLiteSource(stored, quantization, shape: tensor.shape)
  }
}

extension NetconvError {
  fileprivate static func wrongTFLiteVersion(_ version: Int) -> NetconvError {
    NetconvError(.badData, "the schema has version \(version); expected 3")
  }

  fileprivate static func wrongTFLiteBuffer(offset: Int, size: Int, fileSize: Int) -> NetconvError {
    NetconvError(
      .badData,
      "a buffer has \(size) bytes from byte \(offset) on, but the file has \(fileSize); it is truncated or damaged"
    )
  }
}
