import Documents
import Files
import ModelIR

/// A folder that netconv wrote whose safetensors files hold quantised weights.
///
/// The manifest describes codes, scales and biases as separate tensors. Which of them are a weight, and how, only the files
/// and the configuration beside them say, so they are read as those of any other program.
enum PackedFolder {
  /// Reads the weights of the folder at `path`.
  ///
  /// - Returns: `nil` if none of them is quantised.
  /// - Throws: `badData` if the files, or the configuration, do not determine the weights.
  static func weights(
    _ manifest: Manifest, _ formats: [OutputFormat], at path: String, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource? {
    // Codes are bytes to the writer; no type of values is.
    guard manifest.tensors.contains(where: { $0.dtype == ElementType.uint8.rawValue }),
      let format = formats.first(where: { $0 == .safetensors || $0 == .shards }),
      let name = format == .shards ? ShardsContainer.file : format.fileName
    else { return nil }
    // Names are changed once, in the folder's source.
    var unchanged = options
    (unchanged.graph.substitutions, unchanged.graph.layerNames) = ([], [:])
    return try ReaderRegistry.read(path + "/" + name, unchanged)
  }
}

extension ReadSource {
  /// Returns a folder's source with the weights of another source in it.
  func holding(_ weights: ReadSource) -> ReadSource {
    var source = ReadSource(
      format: format, path: path, framework: framework, files: files + weights.files,
      network: weights.network, converted: converted, notes: notes + weights.notes)
    source.holdsCodes = weights.holdsCodes
    source.leftOutCount = weights.leftOutCount
    source.facts = weights.facts
    source.documents = weights.documents
    return source
  }
}
