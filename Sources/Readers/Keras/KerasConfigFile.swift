import Documents
import Files
import HDF5
import ModelIR
import Zlib

/// Reads a file with a model's architecture: the output of `model.to_json()`, or a complete model.
enum KerasConfigFile {
  /// Opens the file.
  ///
  /// - Throws: `cannotOpen`, which is always reported because the user named the file.
  static func open(_ path: String) throws(NetconvError) -> RandomAccessFile {
    try RandomAccessFile(path: path)
  }

  /// Returns the configuration in a file, or the reason why it has none.
  static func config(in file: RandomAccessFile) throws(NetconvError) -> Result<
    JSONValue, NetconvError
  > {
    do throws(NetconvError) {
      return .success(try read(file))
    } catch {
      return .failure(error.inFile(file.path))
    }
  }

  private static func read(_ file: RandomAccessFile) throws(NetconvError) -> JSONValue {
    let prefix = try file.prefix(4096)
    if ZipArchive.isZip(prefix) {
      let archive = try ZipArchive(file)
      let name = KerasArchiveReader.configName
      guard let entry = archive.entry(named: name) else { throw .noWeights(name) }
      return try JSONDocument.parse(archive.contents(of: entry, limit: JSONDocument.sizeLimit))
    }
    if try HDF5File.isHDF5(file) {
      guard let text = try HDF5File(file).string("model_config", at: "/") else {
        throw .noArchitectureInFile
      }
      return try JSONDocument.parse(Array(text.utf8))
    }
    let value = try JSONDocument.parse(file.contents(limit: JSONDocument.sizeLimit))
    // `to_json()` returns a string, which `json.dump(model.to_json(), file)` encodes a second time.
    guard let text = value.string else { return value }
    do {
      return try JSONDocument.parse(Array(text.utf8))
    } catch {
      throw .stringWithoutConfig(error.message)
    }
  }
}

extension NetconvError {
  fileprivate static func stringWithoutConfig(_ problem: String) -> NetconvError {
    NetconvError(
      .badData,
      "holds one string, whose text \(problem); expected the output of model.to_json(), as it is or as a "
        + "string of JSON")
  }

  fileprivate static var noArchitectureInFile: NetconvError {
    NetconvError(.badData, "holds no architecture: there is no model_config")
  }
}
