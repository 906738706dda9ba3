import Documents
import Files
import ModelIR

/// A folder of raw values with a `model.json` that says what they are.
enum RawBlobsReader: ModelReader {
  static let format = "raw-blobs"
  static let summary = "a folder of raw values with model.json"
  static let documentName = "model.json"

  static func recognizes(_ probe: SourceProbe) -> Bool {
    probe.names?.contains(documentName) ?? false
  }

  static func read(_ path: String, _ options: ReaderOptions) throws(NetconvError) -> ReadSource {
    let document = try ContainedPath(documentName, in: path).open()
    do {
      let contents = try JSONDocument.decode(
        ModelDocument.self, from: document.contents(limit: JSONDocument.sizeLimit))
      var files = BlobFiles(folder: path)
      let model = try Model(contents) { parameter throws(NetconvError) in
        try files.source(of: parameter)
      }
      try files.checkSizes(of: model)
      return ReadSource(
        format: format, path: path, framework: nil, files: [document] + files.opened,
        network: .model(try model.dequantized()), converted: nil)
    } catch {
      throw error.inFile(document.path)
    }
  }
}

/// The files that a document names, each opened once.
struct BlobFiles {
  let folder: String
  private(set) var opened: [RandomAccessFile] = []
  private var byName: [String: RandomAccessFile] = [:]

  init(folder: String) {
    self.folder = folder
  }

  /// The values of a parameter: from its offset to the end of the file, or as many as its shape says.
  ///
  /// - Throws: `badData` if the name leaves the folder or the type is unknown, `cannotOpen`.
  mutating func source(of parameter: ParameterDocument) throws(NetconvError) -> any TensorSource {
    guard let type = ElementType(rawValue: parameter.dtype) else {
      throw .unknownElementType(parameter.dtype)
    }
    let values = try blob(parameter.file, at: parameter.offset, type)
    return try parameter.quantized(values) { scale throws(NetconvError) in
      try blob(scale.file, at: scale.offset, .float32)
    }
  }

  private mutating func blob(
    _ name: String, at start: Int?, _ type: ElementType
  ) throws(NetconvError) -> BlobSource {
    let file = try open(name)
    let offset = start ?? 0
    guard (0...file.size).contains(offset) else {
      throw .offsetOutside(offset, size: file.size).inFile(file.path)
    }
    return BlobSource(
      values: FileTensorSource(
        file: file, offset: offset, elementType: type,
        count: (file.size - offset) / type.byteCount),
      isWholeFile: start == nil)
  }

  /// Checks every file's size against the shapes, before anything is read.
  ///
  /// - Throws: `badData` naming layer, tensor, bytes found and bytes expected.
  func checkSizes(of model: Model) throws(NetconvError) {
    for tensor in model.tensors {
      let quantized = tensor.stored.source as? QuantizedValues
      guard let source = (quantized?.integers ?? tensor.stored.source) as? BlobSource else {
        continue
      }
      do throws(NetconvError) {
        try source.checkSize(tensor.storedShape)
        if let scales = quantized?.scales as? BlobSource, let layout = tensor.channelLayout {
          try scales.checkSize(try layout.shape(tensor.spec.sizes))
        }
      } catch {
        throw error.inLayer(tensor.layer).inTensor(tensor.spec.role.rawValue)
      }
    }
  }

  private mutating func open(_ name: String) throws(NetconvError) -> RandomAccessFile {
    if let file = byName[name] { return file }
    let file = try ContainedPath(name, in: folder).open()
    byName[name] = file
    opened.append(file)
    return file
  }
}

/// A file that holds one parameter and nothing else, little-endian.
///
/// - Parameters:
///   - name: relative to `folder`, which it may not leave.
///   - spec: what it is a parameter of, for the number of values.
/// - Throws: `cannotOpen`, or `badData` if it holds another number of bytes.
package func looseBlob(
  _ name: String, in folder: String, _ elementType: ElementType, for spec: ParameterSpec
) throws(NetconvError) -> any TensorSource {
  let file = try ContainedPath(name, in: folder).open()
  let count = try spec.count()
  let expected = try product([count, elementType.byteCount])
  guard file.size == expected else {
    throw NetconvError.wrongBlobSize(
      file.size, expected: expected, shape: try spec.layout.shape(spec.sizes), type: elementType,
      isWholeFile: true
    ).inFile(file.path)
  }
  return FileTensorSource(file: file, offset: 0, elementType: elementType, count: count)
}

/// Values in a blob, and whether the blob holds nothing else.
private struct BlobSource: TensorSource {
  let values: FileTensorSource
  let isWholeFile: Bool

  var elementType: ElementType { values.elementType }
  var count: Int { values.count }

  /// Checks that the blob holds an array of `shape`, and nothing else if it is to be the whole file.
  ///
  /// - Throws: `badData` naming the file, bytes found and bytes expected.
  func checkSize(_ shape: [Int]) throws(NetconvError) {
    let expected = try product(shape + [elementType.byteCount])
    let found = values.file.size - values.offset
    guard isWholeFile ? found == expected : found >= expected else {
      throw NetconvError.wrongBlobSize(
        found, expected: expected, shape: shape, type: elementType, isWholeFile: isWholeFile
      ).inFile(values.file.path)
    }
  }

  func read(
    _ range: Range<Int>, into buffer: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try values.read(range, into: buffer)
  }

  func read(
    _ range: Range<Int>, into buffer: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    try values.read(range, into: buffer)
  }

  func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
    try values.overflows(in: range)
  }
}
