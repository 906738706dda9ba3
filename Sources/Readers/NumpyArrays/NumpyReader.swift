import Files
import ModelIR
import Numpy
import Zlib

/// Arrays of NumPy that nobody describes, in an `.npz` file or alone: weights by name, without a graph.
enum NumpyReader: ModelReader {
  static let format = "numpy"
  static let summary = "arrays of NumPy (.npz, .npy)"
  static let takesArchitecture = true
  static let takesEntries = true
  private static let ending = ".npy"

  static func recognizes(_ probe: SourceProbe) -> Bool {
    NumpyHeader.recognizes(probe.prefix)
      || probe.isForeignZip && probe.entries.allSatisfy { $0.hasSuffix(ending) }
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let file = try probe.opened()
    if let start = NumpyHeader.pickleOffset(probe.prefix) {
      return try TorchFile(pickle: file, in: start..<file.size)
        .source(probe, options, format: format, framework: "numpy")
    }
    let network = Directory.stem(of: probe.path)
    var tensors: [(name: String, stored: StoredTensor)] = []
    var unchecked: [UncheckedPart] = []
    if probe.archive == nil {
      let array = try NpzFile.array(in: file, 0..<file.size, nil)
      tensors = [(network, array.stored(as: network))]
    } else {
      let arrays = NpzFile(archive: try probe.openedArchive())
      tensors.reserveCapacity(arrays.archive.entries.count)
      unchecked.reserveCapacity(arrays.archive.entries.count)
      for entry in arrays.archive.entries {
        let name = String(entry.name.dropLast(ending.count))
        let array = try arrays.array(entry, called: name)
        tensors.append((name, array.stored(as: name)))
        if let part = array.unchecked { unchecked.append(part) }
      }
    }
    return try ReadSource(
      NamedTensors(tensors), called: network, format: format, path: probe.path, framework: "numpy",
      files: [file], notes: [], unchecked: unchecked, options)
  }
}

extension NpzFile.Array {
  /// The values in C order, where they lie.
  fileprivate func stored(as path: String) -> StoredTensor {
    StoredTensor(
      source: values.array(header.shape, isFortran: header.isFortran), layout: nil,
      shape: header.shape, path: path)
  }
}

extension Directory {
  /// The last component of a path, without the ending that it may have.
  static func stem(of path: String) -> String {
    let name = lastComponent(of: path).splitAtLast(".")
    return name.scope.isEmpty ? name.last : name.scope
  }
}
