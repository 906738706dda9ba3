import Documents
import Files
import ModelIR
import Zlib

/// The files that a document names, each opened once: raw values, or containers of several tensors.
struct ParameterFiles {
  fileprivate enum Container {
    case safetensors(SafetensorsFile, layouts: [String: WeightsDocument.Parameter])
    case npz(NpzFile)
  }

  private let folder: String?
  private(set) var opened: [RandomAccessFile] = []
  /// The parts of the files whose checksums have yet to be verified.
  private(set) var unchecked: [UncheckedPart] = []
  private var byName: [String: RandomAccessFile] = [:]
  private var containers: [String: Container] = [:]
  private var arrays: [[String]: NpzFile.Array] = [:]
  /// The requested tensors, by container.
  private var taken: [String: Set<String>] = [:]

  /// Opens files of a document in `folder`.
  init(folder: String) {
    self.folder = folder
  }

  /// Uses a single container, which the document refers to as `name`.
  init(opened container: SafetensorsFile, as name: String) {
    folder = nil
    containers[name] = .safetensors(container, layouts: [:])
  }

  /// Returns the values of a parameter: a tensor of a container, or the values from its offset to the end of the
  /// file.
  ///
  /// - Throws: `badData` if the name leaves the folder, the dtype is unknown or differs from the container's, or
  ///   there is no such tensor; `cannotOpen`.
  mutating func source(of parameter: ParameterDocument) throws(NetconvError) -> any TensorSource {
    guard let type = ElementType(rawValue: parameter.dtype) else {
      throw .unknownElementType(parameter.dtype)
    }
    let values: any TensorSource
    if parameter.tensor == nil {
      values = try blob(parameter.file, at: parameter.offset, type)
    } else {
      values = try tensor(of: parameter).source
    }
    return try parameter.quantized(values) { scale throws(NetconvError) in
      guard scale.tensor == nil else { return try self.scales(scale).source }
      return try blob(scale.file, at: scale.offset, .float32)
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

  /// Checks the size of every file against the shapes before any value is read.
  ///
  /// - Throws: `badData` that names the layer, the tensor, and the found and expected byte counts.
  func checkSizes(of model: Model) throws(NetconvError) {
    for tensor in model.tensors {
      let quantized = tensor.stored.source as? QuantizedValues
      do throws(NetconvError) {
        try ((quantized?.integers ?? tensor.stored.source) as? BlobSource)?
          .checkSize(tensor.storedShape) { tensor.spec.edit(forCount: $0, tensor.storedLayout) }
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
    guard let folder else { throw .leavesFolder(name) }
    let file = try ContainedPath(name, in: folder).open()
    byName[name] = file
    opened.append(file)
    return file
  }
}

// MARK: - Containers

extension ParameterFiles {
  /// A tensor of a container: its values, its shape, and whether it is in Fortran order.
  private struct Contained {
    let source: FileTensorSource
    let shape: [Int]
    let isFortran: Bool
  }

  /// Completes the parameters stored in containers with the container's shape and layout, reversed for Fortran order.
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
    if let scale = parameter.scale, scale.tensor != nil {
      guard try scales(scale).isFortran == contained.isFortran || contained.shape.count < 2 else {
        throw .otherOrderOfScales(scale.path, parameter.path)
      }
    }
    var described = parameter
    described.shape = contained.shape
    if contained.isFortran, let layout = Layout(parameter.layout) {
      described.shape = contained.shape.reversed()
      described.layout = layout.fastestFirst.description
    }
    return described
  }

  private mutating func tensor(of parameter: ParameterDocument) throws(NetconvError) -> Contained {
    let name = parameter.tensor ?? ""
    if case .safetensors(_, let layouts) = try container(parameter.file),
      let known = layouts[name]
    {
      try compare(parameter, with: known)
    }
    let found = try tensor(name, in: parameter.file)
    let type = found.source.elementType.rawValue
    guard parameter.dtype == type else {
      throw .differentContainers("dtype", parameter.dtype, type, parameter.path)
    }
    return found
  }

  /// Returns the scales of a parameter, which are in a container.
  private mutating func scales(_ scale: ScaleDocument) throws(NetconvError) -> Contained {
    guard scale.offset == nil else { throw .offsetInContainer(scale.path) }
    let found = try tensor(scale.tensor ?? "", in: scale.file)
    guard found.source.elementType == .float32 else {
      throw .wrongTypeOfScales(found.source.elementType, scale.path)
    }
    return found
  }

  private mutating func tensor(
    _ name: String, in file: String
  ) throws(NetconvError) -> Contained {
    taken[file, default: []].insert(name)
    return switch try container(file) {
    case .safetensors(let container, _): try tensor(name, in: container)
    case .npz(let container): try array(name, in: container, called: file)
    }
  }

  private func tensor(
    _ name: String, in container: SafetensorsFile
  ) throws(NetconvError) -> Contained {
    guard let tensor = container[name] else {
      throw NetconvError.noSuchTensor(name, found: container.header.tensors.map(\.name))
        .inFile(container.file.path)
    }
    // Codes cannot be decoded, because the description does not specify their scales.
    guard let type = tensor.type.elementType else {
      throw NetconvError.codesInContainer(name, tensor.type.rawValue).inFile(container.file.path)
    }
    return Contained(
      source: container.plain(tensor, as: type), shape: tensor.shape, isFortran: false)
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
      source: array.values, shape: header.shape,
      isFortran: header.isFortran && header.shape.count > 1)
  }

  /// Checks the stated layout against that in a file written by netconv; a wrong layout would transpose values twice.
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
    guard (parameter.scale == nil) == (known.scale == nil) else {
      throw .differentContainers(
        "scale", parameter.scale?.path ?? "", known.scale?.path ?? "", parameter.path)
    }
  }

  private mutating func container(_ name: String) throws(NetconvError) -> Container {
    if let container = containers[name] { return container }
    let file = try open(name)
    let container: Container
    if ZipArchive.isZip(try file.prefix(4)) {
      container = .npz(NpzFile(archive: try ZipArchive(file)))
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

// MARK: - Unnamed values

extension ParameterFiles {
  /// Returns the values that no parameter names: tensors of the containers, and other files with the same extension.
  ///
  /// - Throws: `cannotRead` if a folder cannot be listed.
  func unnamed() throws(NetconvError) -> [String] {
    var names: [String] = []
    for (file, container) in containers.sorted(by: { $0.key < $1.key }) {
      let known = taken[file] ?? []
      names += container.names.filter { !known.contains($0) }.map { file + ":" + $0 }
    }
    guard let folder else { return names }
    let blobs = byName.keys.filter { containers[$0] == nil }
    let endings = Dictionary(grouping: blobs) { Self.place(of: $0).folder }
      .mapValues { Set($0.map { Self.place(of: $0).ending }) }
    for (inner, endings) in endings.sorted(by: { $0.key < $1.key }) {
      for name in try Directory.names(in: folder + "/" + inner).sorted() {
        let ending = Self.place(of: name).ending
        guard !ending.isEmpty, endings.contains(ending), byName[inner + name] == nil,
          try Directory.kind(of: folder + "/" + inner + name) == .file
        else { continue }
        names.append(inner + name)
      }
    }
    return names
  }

  /// Returns the folder of a file with a trailing slash, and the file's extension with the dot.
  private static func place(of path: String) -> (folder: String, ending: String) {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let name = path.dropFirst(folder.count)
    return (String(folder), name.lastIndex(of: ".").map { String(name[$0...]) } ?? "")
  }
}

extension ParameterFiles.Container {
  /// The names of the tensors.
  fileprivate var names: [String] {
    switch self {
    case .safetensors(let file, _): file.header.tensors.map(\.name)
    case .npz(let file): file.names
    }
  }
}

// MARK: - Blobs

/// Values in a raw file, which may contain other data.
private struct BlobSource: TensorSource {
  let values: FileTensorSource
  let isWholeFile: Bool

  var elementType: ElementType { values.elementType }
  var count: Int { values.count }

  /// Checks that the file contains an array of `shape`, and nothing else if the array must be the whole file.
  ///
  /// - Parameter wayOn: Returns the change that would make another number of values fit, if known.
  /// - Throws: `badData` that names the file, and the found and expected byte counts.
  func checkSize(
    _ shape: [Int], wayOn: (Int) -> String? = { _ in nil }
  ) throws(NetconvError) {
    let expected = try product(shape + [elementType.byteCount])
    let found = values.file.size - values.offset
    guard isWholeFile ? found == expected : found >= expected else {
      throw NetconvError.wrongBlobSize(
        found, expected: expected, shape: shape, type: elementType, isWholeFile: isWholeFile,
        wayOn: isWholeFile && found % elementType.byteCount == 0
          ? wayOn(found / elementType.byteCount) : nil
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

extension NetconvError {
  fileprivate static func wrongTypeOfScales(_ type: ElementType, _ path: String) -> NetconvError {
    NetconvError(.badData, "the scales \(quoted(path)) are \(type.rawValue), expected float32")
  }

  fileprivate static func otherOrderOfScales(_ scales: String, _ path: String) -> NetconvError {
    NetconvError(
      .badData,
      "one of \(quoted(path)) and its scales \(quoted(scales)) is in Fortran order, the other is not; write "
        + "both in C order")
  }

  fileprivate static func offsetOutside(_ offset: Int, size: Int) -> NetconvError {
    NetconvError(.badData, "offset \(offset) is outside the file, which holds \(size) bytes")
  }

  fileprivate static func differentContainers(
    _ what: String, _ stated: String, _ found: String, _ path: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(what) is \(quoted(stated)) in model.json, but \(quoted(found)) in \(quoted(path)); use the "
        + "file's value")
  }

  fileprivate static func codesInContainer(_ name: String, _ type: String) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "\(quoted(name)) is of the type \(type), which model.json cannot name; name this file as the source, and "
        + "model.json with \(.architecture)")
  }

  fileprivate static func offsetInContainer(_ path: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(path)) is named with an offset; leave it out, since the file states where its tensors are"
    )
  }
}
