import CoreMLExport
import Documents
import Files
import ModelIR

extension CoreMLContainer: WritableContainer {
  static func layout(
    of contents: ContainerContents
  ) throws(NetconvError) -> any ContainerLayout {
    guard case .model(let model) = contents.network else { throw .noGraphForCoreML }
    let package = CoreMLPackage(
      try MILProgram(
        model, stored: contents.stored, channelsFirst: contents.graph.channelsFirst))
    let hasWeights = !package.weights.isEmpty
    return GraphFileLayout(
      name: "\(folder)/\(CoreMLContainer.model)", bytes: [(0, package.model)],
      values: package.places.map { ($0.key, $0.offset, $0.count) }, entries: contents.entries,
      dataFile: hasWeights ? "\(folder)/\(weights)" : nil, dataBytes: package.weights,
      others: ["\(folder)/\(manifest)": CoreMLPackage.manifest(hasWeights: hasWeights)])
  }

  /// Any package whose manifest netconv wrote.
  static var replaceable: ReplaceableFile {
    ReplaceableFile("a folder") { file throws(NetconvError) in
      CoreMLPackage.recognizes(manifest: try file.prefix(4096))
    }
  }
}

extension NetconvError {
  fileprivate static let noGraphForCoreML = NetconvError(
    .usage,
    "a Core ML package is a program with its weights, but there are only weights; write them into a file that ends "
      + "in .npz")
}
