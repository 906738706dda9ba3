import Files
import ModelIR
import Numpy
import Pickles
import Zlib

/// Reads NumPy arrays without a description, in an `.npz` or `.npy` file: weights by name, without a graph.
enum NumpyReader: ModelReader {
  static let format = "numpy"
  static let summary = "arrays of NumPy (.npz, .npy)"
  static let takesArchitecture = true
  static let takesEntries = true
  private static let ending = ".npy"
  /// The size of the first read, which covers nearly all headers.
  private static let headerSize = 256

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
    var pickles: [(name: String, pickle: Pickle)] = []
    var texts: [String] = []
    if probe.archive == nil {
      let array = try NpzFile.array(in: file, 0..<file.size, nil)
      tensors = [(network, array.stored(as: network))]
    } else {
      let archive = try probe.openedArchive()
      tensors.reserveCapacity(archive.entries.count)
      unchecked.reserveCapacity(archive.entries.count)
      for entry in archive.entries {
        let name = String(entry.name.dropLast(ending.count))
        do throws(NetconvError) {
          let bytes = try archive.bytes(of: entry)
          if try isText(bytes) {
            texts.append(name)
            continue
          }
          if let part = bytes.unchecked { unchecked.append(part) }
          do throws(NetconvError) {
            let array = try NpzFile.array(in: bytes.file, bytes.range, bytes.unchecked)
            tensors.append((name, array.stored(as: name)))
          } catch {
            // Tested last, since few arrays contain objects, and there may be thousands of arrays.
            guard let objects = try objects(in: bytes.file, bytes.range) else { throw error }
            tensors += try objects.wholeState().map { tensor in
              var stored = tensor.stored
              stored.path = name + "." + tensor.name
              return (stored.path, stored)
            }
            pickles.append((entry.name, objects.interpreters[0].pickle))
          }
        } catch {
          throw error.inTensor(name).inFile(probe.path)
        }
      }
    }
    guard !tensors.isEmpty || texts.isEmpty else { throw .onlyTexts(texts) }
    var source = try ReadSource(
      NamedTensors(tensors), called: network, format: format, path: probe.path, framework: "numpy",
      files: [file], notes: [SourceNote.texts(texts)].compactMap(\.self), unchecked: unchecked,
      options)
    if !pickles.isEmpty { source.pickles = PickleScan(pickles) }
    return source
  }

  private static func isText(_ bytes: ArchivedBytes) throws(NetconvError) -> Bool {
    let count = min(bytes.range.count, headerSize)
    return NumpyHeader.isText(try bytes.file.bytes(at: bytes.range.lowerBound, count: count))
  }

  /// Reads an array of Python objects, such as a list of arrays; returns `nil` for numbers, or for objects without
  /// arrays.
  private static func objects(
    in file: RandomAccessFile, _ range: Range<Int>
  ) throws(NetconvError) -> TorchFile? {
    let start = try file.bytes(at: range.lowerBound, count: min(range.count, headerSize))
    guard let offset = NumpyHeader.pickleOffset(start) else { return nil }
    let objects = try TorchFile(pickle: file, in: range.lowerBound + offset..<range.upperBound)
    return try TorchWalk(objects.interpreters[0]).leaves.isEmpty ? nil : objects
  }
}

extension NpzFile.Array {
  /// Returns the values in C order, without copying.
  fileprivate func stored(as path: String) -> StoredTensor {
    StoredTensor(
      source: values.array(header.shape, isFortran: header.isFortran), layout: nil,
      shape: header.shape, path: path)
  }
}

extension Directory {
  /// Returns the last component of a path without its extension.
  static func stem(of path: String) -> String {
    let name = lastComponent(of: path).splitAtLast(".")
    return name.scope.isEmpty ? name.last : name.scope
  }
}

extension SourceNote {
  /// Reports arrays of text; `nil` if there are none.
  fileprivate static func texts(_ names: [String]) -> SourceNote? {
    guard !names.isEmpty else { return nil }
    return SourceNote(
      text: names.count == 1
        ? "1 array holds text, not numbers, and is left out"
        : "\(names.count) arrays hold text, not numbers, and are left out",
      details: [list(names)], isWarning: false, isDecision: true)
  }
}

extension NetconvError {
  fileprivate static func onlyTexts(_ names: [String]) -> NetconvError {
    NetconvError(.badData, "holds no numbers, only text: \(SourceNote.list(names))")
  }
}
