import Documents
import Files
import HDF5
import ModelIR
import Zlib

/// A file that the architecture of a model is in: the output of `model.to_json()`, or a whole model.
enum KerasConfigFile {
  /// Opens the file.
  ///
  /// - Throws: `cannotOpen`: a file that is not there is the caller's mistake, whatever will do.
  static func open(_ path: String) throws(NetconvError) -> RandomAccessFile {
    try RandomAccessFile(path: path)
  }

  /// What a file says, or why it says nothing.
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
    // `to_json()` gives a text; `json.dump(model.to_json(), file)` writes it as a string of JSON.
    guard let text = value.string else { return value }
    do {
      return try JSONDocument.parse(Array(text.utf8))
    } catch {
      throw .stringWithoutConfig(error.message)
    }
  }
}
