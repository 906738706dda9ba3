import Documents
import Files
import ModelIR
import TFLiteExport

extension TFLiteContainer: WritableContainer {
  static func layout(
    of contents: ContainerContents
  ) throws(NetconvError) -> any ContainerLayout {
    guard case .model(let model) = contents.network else { throw .noGraphForTFLite }
    let file = TFLiteFile(try TFLiteGraph(model, stored: contents.stored))
    return GraphFileLayout(
      name: TFLiteContainer.file, bytes: file.bytes,
      values: file.places.map { ($0.key, $0.offset, $0.count) }, entries: contents.entries)
  }

  /// Any file written by netconv.
  static var replaceable: ReplaceableFile {
    ReplaceableFile("a file") { file throws(NetconvError) in
      try TFLiteFile.recognizes(file.prefix(TFLiteFile.prefixCount))
    }
  }
}

extension NetconvError {
  fileprivate static let noGraphForTFLite = NetconvError(
    .usage,
    "a TensorFlow Lite file is a graph with its weights, but there are only weights; write them into a file that ends "
      + "in .npz")
}
