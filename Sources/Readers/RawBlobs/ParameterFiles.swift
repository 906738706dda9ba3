import Documents
import Files
import ModelIR
import Zlib

/// The files that a document names, each opened once: raw values, or containers of several tensors.
struct ParameterFiles {
  private enum Container {
    case safetensors(SafetensorsFile, layouts: [String: WeightsDocument.Parameter])
    case npz(NpzFile)
  }

  private let folder: String?
  private(set) var opened: [RandomAccessFile] = []
  /// Parts of the files with a checksum that nobody has looked at.
  private(set) var unchecked: [UncheckedPart] = []
  private var byName: [String: RandomAccessFile] = [:]
  private var containers: [String: Container] = [:]
  private var arrays: [[String]: NpzFile.Array] = [:]

  /// The files of a document in `folder`.
  init(folder: String) {
    self.folder = folder
  }

  /// A single container, which a document calls `name`.
  init(opened container: SafetensorsFile, as name: String) {
    folder = nil
    containers[name] = .safetensors(container, layouts: [:])
  }

  /// The values of a parameter: a tensor of a container; else from its offset to the end of the file.
  ///
  /// - Throws: `badData` if the name leaves the folder, the type is unknown or another than the container's,
  ///   or there is no such tensor; `cannotOpen`.
  mutating func source(of parameter: ParameterDocument) throws(NetconvError) -> any TensorSource {
    guard let type = ElementType(rawValue: parameter.dtype) else {
      throw .unknownElementType(parameter.dtype)
    }
    guard parameter.tensor == nil else {
      return try tensor(of: parameter).source
    }
    let file = try open(parameter.file)
    let offset = parameter.offset ?? 0
    guard (0...file.size).contains(offset) else {
      throw .offsetOutside(offset, size: file.size).inFile(file.path)
    }
    return BlobSource(
      values: FileTensorSource(
        file: file, offset: offset, elementType: type,
        count: (file.size - offset) / type.byteCount),
      isWholeFile: parameter.offset == nil)
  }

  /// Checks every file's size against the shapes, before anything is read.
  ///
  /// - Throws: `badData` naming layer, tensor, bytes found and bytes expected.
  func checkSizes(of model: Model) throws(NetconvError) {
    for tensor in model.tensors {
      guard let source = tensor.stored.source as? BlobSource else { continue }
      let expected = tensor.count * source.elementType.byteCount
      let found = source.values.file.size - source.values.offset
      guard source.isWholeFile ? found == expected : found >= expected else {
        throw NetconvError.wrongBlobSize(
          found, expected: expected, shape: tensor.storedShape, type: source.elementType,
          isWholeFile: source.isWholeFile
        ).inFile(source.values.file.path).inLayer(tensor.layer).inTensor(tensor.spec.role.rawValue)
      }
    }
  }

  private mutating func open(_ name: String) throws(NetconvError) -> RandomAccessFile {
    if let file = byName[name] { return file }
    guard let folder else { throw .leavesFolder(name) }
    let file = try ContainedPath(name, in: folder).open()
    byName[name] = file
    opened.append(file)
    return file
  }
}

// MARK: - Containers

extension ParameterFiles {
  /// A tensor of a container: its values, its shape, and whether the first axis is the fastest.
  private struct Contained {
    let source: FileTensorSource
    let shape: [Int]
    let isFortran: Bool
  }

  /// Says of every parameter that lies in a container what the container says of it: its shape, and the order of
  /// axes in memory, which is the reverse where the first is the fastest.
  ///
  /// - Throws: `badData` if a document and a container contradict each other.
  mutating func describeContained(in document: inout ModelDocument) throws(NetconvError) {
    for layer in document.layers.indices {
      for index in document.layers[layer].parameters.indices {
        let parameter = document.layers[layer].parameters[index]
        guard parameter.tensor != nil else { continue }
        do throws(NetconvError) {
          document.layers[layer].parameters[index] = try described(parameter)
        } catch {
          throw error.inTensor(parameter.role).inLayer(document.layers[layer].name)
        }
      }
    }
  }

