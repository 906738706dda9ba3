import Documents
import Files
import ModelIR
import TFLiteExport

extension TFLiteContainer: WritableContainer {
  static func layout(
    of contents: ContainerContents
  ) throws(NetconvError) -> any ContainerLayout {
    guard case .model(let model) = contents.network else { throw .noGraphForTFLite }
    return try TFLiteLayout(model, contents)
  }

  /// Any file written by netconv.
  static var replaceable: ReplaceableFile {
    ReplaceableFile("a file") { file throws(NetconvError) in
      try TFLiteFile.recognizes(file.prefix(TFLiteFile.prefixCount))
    }
  }
}

private struct TFLiteLayout: ContainerLayout {
  let places: [TensorRecord.Place] = []
  private let file: TFLiteFile
  private let entries: [OutputPlan.Entry]

  init(_ model: Model, _ contents: ContainerContents) throws(NetconvError) {
    entries = contents.entries
    let stored = Dictionary(
      entries.map { ($0.tensor.key, (name: $0.name, type: $0.elementType)) },
      uniquingKeysWith: { first, _ in first })
    file = TFLiteFile(try TFLiteGraph(model, stored: stored))
  }

  func writer(in folder: String) throws(NetconvError) -> any ContainerWriter {
    try GraphFileWriter(
      TFLiteContainer.file, file.bytes, file.places.map { ($0.key, $0.offset, $0.count) }, entries,
      in: folder)
  }
}

extension NetconvError {
  fileprivate static let noGraphForTFLite = NetconvError(
    .usage,
    "a TensorFlow Lite file is a graph with its weights, but there are only weights; write them into a file that ends "
      + "in .npz")
}
