import Documents
import Files
import HDF5
import ModelIR
import Zlib

/// Reads a model saved by Keras 3: `model.save("x.keras")`, a ZIP archive.
///
/// Source: keras/src/saving/saving_lib.py.
enum KerasArchiveReader: ModelReader {
  static let format = "keras-archive"
  static let summary = "a Keras 3 archive (.keras), or its folder"

  static let configName = "config.json"
  private static let metadataName = "metadata.json"
  private static let weightsName = "model.weights.h5"

  static let takesReplacements = true

  static func recognizes(_ probe: SourceProbe) -> Bool {
    probe.entries.contains(weightsName) || [configName, weightsName].allSatisfy(probe.holds)
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    guard probe.isFile else { return try read(folder: probe.path, options) }
    let archive = try probe.openedArchive()
    let config = try config(in: archive)
    let version = try archive.entry(named: metadataName).flatMap { _ throws(NetconvError) in
      try json(metadataName, in: archive)["keras_version"]?.string
    }
    guard let entry = archive.entry(named: weightsName) else { throw .noWeights(weightsName) }
    let file = try weightsFile(entry, in: archive)
    let found = try KerasSource(
      config: config, version: version, configFile: probe.path,
      weights: .numbered(KerasWeightFiles([file]))
    ).reading(options)
    var source = ReadSource(
      format: format, path: probe.path, framework: version.map { "keras \($0)" },
      files: [archive.file], network: found.network, problem: found.problem,
      misfits: found.misfits, replaced: found.replaced, converted: nil,
      notes: found.notes,
      unchecked: entry.isDeflated ? [] : [archive.unchecked(entry)])
    source.leftOutCount = KerasPathWeights.otherStateCount(in: file)
    return source
  }

  /// Reads the output of `keras.saving.save_model(…, zipped=False)`, or an unpacked archive.
  private static func read(
    folder: String, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let file = try ContainedPath(weightsName, in: folder).open()
    let document = try ContainedPath(configName, in: folder).open()
    var version: String?
    if let metadata = try? ContainedPath(metadataName, in: folder).open() {
      version = try parse(
        metadata.contents(limit: JSONDocument.sizeLimit), of: metadataName)["keras_version"]?.string
    }
    let bytes = try document.contents(limit: JSONDocument.sizeLimit)
    let config: Result<JSONValue, NetconvError>
    do {
      config = .success(try parse(bytes, of: configName))
    } catch {
      config = .failure(error)
    }
    let found = try KerasSource(
      config: config, version: version, configFile: document.path,
      weights: .numbered(KerasWeightFiles([HDF5File(file)]))
    ).reading(options)
    return ReadSource(
      format: format, path: folder, framework: version.map { "keras \($0)" }, files: [file],
      network: found.network, problem: found.problem, misfits: found.misfits,
      replaced: found.replaced, converted: nil, notes: found.notes, documents: [document])
  }

  /// Returns the configuration, or the reason why there is none; a checksum mismatch is always thrown.
  private static func config(
    in archive: ZipArchive
  ) throws(NetconvError) -> Result<JSONValue, NetconvError> {
    guard let entry = archive.entry(named: configName) else {
      return .failure(.noWeights(configName))
    }
    let bytes = try archive.contents(of: entry, limit: JSONDocument.sizeLimit)
    do {
      return .success(try parse(bytes, of: configName))
    } catch {
      return .failure(error)
    }
  }

  private static func json(
    _ name: String, in archive: ZipArchive
  ) throws(NetconvError) -> JSONValue {
    guard let entry = archive.entry(named: name) else { throw .noWeights(name) }
    return try parse(archive.contents(of: entry, limit: JSONDocument.sizeLimit), of: name)
  }

  private static func parse(_ bytes: [UInt8], of name: String) throws(NetconvError) -> JSONValue {
    do {
      return try JSONDocument.parse(bytes)
    } catch {
      throw .invalidEntry(name, error.message)
    }
  }

  /// Opens the weights inside the archive; a deflated entry is first inflated into an unnamed temporary file.
  private static func weightsFile(
    _ entry: ZipArchive.Entry, in archive: ZipArchive
  ) throws(NetconvError) -> HDF5File {
    if entry.method == 0 {
      return try HDF5File(
        archive.file, window: entry.dataRange)
    }
    let temporary = try OutputFile.temporary()
    try archive.inflate(entry, into: temporary)
    return try HDF5File(RandomAccessFile(reading: temporary, as: archive.file.path))
  }
}

extension NetconvError {
  fileprivate static func invalidEntry(_ entry: String, _ problem: String) -> NetconvError {
    NetconvError(.badData, "the archive's \(entry) \(problem)")
  }
}