  private mutating func described(
    _ parameter: ParameterDocument
  ) throws(NetconvError) -> ParameterDocument {
    guard parameter.offset == nil else { throw .offsetInContainer(parameter.path) }
    let contained = try tensor(of: parameter)
    if let shape = parameter.shape, shape != contained.shape {
      throw .differentContainers("shape", "\(shape)", "\(contained.shape)", parameter.path)
    }
    var described = parameter
    described.shape = contained.shape
    if contained.isFortran, let layout = Layout(parameter.layout) {
      described.shape = contained.shape.reversed()
      described.layout = layout.dimensions.reversed().map(\.description).joined()
    }
    return described
  }

  private mutating func tensor(of parameter: ParameterDocument) throws(NetconvError) -> Contained {
    let name = parameter.tensor ?? ""
    let found: Contained
    switch try container(parameter.file) {
    case .safetensors(let container, let layouts):
      found = try tensor(name, in: container)
      if let known = layouts[name] { try compare(parameter, with: known) }
    case .npz(let container):
      found = try array(name, in: container, called: parameter.file)
    }
    let type = found.source.elementType.rawValue
    guard parameter.dtype == type else {
      throw .differentContainers("dtype", parameter.dtype, type, parameter.path)
    }
    return found
  }

  private func tensor(
    _ name: String, in container: SafetensorsFile
  ) throws(NetconvError) -> Contained {
    guard let tensor = container[name] else {
      throw NetconvError.noSuchTensor(name, found: container.header.tensors.map(\.name))
        .inFile(container.file.path)
    }
    return Contained(
      source: FileTensorSource(
        file: container.file, offset: container.dataOffset + tensor.range.lowerBound,
        elementType: tensor.elementType, count: tensor.range.count / tensor.elementType.byteCount),
      shape: tensor.shape, isFortran: false)
  }

  private mutating func array(
    _ name: String, in container: NpzFile, called file: String
  ) throws(NetconvError) -> Contained {
    let array: NpzFile.Array
    if let known = arrays[[file, name]] {
      array = known
    } else {
      array = try container.array(name)
      arrays[[file, name]] = array
      if let part = array.unchecked { unchecked.append(part) }
    }
    let header = array.header
    return Contained(
      source: FileTensorSource(
        file: array.file, offset: array.range.lowerBound, elementType: header.elementType,
        count: array.range.count / header.elementType.byteCount, byteOrder: header.byteOrder),
      shape: header.shape, isFortran: header.isFortran && header.shape.count > 1)
  }

  /// A file that netconv wrote says itself how its tensors lie; who says otherwise would transpose them twice.
  private func compare(
    _ parameter: ParameterDocument, with known: WeightsDocument.Parameter
  ) throws(NetconvError) {
    guard parameter.layout == known.layout else {
      throw .differentContainers("layout", parameter.layout, known.layout, parameter.path)
    }
    guard parameter.reversed ?? [] == known.reversed ?? [] else {
      throw .differentContainers(
        "reversed", "\(parameter.reversed ?? [])", "\(known.reversed ?? [])", parameter.path)
    }
  }

  private mutating func container(_ name: String) throws(NetconvError) -> Container {
    if let container = containers[name] { return container }
    let file = try open(name)
    let container: Container
    if ZipArchive.isZip(try file.prefix(4)) {
      container = .npz(try NpzFile(file))
    } else {
      let safetensors = try SafetensorsFile(file)
      let parameters = try safetensors.layouts()?.layers.flatMap(\.parameters) ?? []
      container = .safetensors(
        safetensors,
        layouts: Dictionary(
          parameters.map { ($0.tensor ?? $0.file, $0) }, uniquingKeysWith: { $1 }))
    }
    containers[name] = container
    return container
  }
}

// MARK: - Blobs

/// Values in a blob, and whether the blob holds nothing else.
private struct BlobSource: TensorSource {
  let values: FileTensorSource
  let isWholeFile: Bool

  var elementType: ElementType { values.elementType }
  var count: Int { values.count }

  func read(
    _ range: Range<Int>, into buffer: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try values.read(range, into: buffer)
  }

  func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
    try values.overflows(in: range)
  }
}
