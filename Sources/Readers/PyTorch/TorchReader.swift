import Files
import ModelIR
import Pickles
import Zlib

/// Reads the output of `torch.save` in all versions, and TorchScript archives: tensors by name, without a graph.
enum TorchReader: ModelReader {
  static let format = "pytorch"
  static let summary = "a PyTorch file (.pt, .pth, .bin, .ckpt)"
  static let takesArchitecture = true
  static let takesEntries = true
  static let takesCodes = true

  static func recognizes(_ probe: SourceProbe) -> Bool {
    TorchFile.isStream(probe.prefix)
      || probe.isForeignZip && probe.archive.flatMap(TorchFile.folder) != nil
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    try open(probe).source(probe, options, format: format, framework: "pytorch")
  }

  /// Opens a file and reads its pickles.
  ///
  /// - Throws: `badData` if the file is damaged.
  static func open(_ probe: SourceProbe) throws(NetconvError) -> TorchFile {
    TorchFile.isStream(probe.prefix)
      ? try TorchFile(stream: probe.opened()) : try TorchFile(probe.openedArchive())
  }
}

extension TorchFile {
  /// Returns the network in the file, or the requested part.
  func source(
    _ probe: SourceProbe, _ options: ReaderOptions, format: String, framework: String?
  ) throws(NetconvError) -> ReadSource {
    var walks: [TorchWalk] = []
    var leaves: [TorchLeaf] = []
    var problem: NetconvError?
    let found: TorchEntries
    do throws(NetconvError) {
      for interpreter in interpreters { walks.append(try TorchWalk(interpreter)) }
      leaves = Self.leaves(of: walks.map(\.leaves))
      found = try TorchEntries(leaves, wanted: options.graph.entry)
    } catch {
      guard options.acceptsNothing, error.kind == .badData else {
        throw error.naming(hidden: Self.hiddenCount(walks))
      }
      problem = error
      found = (try? TorchEntries(leaves, wanted: TorchEntries.whole)) ?? TorchEntries()
    }
    let result = try TorchTensors(found, in: self)
    if let refusal = result.refusal {
      guard options.acceptsNothing else { throw refusal }
      problem = problem ?? refusal
    }
    let notes =
      result.notes(problem == nil ? found : nil, hidden: Self.hiddenCount(walks))
      + [SourceNote.oneShard(probe.path)].compactMap(\.self)
    var source = try ReadSource(
      NamedTensors(
        result.tensors, beside: Directory.parent(of: probe.path),
        readsCodes: options.graph.readsCodes), called: Directory.stem(of: probe.path),
      format: format,
      path: probe.path, framework: framework, files: [try probe.opened()], notes: notes,
      problem: problem, unchecked: unchecked, options)
    source.pickles = PickleScan(pickles)
    source.leftOutCount += found.leftOut.count + Self.hiddenCount(walks)
    return source
  }

  /// Returns the number of tensors in unknown objects.
  private static func hiddenCount(_ walks: [TorchWalk]) -> Int {
    walks.reduce(0) { $0 + $1.hiddenCount }
  }

  /// Returns every tensor of a file that only contains a state dictionary.
  ///
  /// - Throws: `badData` if a tensor is not supported.
  func wholeState() throws(NetconvError) -> [(name: String, stored: StoredTensor)] {
    let walk = try TorchWalk(interpreters[0])
    let tensors = try TorchTensors(
      TorchEntries(walk.leaves, wanted: TorchEntries.whole), in: self)
    if let refusal = tensors.refusal { throw refusal }
    return tensors.tensors
  }

  /// Returns the tensors of all pickles; a program's constants count as weights only if there are no other tensors.
  private static func leaves(of found: [[TorchLeaf]]) -> [TorchLeaf] {
    guard found.count > 1 else { return found.first ?? [] }
    return found[0]
      + found[1].map { leaf in
        TorchLeaf(
          path: ["constants"] + leaf.path, content: leaf.content, ownerDepth: 1,
          mark: found[0].isEmpty ? nil : (.other, 1))
      }
  }
}
